"""What rules build: several outputs, constants, shapes, wrappers, choices; and what is refused."""

import re

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.ops.const import constant_array
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules import (
    ADD,
    CONSTVAL_FLOAT,
    DIM_DEPTH,
    DIM_HEIGHT,
    EARLY,
    EQ,
    INPUT_OF,
    IS_FLOAT32,
    MIN,
    NEG_INF,
    NOT,
    OK,
    SELECT,
    SUB,
    UINT,
    WITH_MULTI_OUT,
    WITH_OUTPUT_TYPE,
    WITH_SIZE,
    Op,
    OpMultiOut,
    ResizeDim,
    WrapOp,
    WrapOpAlways,
    gen_ConstArr_f32,
    gen_ConstArr_i32,
    gen_ConstArr_vals_i32,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.graph.graph import Node
from htp_mlir.lowering.rules.tree.expr import Arg, Expr

from tests.support.native_graph import NativeGraph

from ..kit import (
    PKG,
    U8,
    apply,
    assert_rewrites,
    body,
    built,
    chain,
    find,
    formula,
    gru_outputs,
    names,
    neg_becomes,
)
from ..pieces import WHOLE

GRU = ("X", "W", "R", "B", "L", "H", "D", "C", "Z")


def test_op_of_several_outputs() -> None:
    again = OpMultiOut(2, 0, "Gru", *GRU)
    written_out = Op("$Out", WITH_MULTI_OUT(2, Op("Gru", *GRU)), gen_Shape(0, 0, 2, 0))
    assert again == written_out
    graph = NativeGraph()
    module = graph.module(graph.op("Relu", gru_outputs(graph)[0]))
    member = rule(EARLY, Op("Relu", Op("Gru", *GRU)), OK, Op("Relu", again))
    assert_rewrites(module, member, firings=1)
    assert names(module) == ["Gru", "Relu"]


def test_later_output_has_its_own_shape() -> None:
    graph = NativeGraph()
    first, second = gru_outputs(graph)
    owner = find(graph.module(first, second), "Gru")
    tags = dict(zip(GRU, owner.operands, strict=True))
    value = built(OpMultiOut(2, 1, "Gru", *GRU), spec_of(first), **tags)
    assert spec_of(value) == spec_of(second)


def test_output_that_is_not_there() -> None:
    wrong = Op("$Out", WITH_MULTI_OUT(1, Op("Abs", "X")), gen_Shape(0, 0, 1, 2))
    with pytest.raises(HtpError, match="no output 2"):
        apply(chain("Neg"), neg_becomes(wrong))


@pytest.mark.parametrize(
    ("expr", "dtype", "values"),
    [
        (gen_ConstScalar_f32(1.5), DType.Float32, [1.5]),
        (gen_ConstScalar_f32(NEG_INF), DType.Float32, [-np.inf]),
        (gen_ConstScalar_f32(CONSTVAL_FLOAT("C", 1)), DType.Float32, [2.0]),
        (gen_ConstScalar_f32(1e300), DType.Float32, [np.inf]),
        (gen_ConstScalar_i32(DIM_DEPTH("C")), DType.Int32, [2]),
        (gen_ConstScalar_i32(-2.7), DType.Int32, [-2]),
        (gen_ConstScalar_i32(UINT(-1)), DType.Int32, [-1]),
        (gen_ConstArr_f32(0.5, 3), DType.Float32, [0.5, 0.5, 0.5]),
        (gen_ConstArr_i32(MIN(7, 9), 2), DType.Int32, [7, 7]),
        (gen_ConstArr_vals_i32(1, -2, DIM_DEPTH("C")), DType.Int32, [1, -2, 2]),
    ],
    ids=str,
)
def test_constant(expr: Expr, dtype: DType, values: list[float]) -> None:
    value = built(expr, U8, C=NativeGraph().const(np.array([1.0, 2.0], np.float32)))
    assert spec_of(value) == TensorSpec((1, 1, 1, len(values)), dtype)
    array = constant_array(value)
    assert array is not None
    np.testing.assert_array_equal(array.reshape(-1), np.array(values, array.dtype))


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (gen_Shape(1, 2, 3, 0), (1, 2, 3, 0)),
        (gen_Shape(1, DIM_DEPTH("X"), ADD(1, 1), UINT(7)), (1, 8, 2, 7)),
        (gen_ShapeOf("X"), (1, 2, 4, 8)),
        (gen_ShapeOf(gen_Shape(4, 3, 2, 1)), (4, 3, 2, 1)),
    ],
    ids=str,
)
def test_shape(expr: Expr, wanted: tuple[int, ...]) -> None:
    value = built(expr, U8, X=NativeGraph().input(spec=U8))
    assert Node(value).is_shape
    assert Node(value).shape == wanted


@pytest.mark.parametrize(
    ("replacement", "why"),
    [
        (WITH_SIZE(gen_Shape(1, 1, 1, SUB(DIM_HEIGHT("X"), 3)), Op("Abs", "X")), "is no dim"),
        (Op("Slice_shape", "X", gen_Shape(0, 0, 0), WHOLE), "must be 4 numbers"),
        (Op("Slice_shape", "X", gen_Shape(0, SUB(0, 1), 0, 0), WHOLE), "-1 is no dim"),
        (Op("Abs", gen_ConstArr_f32(0.0, SUB(UINT(0), 1))), "elements"),
        (WITH_OUTPUT_TYPE(DType.QUInt8, 300, 0.5, Op("Quantize", "X")), "zero point 300"),
        (WITH_OUTPUT_TYPE(DType.QUInt8, 0, 0.0, Op("Quantize", "X")), "scale 0"),
        (Op("Abs", WITH_SIZE(gen_Shape(2, 8), Op("Abs", "X"))), "rank 2"),
        (Op("Abs"), "has 0 operands"),
        (Op("Abs", INPUT_OF("X", 1)), "number 1 of 1 inputs"),
        (Op("Abs", WITH_SIZE(gen_Shape(1, 2, 4, 9), Op("Neg", "X"))), "1x2x4x9"),
        (WITH_SIZE(gen_Shape(1, 2, 4, 9), Op("ForceFormat_Flat", "X")), "1x2x4x9"),
        (Op("Dequantize", "X"), "Dequantize"),
        (WITH_MULTI_OUT(0, Op("Abs", "X")), "0 outputs; 1 to 1024 are allowed"),
        (WITH_MULTI_OUT(2, Op("Abs", "X")), "has 2 results"),
        (OpMultiOut(2, 0, "Gru", "X"), "has 1 operand, it takes 9"),
        (Op("$Shape"), "position 0 does not verify: tensor<"),
        (Op("Abss", "X"), r"htp\.Abss: the replacement builds an op that does not exist"),
    ],
    ids=str,
)
def test_replacement_that_is_not_valid_is_taken_back(replacement: Arg, why: str) -> None:
    module = chain("Relu", "Neg", "Neg")
    before = module.clone()
    with pytest.raises(HtpError, match=why) as caught:
        run_rules(module, rules(rule(EARLY, Op("Neg", "X"), OK, replacement, name="wrong")))
    assert re.match(r"wrong \(.*test_built_values\.py:\d+\)", caught.value.faults[0].where)
    assert module.is_structurally_equivalent(before)
    assert [len(list(op.results[0].uses)) for op in body(module)[:-1]] == [1, 1, 1, 1, 1]


def test_message_of_an_invalid_replacement_names_rule_place_and_op() -> None:
    wrong = rule(EARLY, Op("Neg", "X"), OK, ResizeDim(1, 9, Op("Abs", "X")), name="wrong")
    with pytest.raises(HtpError) as caught:
        run_rules(chain("Neg"), rules(wrong))
    assert caught.value.lines() == [
        f"wrong ({wrong.where}): the replacement is not valid: it gives 1x9x4x8 Float32, "
        "the root gives 1x2x4x8 Float32",
        "  %2 = htp.Neg was left as it was",
    ]


def test_suggestion_for_a_misspelt_op() -> None:
    with pytest.raises(HtpError, match=r"did you mean .*htp\.ConvLayer_valid"):
        apply(chain("Neg"), rule(EARLY, Op("Neg", "X"), OK, Op("ConvLayer_vlaid", "X")))


def test_wrap_op_does_nothing_where_the_op_is_there() -> None:
    for wrap, wanted in ((WrapOp, "Neg(Relu(x0))"), (WrapOpAlways, "Neg(Relu(Relu(x0)))")):
        module = chain("Relu", "Neg")
        apply(module, neg_becomes(Op("Neg", wrap("Relu", "X"))))
        assert formula(module) == wanted
    module = chain("Abs", "Neg")
    assert_rewrites(module, neg_becomes(Op("Neg", WrapOp("Abs", "X"))), to="Neg(Abs(x0))")
    apply(module, neg_becomes(Op("Neg", WrapOp("Relu", "X"))))
    assert formula(module) == "Neg(Relu(Abs(x0)))"


def test_wrap_op_gives_the_output_of_what_it_wraps() -> None:
    graph = NativeGraph()
    row = graph.input(1, 1, 1, 8)
    module = graph.module(graph.op("Sub", graph.input(1, 2, 4, 8), row))
    apply(module, rule(EARLY, Op("Sub", "X", "B"), OK, Op("Add", "X", WrapOp("Neg", "B"))))
    assert spec_of(find(module, "Neg").results[0]) == spec_of(row)


def test_wrap_op_of_another_package() -> None:
    own = rules(rule(EARLY, Op("q::Neg", "X"), OK, WrapOp("Relu", "X")), package="Pkg", ops=PKG)
    module = chain("Relu", "Neg")
    apply(module, own)
    assert formula(module) == "Pkg.Relu(Relu(x0))"


def test_select_chooses_what_is_built() -> None:
    small = EQ(DIM_DEPTH("X"), 8)
    for condition, wanted in ((small, "Abs(Relu(x0))"), (NOT(small), "Relu(x0)")):
        module = chain("Relu", "Neg")
        apply(module, neg_becomes(SELECT(condition, Op("Abs", "X"), "X")))
        assert formula(module) == wanted
        assert "Neg" not in names(module)


def test_select_of_the_choice_that_is_not_taken_may_be_invalid() -> None:
    wrong = ResizeDim(9, 1, Op("Abs", "X"))
    module = chain("Neg")
    apply(module, neg_becomes(SELECT(IS_FLOAT32("X"), Op("Abs", "X"), wrong)))
    assert formula(module) == "Abs(x0)"


def test_name_of_the_value_is_kept() -> None:
    module = chain("Neg")
    find(module, "Neg").results[0].name_hint = "edge"
    apply(module, neg_becomes(Op("Abs", "X")))
    assert find(module, "Abs").results[0].name_hint == "edge"

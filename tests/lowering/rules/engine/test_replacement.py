"""What rules build: operands, sizes, types, the modifiers around an op."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, TensorSpec
from htp_mlir.lowering.rules import (
    ADD,
    DIM_DEPTH,
    DIM_HEIGHT,
    EARLY,
    INPUT_OF,
    LET,
    OK,
    OUTPUT_OF,
    UINT,
    WITH_OUTPUT_TYPE,
    WITH_SAME_ID,
    WITH_SAME_OUTPUT,
    WITH_SIZE,
    WITH_SPLIT_HISTORY,
    WITH_TYPE,
    Op,
    Operand,
    ResizeDim,
    gen_ConstScalar_f32,
    gen_Shape,
    gen_ShapeOf,
    rule,
)
from htp_mlir.lowering.rules.language.modifiers import split_history
from htp_mlir.lowering.rules.tree.expr import Arg
from xdsl.dialects.builtin import FileLineColLoc, FusedLoc, IntAttr, NoneAttr, StringAttr

from tests.support.native_graph import NativeGraph

from ..kit import U8, apply, assert_rewrites, built, chain, find, formula, neg_becomes
from ..pieces import cut, padded


@pytest.mark.parametrize(
    ("replacement", "wanted"),
    [
        ("R", "Relu(x0)"),
        (Operand("X"), "x0"),
        (INPUT_OF("*", 0), "Relu(x0)"),
        (INPUT_OF("R", 0), "x0"),
        (OUTPUT_OF("R", 0), "Relu(x0)"),
    ],
    ids=str,
)
def test_bypass(replacement: Arg, wanted: str) -> None:
    module = chain("Relu", "Neg")
    apply(module, rule(EARLY, Op("Neg", LET("R", Op("Relu", "X"))), OK, replacement))
    assert formula(module) == wanted


def test_built_op_has_the_roots_shape_dtype_and_encoding() -> None:
    graph = NativeGraph()
    out = TensorSpec(U8.shape, DType.QUInt8, Quant((0.25,), (7,)))
    module = graph.module(graph.op("Relu", graph.input(spec=U8), out=out))
    apply(module, rule(EARLY, Op("Relu", "X"), OK, Op("Abs", "X")))
    assert spec_of(find(module, "Abs").results[0]) == out


def test_built_op_lies_where_the_root_lay_and_a_constant_in_main_memory() -> None:
    graph = NativeGraph()
    placed = TensorSpec((1, 2, 4, 8), DType.Float32, place=FLAT_DDR)
    source = graph.input(spec=placed)
    there = graph.op("flat_to_vtcm", source, out=placed.with_place(FLAT_TCM))
    back = graph.op("flat_from_vtcm", graph.op("Relu", there), out=placed)
    module = graph.module(back)
    apply(module, rule(EARLY, Op("Relu", "X"), OK, Op("Maximum", "X", gen_ConstScalar_f32(0.0))))
    maximum = find(module, "Maximum")
    assert spec_of(maximum.results[0]).place == FLAT_TCM
    assert spec_of(maximum.operands[1]).place == FLAT_DDR


def test_inputs_inside_an_op_take_the_roots_definition_unless_wrapped() -> None:
    graph = NativeGraph()
    x, row = graph.input(1, 2, 4, 8), graph.input(1, 1, 1, 8)
    module = graph.module(graph.op("Sub", x, row))
    member = rule(EARLY, Op("Sub", "X", "B"), OK, Op("Add", "X", WITH_SIZE("B", Op("Neg", "B"))))
    assert_rewrites(module, member, to="Add(x0, Neg(x1))")
    assert spec_of(find(module, "Neg").results[0]).shape == (1, 1, 1, 8)
    bare = rule(EARLY, Op("Add", "X", Op("Neg", "B")), OK, Op("Sub", "X", Op("Abs", "B")))
    with pytest.raises(HtpError, match=r"htp\.Abs: .*1x2x4x8"):
        apply(module, bare)


def test_with_size_of_a_node_and_of_a_shape() -> None:
    for size in ("B", gen_ShapeOf("B"), gen_Shape(1, 1, 1, DIM_DEPTH("X"))):
        graph = NativeGraph()
        module = graph.module(graph.op("Sub", graph.input(1, 2, 4, 8), graph.input(1, 1, 1, 8)))
        member = rule(
            EARLY, Op("Sub", "X", "B"), OK, Op("Add", "X", WITH_SIZE(size, Op("Neg", "B")))
        )
        assert_rewrites(module, member, to="Add(x0, Neg(x1))")


def test_with_type_keeps_the_size_and_with_same_output_takes_both() -> None:
    graph = NativeGraph()
    data, narrow = graph.input(spec=U8), graph.input(1, 1, 1, 8)
    f32 = TensorSpec((1, 2, 4, 8), DType.Float32)
    graph.op("Dequantize", data, out=f32)
    for expr, shape, like in (
        (WITH_TYPE("X", Op("Neg", "X")), f32.shape, U8),
        (WITH_SIZE("B", WITH_TYPE("X", Op("Neg", "X"))), (1, 1, 1, 8), U8),
        (WITH_SAME_OUTPUT("B", Op("Neg", "B")), (1, 1, 1, 8), f32),
    ):
        value = built(expr, f32, X=data, B=narrow)
        assert spec_of(value) == like.with_shape(shape)


def test_innermost_modifier_wins_and_modifiers_combine() -> None:
    module = chain("Neg")
    grown = gen_Shape(1, 2, 4, 9)
    member = neg_becomes(Op("Neg", cut(WITH_SIZE("X", padded(grown)))))
    assert_rewrites(
        module,
        member,
        to="Neg(Slice_shape(SlicePad_shape(x0, <0x0x0x0>, <0x0x0x0>, <1x2x4x9>, [0.0]), "
        "<0x0x0x0>, <1x2x4x8>))",
        firings=1,
    )


def test_with_output_type() -> None:
    graph = NativeGraph()
    module = graph.module(graph.op("Neg", graph.input(1, 2, 4, 8)))
    through_u8 = Op(
        "Neg", Op("Dequantize", WITH_OUTPUT_TYPE(DType.QUInt8, 128, 0.05, Op("Quantize", "X")))
    )
    apply(module, rule(EARLY, Op("Neg", "X"), OK, through_u8))
    output = spec_of(find(module, "Quantize").results[0])
    assert (output.shape, output.dtype, output.quant) == (U8.shape, U8.dtype, U8.quant)
    whole = Op("Neg", Op("Cast", WITH_OUTPUT_TYPE(DType.Int32, 0, 1.0, Op("Cast", "X"))))
    module = chain("Neg")
    apply(module, rule(EARLY, Op("Neg", "X"), OK, whole))
    assert spec_of(find(module, "Cast").results[0]) == TensorSpec((1, 2, 4, 8), DType.Int32)


def test_resize_dim() -> None:
    module = chain("Neg")
    size = ADD(DIM_HEIGHT("X"), 3)
    none = gen_Shape(0, 0, 0, 0)
    big = gen_Shape(1, size, 4, 8)
    pad = Op("SlicePad_shape", "X", none, none, big, gen_ConstScalar_f32(0.0))
    assert_rewrites(module, neg_becomes(Op("Neg", cut(ResizeDim(1, size, pad)))), firings=1)
    assert spec_of(find(module, "SlicePad_shape").results[0]).shape == (1, 5, 4, 8)


def test_resize_of_a_dim_that_is_not_there() -> None:
    with pytest.raises(HtpError, match="dim 4 of an output of rank 4"):
        apply(chain("Neg"), neg_becomes(ResizeDim(4, 1, Op("Abs", "X"))))


def test_a_new_op_has_the_locations_of_all_that_it_replaces_or_of_one_that_is_named() -> None:
    graph = NativeGraph()
    x = graph.input(1, 2, 4, 8)
    module = graph.module(graph.op("Neg", graph.op("Relu", x)))
    inner, root = find(module, "Relu"), find(module, "Neg")
    inner.location, root.location = (
        FileLineColLoc(StringAttr("net.py"), IntAttr(line), IntAttr(1)) for line in (3, 5)
    )
    member = rule(
        EARLY,
        Op("Neg", LET("R", Op("Relu", "X"))),
        OK,
        Op("Abs", WITH_SAME_ID("R", Op("Sigmoid", "X"))),
    )
    apply(module, member)
    assert find(module, "Sigmoid").location == inner.location
    assert find(module, "Abs").location == FusedLoc((root.location, inner.location), NoneAttr())


def test_with_split_history_records_the_splits() -> None:
    module = chain("Neg")
    apply(module, neg_becomes(WITH_SPLIT_HISTORY("*", 3, Op("Abs", "X"))))
    assert split_history(find(module, "Abs")) == (3,)
    apply(
        module, rule(EARLY, Op("Abs", "X"), OK, WITH_SPLIT_HISTORY("*", UINT(1), Op("Relu", "X")))
    )
    assert split_history(find(module, "Relu")) == (3, 1)
    apply(module, rule(EARLY, Op("Relu", "X"), OK, WITH_SPLIT_HISTORY("*", Op("Tanh", "X"))))
    assert split_history(find(module, "Tanh")) == (3, 1)
    module.verify()

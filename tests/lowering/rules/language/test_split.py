"""Splits: slices and their joins, iteration, threads, and the numbers inside them."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules import (
    AUTOSPLIT,
    AUTOSPLIT_SHAPEFN_APPLY,
    AUTOSPLIT_SLICE,
    AUTOTHREAD_HMX,
    AUTOTHREAD_HVX,
    CHANGEDIM_SLICE,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_OF,
    EQ,
    FROM_DEFAULT_PACKAGE,
    GT,
    INPUTS_OF,
    ITER_INPUT_OF,
    ITER_VAR,
    LET,
    MUL,
    OK,
    OP_ITER,
    SELECT,
    SPLIT_DIM,
    SPLIT_SIZE,
    SPLIT_START,
    SUB,
    TILING,
    TYPICAL_CONV_SLICE,
    TYPICAL_SLICE,
    WITH_SIZE,
    GraphOptions,
    Op,
    OpVarIn,
    Rule,
    gen_ConstArr_vals_i32,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
)
from htp_mlir.lowering.rules.graph.graph import EvaluationError
from htp_mlir.lowering.rules.language.split import AUTOTHREAD, slices, window
from htp_mlir.lowering.rules.tree.expr import Arg, Expr
from htp_mlir.lowering.rules.tree.function import Function

from tests.support.native_graph import NativeGraph

from ..kit import (
    apply,
    assert_rewrites,
    assert_stays,
    body,
    built,
    chain,
    find,
    formula,
    names,
    text,
)

B, H, W, D = range(4)
ZERO = gen_Shape(0, 0, 0, 0)
BIG_RELU = (1, 5, 4, 8)


def relu_split(dim: int, chunk: Arg, replacement: Expr | None = None) -> Rule:
    """The rule that splits Relu(X) while it is longer than the chunk."""
    part = replacement or Op("Relu", TYPICAL_SLICE("X", "I"))
    return rule(
        TILING, Op("Relu", "X"), GT(DIM_OF("*", dim), chunk), AUTOSPLIT(dim, "I", chunk, part)
    )


def test_slices_of_an_extent() -> None:
    assert [(cut.start, cut.size, cut.index) for cut in slices(1, 5, 2)] == [
        (0, 2, 0),
        (2, 2, 1),
        (4, 1, 2),
    ]
    assert [cut.size for cut in slices(1, 4, 9)] == [4]


@pytest.mark.parametrize("chunk", [0, -1])
def test_chunk_below_one_is_refused(chunk: int) -> None:
    with pytest.raises(EvaluationError, match=rf"5 cut by {chunk} is not 1 to 65536 slices"):
        list(slices(1, 5, chunk))


def test_rows_of_a_window() -> None:
    assert window(4, stride=2, taps=3) == 9
    assert window(4, stride=1, taps=3, dilation=2) == 8
    assert window(1, stride=5, taps=1) == 1


def test_autosplit_makes_slices_and_joins_them() -> None:
    assert_rewrites(
        chain("Relu", dims=BIG_RELU),
        relu_split(H, 2),
        to="Concat([1], Relu(Slice_shape(x0, <0x0x0x0>, <1x2x4x8>)), "
        "Relu(Slice_shape(x0, <0x2x0x0>, <1x2x4x8>)), "
        "Relu(Slice_shape(x0, <0x4x0x0>, <1x1x4x8>)))",
        firings=1,
    )


@pytest.mark.parametrize("dim", [B, H, W, D])
def test_autosplit_on_every_dim(dim: int) -> None:
    module = assert_rewrites(chain("Relu", dims=(3, 3, 3, 3)), relu_split(dim, 2), firings=1)
    concat = find(module, "Concat")
    assert [spec_of(part).shape[dim] for part in concat.operands[1:]] == [2, 1]


def test_autosplit_into_one_slice_makes_no_concat() -> None:
    module = chain("Relu", dims=BIG_RELU)
    member = rule(TILING, Op("Relu", "X"), OK, AUTOSPLIT(H, "I", 9, Op("Abs", "X")))
    apply(module, member)
    assert formula(module) == "Abs(x0)"


def test_autosplit_goes_on_until_its_guard_stops_it() -> None:
    half = SELECT(EQ(DIM_HEIGHT("*"), 5), 3, 1)
    part = Op("Relu", TYPICAL_SLICE("X", "I"))
    member = rule(TILING, Op("Relu", "X"), GT(DIM_HEIGHT("*"), 1), AUTOSPLIT(H, "I", half, part))
    module = assert_rewrites(chain("Relu", dims=BIG_RELU), member, firings=3)
    assert names(module).count("Relu") == 5


def test_split_of_a_split() -> None:
    inner = AUTOSPLIT(W, "J", 3, Op("Relu", TYPICAL_SLICE(TYPICAL_SLICE("X", "I"), "J")))
    module = assert_rewrites(chain("Relu", dims=BIG_RELU), relu_split(H, 3, inner), firings=1)
    assert names(module).count("Relu") == 4
    assert names(module).count("Concat") == 3


def test_numbers_inside_a_split() -> None:
    numbers = (SPLIT_START("I"), SPLIT_SIZE("I"), SPLIT_DIM("I"), ITER_VAR("I"))
    row = WITH_SIZE(gen_Shape(1, 1, 1, 4), Op("Neg", gen_ConstArr_vals_i32(*numbers)))
    value = built(AUTOSPLIT(H, "I", 3, row), TensorSpec((1, 5, 1, 4), DType.Int32))
    assert text(value) == "Concat([1], Neg([0, 3, 1, 0]), Neg([3, 2, 1, 1]))"


def test_slice_on_another_dim() -> None:
    graph = NativeGraph()
    x, weights = graph.input(1, 2, 3, 4), graph.random(6, 4)
    bias = graph.random(6)
    module = graph.module(graph.op("FullyConnected", x, weights, bias, out=(1, 2, 3, 6)))
    member = rule(
        TILING,
        Op("FullyConnected", "X", "W", "B"),
        GT(DIM_DEPTH("*"), 4),
        AUTOSPLIT(
            D,
            "I",
            4,
            Op("FullyConnected", "X", CHANGEDIM_SLICE("W", "I", W), TYPICAL_SLICE("B", "I")),
        ),
    )
    assert_rewrites(module, member, firings=1)
    assert spec_of(find(module, "FullyConnected").operands[1]).shape == (1, 1, 4, 4)


def test_slice_by_given_start_and_size() -> None:
    start = gen_Shape(0, SPLIT_START("I"), 0, 0)
    size = gen_Shape(1, SPLIT_SIZE("I"), 4, 8)
    part = Op("Relu", AUTOSPLIT_SLICE("X", start, size))
    assert_rewrites(chain("Relu", dims=BIG_RELU), relu_split(H, 3, part), firings=1)


def test_slice_by_shape_functions() -> None:
    part = Op(
        "Relu",
        AUTOSPLIT_SLICE(
            "X",
            AUTOSPLIT_SHAPEFN_APPLY("simple_split_start", "I", "X"),
            AUTOSPLIT_SHAPEFN_APPLY("simple_split_size", "I", "X"),
        ),
    )
    assert_rewrites(chain("Relu", dims=BIG_RELU), relu_split(H, 3, part), firings=1)


def test_slice_keeps_its_inputs_type_and_takes_its_own_shape() -> None:
    graph = NativeGraph()
    x, table = graph.input(1, 6, 1, 8), graph.ints(2, 0, 1)
    module = graph.module(graph.op("Gather", x, table, graph.ints(1), out=(1, 3, 1, 8)))
    member = rule(
        TILING,
        Op("Gather", "X", "T", "A"),
        GT(DIM_HEIGHT("*"), 2),
        AUTOSPLIT(H, "I", 2, Op("Gather", "X", CHANGEDIM_SLICE("T", "I", D), "A")),
    )
    assert_rewrites(module, member, firings=1)
    assert spec_of(find(module, "Slice_shape").results[0]).dtype is DType.Int32


@pytest.mark.parametrize("step", [DIM_HEIGHT("S"), "S"], ids=["number", "node"])
@pytest.mark.parametrize(("stride", "taps"), [(1, 3), (2, 3), (3, 1), (2, 2)])
def test_window_of_a_pool(stride: int, taps: int, step: Arg) -> None:
    graph = NativeGraph()
    height = stride * 6 + taps
    x, size = graph.input(1, height, 2, 8), graph.shape(1, taps, 1, 1)
    steps = graph.shape(1, stride, 1, 1)
    module = graph.module(graph.op("MaxPool_valid", x, size, steps, out=(1, 7, 2, 8)))
    member = rule(
        TILING,
        Op("MaxPool_valid", "X", "W", "S"),
        GT(DIM_HEIGHT("*"), 3),
        AUTOSPLIT(
            H,
            "I",
            3,
            Op(
                "MaxPool_valid",
                TYPICAL_CONV_SLICE("X", "I", step, DIM_HEIGHT("W")),
                "W",
                "S",
            ),
        ),
    )
    assert_rewrites(module, member, firings=1)
    read = [spec_of(op.results[0]).shape[1] for op in body(module) if "Slice" in op.name]
    assert read == [window(3, stride, taps)] * 2 + [taps]


def test_window_with_dilation() -> None:
    split = AUTOSPLIT(H, "I", 2, TYPICAL_CONV_SLICE("X", "I", 2, 3, 2))
    value = built(split, TensorSpec((1, 3, 1, 1), DType.Float32), X=NativeGraph().input(1, 9, 1, 1))
    assert text(value) == (
        "Concat([1], Slice_shape(x0, <0x0x0x0>, <1x7x1x1>), Slice_shape(x0, <0x4x0x0>, <1x5x1x1>))"
    )


@pytest.mark.parametrize(
    ("replacement", "why"),
    [
        (AUTOSPLIT(4, "I", 2, Op("Relu", "X")), "a split on dim 4 of an output of rank 4"),
        (AUTOSPLIT(-1, "I", 2, Op("Relu", "X")), "a split on dim -1 of an output of rank 4"),
        (AUTOSPLIT(1, "I", 0, Op("Relu", "X")), "5 cut by 0 is not 1 to 65536 slices"),
        (AUTOSPLIT(1, "I", SUB(0, 1), Op("Relu", "X")), "5 cut by -1 is not"),
        (AUTOSPLIT(1, "I", 2, Op("Relu", CHANGEDIM_SLICE("X", "I", 4))), "a slice on dim 4"),
        (AUTOSPLIT(1, "I", 2, "X"), "its inputs give 1x15x4x8"),
    ],
    ids=str,
)
def test_split_that_cannot_be_made(replacement: Expr, why: str) -> None:
    module = chain("Relu", dims=BIG_RELU)
    with pytest.raises(HtpError, match=why):
        apply(module, rule(TILING, Op("Relu", "X"), OK, replacement))


def test_op_iter_appends_the_inputs_to_its_base() -> None:
    part = WITH_SIZE(
        gen_Shape(1, 8, 8, 32),
        Op(
            "Relu",
            WITH_SIZE(
                gen_Shape(1, 8, 8, 32),
                Op(
                    FROM_DEFAULT_PACKAGE("SlicePad_shape"),
                    "In",
                    ZERO,
                    gen_Shape(0, MUL(ITER_VAR("I"), 8), 0, 0),
                    gen_Shape(1, 8, 8, 32),
                    gen_ConstScalar_f32(0.0),
                ),
            ),
        ),
    )
    base = Op(FROM_DEFAULT_PACKAGE("Concat"), gen_ConstScalar_i32(1))
    tall = GT(DIM_HEIGHT("*"), 8)
    member = rule(TILING, Op("Relu", "In"), tall, OP_ITER(base, "I", 0, 2, part))
    module = assert_rewrites(chain("Relu", dims=(1, 16, 8, 32)), member, firings=1)
    slice_ = "SlicePad_shape(x0, <0x0x0x0>, <0x{}x0x0>, <1x8x8x32>, [0.0])"
    assert formula(module) == f"Concat([1], Relu({slice_.format(0)}), Relu({slice_.format(8)}))"


def test_op_iter_over_the_inputs_of_a_node() -> None:
    graph = NativeGraph()
    x, y = graph.input(1, 2, 4, 8), graph.input(1, 3, 4, 8)
    joined = graph.op("Concat", graph.ints(1), x, y, out=spec_of(x).with_shape((1, 5, 4, 8)))
    module = graph.module(graph.op("Relu", joined))
    inputs = ITER_INPUT_OF("C", "I")
    member = rule(
        TILING,
        Op("Relu", LET("C", OpVarIn("Concat", "A"))),
        OK,
        OP_ITER(Op("Concat", "A"), "I", 1, INPUTS_OF("C"), WITH_SIZE(inputs, Op("Relu", inputs))),
    )
    assert_rewrites(module, member, to="Concat([1], Relu(x0), Relu(x1))", firings=1)


def test_op_iter_on_a_node_of_the_graph_as_its_base() -> None:
    graph = NativeGraph()
    x = graph.input(1, 2, 4, 8)
    joined = graph.op("Concat", graph.ints(1), x, out=x)
    module = graph.module(joined)
    member = rule(
        TILING, OpVarIn("Concat", "A", "X"), EQ(INPUTS_OF("*"), 2), OP_ITER("*", "I", 0, 0, "X")
    )
    before = formula(module)
    assert_rewrites(module, member, to=before, firings=1)


def test_empty_iteration_gives_the_base() -> None:
    module = chain("Relu")
    apply(module, rule(TILING, Op("Relu", "X"), OK, OP_ITER(Op("Abs", "X"), "I", 3, 3, "X")))
    assert formula(module) == "Abs(x0)"


def test_endless_iteration_is_refused() -> None:
    member = rule(
        TILING, Op("Relu", "X"), OK, OP_ITER(Op("Abs", "X"), "I", 0, 1 << 30, Op("Abs", "X"))
    )
    with pytest.raises(HtpError, match="OP_ITER over 1073741824 inputs; 65536 are allowed"):
        apply(chain("Relu"), member)


@pytest.mark.parametrize(("unit", "form"), [("hvx", AUTOTHREAD_HVX), ("hmx", AUTOTHREAD_HMX)])
def test_autothread_splits_once_into_as_many_slices_as_allowed(unit: str, form: Function) -> None:
    member = rule(TILING, Op("Relu", "X"), OK, form(H, "I", Op("Relu", TYPICAL_SLICE("X", "I"))))
    for tiles, sizes in ((4, [2, 2, 2, 1]), (2, [4, 3]), (99, [1] * 7)):
        options = GraphOptions(**{f"autothread_{unit}_ntiles": tiles})
        module = chain("Relu", dims=(1, 7, 4, 8))
        assert_rewrites(module, member, firings=1, options=options)
        parts = [op for op in body(module) if op.name == "htp.Relu"]
        assert [spec_of(op.results[0]).shape[1] for op in parts] == sizes
        assert {op.attributes[AUTOTHREAD].data for op in parts} == {unit}


def test_autothread_of_one_tile_or_one_row_changes_nothing() -> None:
    member = rule(
        TILING, Op("Relu", "X"), OK, AUTOTHREAD_HVX(H, "I", Op("Relu", TYPICAL_SLICE("X", "I")))
    )
    assert_stays(chain("Relu", dims=(1, 1, 4, 8)), member)
    assert_stays(chain("Relu"), member, options=GraphOptions(autothread_hvx_ntiles=1))

"""The rules that the op package documentation prints, in our form, on graphs they fire on.

Source: QNN HTP op package documentation, implementing ops, optimization rule definition.
"""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp, native
from htp_mlir.dialects.htp.fields import shape_def, tensor_def
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    AUTOSPLIT,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_FILTDEPTH,
    DIM_FILTHEIGHT,
    DIM_FILTWIDTH,
    DIM_HEIGHT,
    DIM_NFILTS,
    DIM_WIDTH,
    DIV,
    EARLY,
    EQ,
    FROM_DEFAULT_PACKAGE,
    GT,
    INT,
    IS_QUINT8,
    LATE,
    LT,
    MUL,
    OK,
    OP_ITER,
    RANK_OF,
    ROUNDUP,
    SPLIT_START,
    SUB,
    TYPICAL_SLICE,
    WITH_SIZE,
    WITH_TYPE,
    Op,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.tree.expr import Expr
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tests.support.native_graph import NativeGraph

from ..kit import assert_rewrites, assert_stays, chain, find, formula, names


class FastExampleOp(NativeOp):
    """An op of a user's package."""

    name = "Example.FastExampleOp"

    in_0 = tensor_def()
    in_1 = tensor_def()
    in_2 = tensor_def()


class MyOp(NativeOp):
    """An op of a user's package."""

    name = "Example.MyOp"

    Input0 = tensor_def()
    Input1 = tensor_def()


class MyRealOp(MyOp):
    """What it becomes."""

    name = "Example.MyOp.real"


class AdjustInputOp(NativeOp):
    """What its second input goes through."""

    name = "Example.MyOp.AdjustInput"

    in_ = tensor_def()


class OtherConvOp(NativeOp):
    """A convolution of yet another package."""

    name = "OpPackageNo2.Conv2d_valid"

    act = tensor_def()
    weights = tensor_def()
    stride = shape_def()


EXAMPLE_OPS: dict[str, type[Operation]] = {
    op.name: op for op in (FastExampleOp, MyOp, MyRealOp, AdjustInputOp, OtherConvOp)
}

BIAS_ADD = rule(
    EARLY,
    Op("Add", "X", "B"),
    AND(
        EQ(RANK_OF("X"), 4),
        EQ(RANK_OF("B"), 4),
        EQ(DIM_DEPTH("X"), DIM_DEPTH("B")),
        EQ(DIM_WIDTH("B"), 1),
        EQ(DIM_HEIGHT("B"), 1),
        EQ(DIM_BATCHES("B"), 1),
    ),
    Op("BiasAdd", "X", "B"),
)
CONV_LAYER = rule(
    EARLY + 1,
    Op("BiasAdd", Op("Conv2d_valid", "Activations", "Weights", "Stride"), "Bias"),
    OK,
    Op("ConvLayer_valid", "Activations", "Weights", "Stride", "Bias"),
)
CROSS_PACKAGE = rule(
    EARLY + 1,
    Op("BiasAdd", Op("OpPackageNo2::Conv2d_valid", "Activations", "Weights", "Stride"), "Bias"),
    OK,
    Op(FROM_DEFAULT_PACKAGE("ConvLayer_valid"), "Activations", "Weights", "Stride", "Bias"),
)
COLUMNS = ROUNDUP(
    MUL(DIM_FILTHEIGHT("Weights"), DIM_FILTWIDTH("Weights"), DIM_FILTDEPTH("Weights")), 32
)
IM2COL = rule(
    LATE,
    Op("ConvLayer_valid", "Act", "Weights", "Stride", "Bias"),
    AND(
        IS_QUINT8("Act"),
        IS_QUINT8("Weights"),
        EQ(DIM_HEIGHT("Stride"), 2),
        EQ(DIM_WIDTH("Stride"), 2),
        LT(INT(DIM_DEPTH("Act")), 4),
        GT(INT(DIM_NFILTS("Weights")), 31),
    ),
    Op(
        "ConvLayer_valid",
        WITH_TYPE(
            "Act",
            WITH_SIZE(
                gen_Shape(
                    DIM_BATCHES("Act"),
                    ADD(1, DIV(SUB(DIM_HEIGHT("Act"), DIM_FILTHEIGHT("Weights")), 2)),
                    ADD(1, DIV(SUB(DIM_WIDTH("Act"), DIM_FILTWIDTH("Weights")), 2)),
                    COLUMNS,
                ),
                Op("ConvLayer.opt.im2col_stride2", "Act", gen_ShapeOf("Weights")),
            ),
        ),
        WITH_TYPE(
            "Weights",
            WITH_SIZE(
                gen_Shape(1, 1, COLUMNS, DIM_NFILTS("Weights")),
                Op("ConvLayer.opt.weights_for_im2col", "Weights"),
            ),
        ),
        gen_Shape(1, 1, 1, 1),
        "Bias",
    ),
)
MY_OP = rule(
    EARLY,
    Op("MyOp", "Input0", "Input1"),
    OK,
    Op(
        "MyOp.real",
        "Input0",
        WITH_SIZE("Input1", WITH_TYPE("Input1", Op("MyOp.AdjustInput", "Input1"))),
    ),
)
MAX_POOL = rule(
    EARLY + 4,
    Op("MaxPool_valid", "Act", "W", "S"),
    GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("MaxPool_valid", TYPICAL_SLICE("Act", "I"), "W", "S")),
)
TO_VTCM = rule(
    LATE + 900,
    Op("FastExampleOp", "in_0", "in_1", "in_2"),
    OK,
    Op(
        "FastExampleOp",
        Op(
            FROM_DEFAULT_PACKAGE("crouton_to_vtcm"),
            Op(FROM_DEFAULT_PACKAGE("ForceFormat_Crouton"), "in_0"),
        ),
        Op(
            FROM_DEFAULT_PACKAGE("flat_to_vtcm"),
            Op(FROM_DEFAULT_PACKAGE("ForceFormat_Flat"), "in_1"),
        ),
        "in_2",
    ),
)


class ExampleGraph(NativeGraph):
    """A graph that takes the ops of the packages above, too."""

    def own(self, name: str, *operands: SSAValue, out: TensorSpec) -> SSAValue:
        """An op of a user's package."""
        op = native(EXAMPLE_OPS[name], operands, out)
        self.block.add_op(op)
        return op.results[0]


def convolution(depth: int = 6) -> tuple[NativeGraph, SSAValue]:
    """A Conv2d_valid and its graph."""
    graph = ExampleGraph()
    operands = [graph.input(1, 5, 5, depth), graph.random(3, 3, depth, 4), graph.shape(1, 1, 1, 1)]
    return graph, graph.op("Conv2d_valid", *operands, out=(1, 3, 3, 4))


def test_add_of_a_bias_becomes_bias_add() -> None:
    graph = NativeGraph()
    module = graph.module(graph.op("Add", graph.input(1, 2, 2, 4), graph.input(1, 1, 1, 4)))
    assert_rewrites(module, BIAS_ADD, to="BiasAdd(x0, x1)")


@pytest.mark.parametrize("dims", [(1, 1, 2, 4), (1, 2, 1, 4), (2, 2, 2, 4), (1, 1, 1, 1)])
def test_add_of_anything_else_stays(dims: tuple[int, ...]) -> None:
    graph = NativeGraph()
    assert_stays(
        graph.module(graph.op("Add", graph.input(2, 2, 2, 4), graph.input(*dims))), BIAS_ADD
    )


def test_bias_add_and_convolution_become_a_layer() -> None:
    graph, conv = convolution()
    module = graph.module(graph.op("BiasAdd", conv, graph.input(1, 1, 1, 4)))
    assert_rewrites(
        module, CONV_LAYER, to="ConvLayer_valid(x0, const 3x3x6x4, <1x1x1x1>, x1)", firings=1
    )


def test_both_rules_work_one_after_the_other() -> None:
    graph, conv = convolution()
    module = graph.module(graph.op("Add", conv, graph.random(4)))
    assert_rewrites(module, CONV_LAYER, BIAS_ADD, firings=2)
    assert names(module) == ["ConvLayer_valid"]


def test_convolution_of_another_package_is_matched() -> None:
    graph = ExampleGraph()
    like = TensorSpec((1, 3, 3, 4), DType.Float32)
    operands = [graph.input(1, 5, 5, 6), graph.input(3, 3, 6, 4), graph.shape(1, 1, 1, 1)]
    conv = graph.own("OpPackageNo2.Conv2d_valid", *operands, out=like)
    module = graph.module(graph.op("BiasAdd", conv, graph.input(1, 1, 1, 4)))
    run_rules(module, rules(CROSS_PACKAGE, ops=EXAMPLE_OPS))
    assert formula(module) == "ConvLayer_valid(x0, x1, <1x1x1x1>, x2)"
    own_conv, conv = convolution()
    assert_stays(own_conv.module(own_conv.op("BiasAdd", conv, own_conv.random(4))), CROSS_PACKAGE)


def stem(depth: int = 3, filters: int = 32, stride: int = 2) -> ModuleOp:
    """A quantised convolution over an image."""
    graph = NativeGraph()
    act = TensorSpec((1, 9, 11, depth), DType.QUInt8, Quant((0.05,), (128,)))
    weights = TensorSpec((3, 3, depth, filters), DType.QUInt8, Quant((0.02,), (120,)))
    size = ((9 - 3) // stride + 1, (11 - 3) // stride + 1)
    out = TensorSpec((1, *size, filters), DType.QUInt8, Quant((0.1,), (100,)))
    bias = TensorSpec((1, 1, 1, filters), DType.QInt32, Quant((0.001,), (0,)))
    data = np.random.default_rng(1).integers(0, 256, weights.shape)
    operands = [
        graph.input(spec=act),
        graph.const(data, weights),
        graph.shape(1, stride, stride, 1),
        graph.const(np.arange(filters).reshape(bias.shape) * 10, bias),
    ]
    return graph.module(graph.op("ConvLayer_valid", *operands, out=out))


def test_stride_two_convolution_of_few_channels_becomes_pointwise() -> None:
    module = assert_rewrites(stem(), IM2COL, firings=1)
    assert names(module) == [
        "ConvLayer.opt.im2col_stride2",
        "ConvLayer.opt.weights_for_im2col",
        "ConvLayer_valid",
    ]
    gathered = spec_of(find(module, "ConvLayer.opt.im2col_stride2").results[0])
    assert gathered == TensorSpec((1, 4, 5, 32), DType.QUInt8, Quant((0.05,), (128,)))


@pytest.mark.parametrize("change", [{"depth": 4}, {"filters": 31}, {"stride": 1}])
def test_any_other_convolution_stays(change: dict[str, int]) -> None:
    assert_stays(stem(**change), IM2COL)


def test_adjusted_input_keeps_its_own_size_and_type() -> None:
    graph = ExampleGraph()
    second = TensorSpec((1, 1, 1, 3), DType.QUInt8, Quant((0.5,), (1,)))
    operands = [graph.input(1, 2, 2, 4), graph.input(spec=second)]
    out = TensorSpec((1, 2, 2, 4), DType.Float32)
    module = graph.module(graph.own("Example.MyOp", *operands, out=out))
    run_rules(module, rules(MY_OP, package="Example", ops=EXAMPLE_OPS))
    assert formula(module) == "Example.MyOp.real(x0, Example.MyOp.AdjustInput(x1))"
    real = next(op for op in module.walk() if op.name == "Example.MyOp.real")
    assert spec_of(real.results[0]) == out
    assert spec_of(real.operands[1]) == second


@pytest.mark.parametrize(("depth", "parts"), [(64, [32, 32]), (70, [32, 32, 6])])
def test_pool_is_split_along_its_channels(depth: int, parts: list[int]) -> None:
    graph = NativeGraph()
    operands = [graph.input(1, 4, 4, depth), graph.shape(1, 2, 2, 1), graph.shape(1, 2, 2, 1)]
    module = graph.module(graph.op("MaxPool_valid", *operands, out=(1, 2, 2, depth)))
    assert_rewrites(module, MAX_POOL, firings=1)
    assert [spec_of(part).shape[3] for part in find(module, "Concat").operands[1:]] == parts
    assert names(module) == ["Slice_shape", "MaxPool_valid"] * len(parts) + ["Concat"]


def test_rule_that_wraps_the_inputs_of_its_own_root_ends() -> None:
    graph = ExampleGraph()
    operands = [graph.input(1, 2, 4, 8) for _ in range(3)]
    out = spec_of(operands[0])
    module = graph.module(graph.own("Example.FastExampleOp", *operands, out=out))
    stats = run_rules(module, rules(TO_VTCM, package="Example", ops=EXAMPLE_OPS))
    assert stats.firings == 1
    assert formula(module) == (
        "Example.FastExampleOp(crouton_to_vtcm(ForceFormat_Crouton(x0)), "
        "flat_to_vtcm(ForceFormat_Flat(x1)), x2)"
    )


def tiles(start: Expr) -> Expr:
    """The OP_ITER example: Relu of [1, 16, 8, 32] as two halves along the height."""
    half = gen_Shape(1, 8, 8, 32)
    none = gen_Shape(0, 0, 0, 0)
    cut = Op(
        FROM_DEFAULT_PACKAGE("SlicePad_shape"),
        "In",
        none,
        gen_Shape(0, MUL(start, 8), 0, 0),
        half,
        gen_ConstScalar_f32(0.0),
    )
    return OP_ITER(
        Op(FROM_DEFAULT_PACKAGE("Concat"), gen_ConstScalar_i32(1)),
        "I",
        0,
        2,
        WITH_SIZE(half, Op("Relu", WITH_SIZE(half, cut))),
    )


def test_op_iter_example() -> None:
    tall = GT(DIM_HEIGHT("*"), 8)
    member = rule(LATE, Op("Relu", "In"), tall, tiles(SPLIT_START("I")))
    module = assert_rewrites(chain("Relu", dims=(1, 16, 8, 32)), member, firings=1)
    cut = "SlicePad_shape(x0, <0x0x0x0>, <0x{}x0x0>, <1x8x8x32>, [0.0])"
    assert formula(module) == f"Concat([1], Relu({cut.format(0)}), Relu({cut.format(8)}))"


def test_op_iter_example_on_an_op_that_is_too_small_is_an_error() -> None:
    member = rule(LATE, Op("Relu", "In"), OK, tiles(SPLIT_START("I")))
    with pytest.raises(HtpError, match=r"htp\.Concat: result 0 has shape 1x8x8x32"):
        run_rules(chain("Relu", dims=(1, 16, 8, 32)), rules(member))

"""Graphs made at random, lowered for TCMs of several sizes: neighbours that no table foresees."""

from collections.abc import Callable
from random import Random

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model

LARGEST = 40_000
"""Elements of one tensor, so that a graph runs in a moment."""

Grow = Callable[[Random, Graph, SSAValue, list[SSAValue]], SSAValue]
"""Appends one op on a value of rank 4; the values so far may serve as other operands."""

UNARY = ("Relu", "Tanh", "Sigmoid", "Gelu", "HardSwish", "ElementWiseNeg", "ElementWiseSin")
BINARY = ("ElementWiseAdd", "ElementWiseSubtract", "ElementWiseMultiply", "ElementWiseMaximum")


def shape(value: SSAValue) -> tuple[int, ...]:
    return spec_of(value).shape


def unary(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    return graph.op(random.choice(UNARY), x)


def clamp(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    return graph.op("ReluMinMax", x, min_value=-0.5, max_value=0.75)


def binary(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    _, height, _, depth = shape(x)
    others = [value for value in values if shape(value) == shape(x)]
    others += [graph.weights(depth), graph.weights(height, 1, depth)]
    operands = [x, random.choice(others)]
    random.shuffle(operands)
    return graph.op(random.choice(BINARY), *operands)


def convolution(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    _, height, width, depth = shape(x)
    taps = min(height, random.randint(1, 3)), min(width, random.randint(1, 3))
    filters = random.choice([1, 4, 32, 40])
    bias = random.choice([None, graph.weights(filters)])
    pads = [random.randint(0, 2) for _ in range(4)]
    strides = random.randint(1, 2), random.randint(1, 2)
    weights = graph.weights(*taps, depth, filters)
    return graph.op("Conv2d", x, weights, bias, stride=strides, pad_amount=pads)


def depthwise(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    _, height, width, depth = shape(x)
    weights = graph.weights(min(3, height), min(2, width), 1, depth * random.choice([1, 2]))
    return graph.op("DepthWiseConv2d", x, weights, pad_amount=(1, 0, 1, 0))


def pool(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    _, height, width, _ = shape(x)
    window = min(2, height), min(3, width)
    name = random.choice(["PoolMax2d", "PoolAvg2d"])
    strides = random.randint(1, 2), random.randint(1, 2)
    return graph.op(name, x, filter_size=window, stride=strides, pad_amount=(0, 1, 0, 1))


def batch_norm(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    depth = shape(x)[3]
    return graph.op("Batchnorm", x, graph.weights(depth), graph.weights(depth))


def concat(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    axis = random.randrange(4)

    def rest(value: SSAValue) -> tuple[int, ...]:
        return shape(value)[:axis] + shape(value)[axis + 1 :]

    others = [value for value in values if rest(value) == rest(x)]
    return graph.op("Concat", [x, *random.sample(others, min(2, len(others)))], axis=axis)


def strided_slice(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    ranges: list[int] = []
    for size in shape(x):
        begin = random.randrange(size)
        ranges += [begin, random.randint(begin + 1, size), random.choice([1, 1, 2])]
    return graph.op("StridedSlice", x, ranges=ranges)


def softmax(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    return graph.op("Softmax", x, axis=random.choice([-1, 1, 2, 3]))


def layer_norm(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    return graph.op("LayerNorm", x, graph.weights(shape(x)[3]), axes=(-1,))


def dense(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    return graph.op("FullyConnected", x, graph.weights(random.choice([3, 40]), shape(x)[3]))


def transpose(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    return graph.op("Transpose", x, perm=random.sample(range(4), 4))


def mean(random: Random, graph: Graph, x: SSAValue, values: list[SSAValue]) -> SSAValue:
    return graph.op("ReduceMean", x, axes=(1, 2), keep_dims=True)


GROWTHS: tuple[Grow, ...] = (
    *(unary, unary, clamp, binary, binary, convolution, convolution, depthwise, pool, batch_norm),
    *(concat, strided_slice, softmax, layer_norm, dense, transpose, mean),
)


def grown(seed: int) -> Model:
    """A graph of a few ops; each reads one of the last values, some earlier ones too."""
    random, graph = Random(seed), Graph()
    spatial = random.randint(3, 20), random.randint(3, 20)
    values = [graph.input(random.choice([1, 1, 2]), *spatial, random.choice([1, 3, 8, 33, 40]))]
    for _ in range(random.randint(3, 9)):
        result = random.choice(GROWTHS)(random, graph, random.choice(values[-3:]), values)
        if spec_of(result).elements <= LARGEST:
            values.append(result)
    for number, value in enumerate(values[-random.randint(1, 3) :]):
        graph.give(f"y{number}", value)
    return graph.model()


def fitting(model: Model, size: int) -> ModuleOp | None:
    """The model lowered for a TCM of this size, or None where an op does not fit."""
    try:
        return lower(model.module, tcm_bytes=size)
    except HtpError as error:
        if "bytes of TCM" in str(error):
            return None
        raise


@pytest.mark.one_per
@pytest.mark.parametrize("seed", range(10))
def test_lowering_keeps_the_numbers(seed: int) -> None:
    model = grown(seed)
    inputs = model.feeds(seed)
    expected = Session(model.module).run(inputs)
    lowered = [fitting(model, size) for size in (8 << 20, 128 << 10, 32 << 10)]
    assert lowered[0] is not None
    for module in filter(None, lowered):
        assert_same(Session(module, check=True).run(inputs), expected)

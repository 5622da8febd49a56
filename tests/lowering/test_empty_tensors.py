"""Tensors without elements and scalars run at every level."""

from collections.abc import Iterator

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same
from tests.support.graph import BOOL, I32, Graph, u8

SHAPES = ((), (0,), (4, 0), (0, 4), (2, 0, 3), (2, 3, 0, 4), (2, 3, 4, 0, 5))


def any_rank(graph: Graph, dims: tuple[int, ...]) -> Iterator[SSAValue]:
    x, stored = graph.input(*dims), graph.input(*dims, of=u8())
    yield from (graph.op(name, x) for name in ("Relu", "ElementWiseExp", "Gelu"))
    yield graph.op("ElementWiseAdd", x, graph.weights())
    yield graph.op("ElementWiseLess", x, x)
    yield graph.op("ElementWiseAdd", stored, stored, out=u8())
    yield graph.op("ElementWiseSelect", graph.input(*dims, of=BOOL), x, graph.weights())
    yield graph.op("Transpose", x, perm=range(len(dims))[::-1])
    yield graph.op("StridedSlice", x, ranges=[v for size in dims for v in (0, size, 1)])
    yield graph.op("Tile", x, multiples=[2] * len(dims))
    yield graph.op("Pad", x, pad_amount=[1] * 2 * len(dims), pad_constant_value=0.5)
    yield graph.op("Reshape", x, shape=(*dims, 1))
    yield graph.op("Gather", graph.input(3, 4), graph.input(*dims, of=I32, low=0, high=3), axis=1)


def along(graph: Graph, dims: tuple[int, ...]) -> Iterator[SSAValue]:
    x, none = graph.input(*dims), dims.index(0)
    longer = graph.input(*(size or 3 for size in dims))
    yield graph.op("Concat", [x, x], axis=0)
    yield graph.op("Concat", [x, longer], axis=none)
    yield graph.op("StridedSlice", longer, ranges=[v for size in dims for v in (0, size, 1)])
    yield graph.op("LayerNorm", x, graph.weights(dims[-1]), axes=(-1,))
    for axis in {0, none}:
        yield graph.op("Softmax", x, axis=axis)
        yield graph.op("LogSoftmax", x, axis=axis)
        yield graph.op("ReduceSum", x, axes=(axis,))
    yield graph.op("ReduceProd", x, axes=range(len(dims)))
    yield graph.op("Gather", graph.input(3, *dims), graph.const(np.array([0, 2])), axis=0)


def sums_of_nothing(graph: Graph) -> Iterator[SSAValue]:
    yield graph.op("MatMul", graph.input(3, 0), graph.input(0, 4))
    yield graph.op("MatMul", graph.input(0, 3), graph.input(3, 4))
    yield graph.op("FullyConnected", graph.input(2, 0), graph.weights(4, 0), graph.weights(4))
    image = graph.input(1, 8, 8, 0)
    yield graph.op("Conv2d", image, graph.weights(3, 3, 0, 4), graph.weights(4))
    yield graph.op("Conv2d", graph.input(1, 8, 8, 3), graph.weights(3, 3, 3, 0))
    yield graph.op("PoolMax2d", image, filter_size=(2, 2), stride=(2, 2))
    yield graph.op("Gather", graph.input(3), graph.const(np.array(1)), axis=0)


def assert_every_level_agrees(graph: Graph, values: Iterator[SSAValue]) -> None:
    for index, value in enumerate(values):
        graph.give(f"y{index}", value)
    model = graph.model()
    inputs = model.feeds(0)
    expected = Session(model.module).run(inputs)
    for level in ("native", "placed", "allocated"):
        lowered = lower(model.module, level=level)
        assert_same(Session(lowered, check=True).run(inputs), expected)


@pytest.mark.one_per
@pytest.mark.parametrize("dims", SHAPES)
def test_of_any_rank(dims: tuple[int, ...]) -> None:
    graph = Graph()
    assert_every_level_agrees(graph, any_rank(graph, dims))


@pytest.mark.one_per
@pytest.mark.parametrize("dims", SHAPES[1:])
def test_along_dims_without_elements(dims: tuple[int, ...]) -> None:
    graph = Graph()
    assert_every_level_agrees(graph, along(graph, dims))


def test_sums_of_nothing() -> None:
    graph = Graph()
    assert_every_level_agrees(graph, sums_of_nothing(graph))

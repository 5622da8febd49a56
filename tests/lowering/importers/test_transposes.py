"""Graphs of Transposes that meet, drawn at random: the walk ends, and the numbers stay."""

from math import prod
from random import Random

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering.importers.graph.transposes import cancel_transposes
from htp_mlir.runtime import Session
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...support.graph import Graph, Model


def function_of(model: Model) -> FuncOp:
    function = model.module.body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def square_and_turned(graph: Graph, value: SSAValue) -> SSAValue:
    return graph.op("ElementWiseMultiply", graph.op("Transpose", value, perm=[1, 0]), value)


def test_what_nothing_reads_ends_the_walk() -> None:
    """A product of both orders, in either of which nothing reads it."""
    graph = Graph()
    x = graph.input(2, 2)
    square_and_turned(graph, x)
    graph.give("y", graph.op("Relu", x))
    function = function_of(graph.model())
    cancel_transposes(function, {})
    assert [op.name for op in function.body.block.ops] == ["qti_aisw.Relu", "func.return"]


def test_a_constant_in_both_orders_ends_the_walk() -> None:
    graph = Graph()
    graph.give("y", square_and_turned(graph, graph.weights(2, 2)))
    model = graph.model()
    (before,) = Session(model.module).run({}).values()
    cancel_transposes(function_of(model), {})
    (after,) = Session(model.module).run({}).values()
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_slice_is_taken_before_the_order_changes(axis: int, rank: int) -> None:
    graph = Graph()
    turned = graph.op("Transpose", graph.input(4, 3, 2), perm=[2, 0, 1])
    place = graph.const(np.ones((1,) * rank, np.int32))
    graph.give("y", graph.op("Gather", turned, place, axis=axis))
    model = graph.model()
    (before,) = Session(model.module).run(model.feeds(0)).values()
    cancel_transposes(function_of(model), {})
    (after,) = Session(model.module).run(model.feeds(0)).values()
    np.testing.assert_array_equal(before, after)
    names = [op.name for op in function_of(model).body.block.ops]
    assert "qti_aisw.Transpose" not in names[: names.index("qti_aisw.Gather")]


def drawn(random: Random) -> Model:
    """A graph of Transposes, views, sums, and ops that read two values, with extents of 1."""
    graph = Graph()
    values = [graph.input(*random.choice(((2, 1, 3), (1, 2, 2), (2, 2), (4, 1, 1, 6))))]
    for _ in range(random.randint(3, 15)):
        value = random.choice((values[-1], *values))
        shape = spec_of(value).shape
        dims = range(len(shape))
        match random.randrange(5):
            case 0 | 1:
                new = graph.op("Transpose", value, perm=random.sample(dims, len(dims)))
            case 2:
                at = random.choice(dims)
                both = (*shape[:at], prod(shape[at : at + 2]), *shape[at + 2 :])
                views = [both, (*shape[:at], 1, *shape[at:]), [dim for dim in shape if dim != 1]]
                new = graph.op("Reshape", value, shape=random.choice(views) or [1])
            case 3:
                new = graph.op("ReduceSum", value, axes=[random.choice(dims)], keep_dims=True)
            case _:
                fitting = [each for each in values if _fits(spec_of(each).shape, shape)]
                new = graph.op("ElementWiseAdd", value, random.choice(fitting))
        if len(spec_of(new).shape) <= 5:
            values.append(new)
    for index, value in enumerate(values[-3:]):
        graph.give(f"y{index}", value)
    return graph.model()


def _fits(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    pairs = zip(reversed(shape), reversed(other), strict=False)
    return all(a == b or 1 in (a, b) for a, b in pairs)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_drawn_graphs_keep_their_numbers(first: int) -> None:
    for seed in range(first, first + 50):
        model = drawn(Random(f"transposes {seed}"))
        feeds = model.feeds(seed)
        before = Session(model.module).run(feeds)
        cancel_transposes(function_of(model), {})
        model.module.verify()
        after = Session(model.module).run(feeds)
        for name, numbers in before.items():
            np.testing.assert_allclose(
                after[name], numbers, rtol=1e-4, atol=1e-5, err_msg=f"{seed}"
            )

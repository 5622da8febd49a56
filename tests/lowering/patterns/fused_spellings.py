"""Small graphs that spell out losses, attention to pages, and routed experts."""

from collections.abc import Callable
from functools import partial
from itertools import product
from math import prod

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.graph import I32, Graph

from .spellings import over, plus, times

ROWS, DEPTH = 4, 5


def body(reduction: str, ignored: int | None, behind: tuple[int, ...]) -> ModuleOp:
    """The body of ONNX's NegativeLogLikelihoodLoss behind a LogSoftmax, as it is imported."""
    graph, shape = Graph(), (ROWS, *behind)
    one, all_dims = prod(behind), tuple(range(len(shape)))
    x, targets = graph.input(ROWS, DEPTH, *behind), graph.input(*shape, of=I32, low=0, high=DEPTH)
    column = rows = graph.op("Reshape", targets, shape=(ROWS, 1, *behind))
    if ignored is not None:
        mask = graph.op("ElementWiseEqual", rows, graph.const([ignored], I32))
        column = graph.op(
            "ElementWiseSelect", mask, graph.op("ElementWiseSubtract", rows, rows), rows
        )
    below = graph.op("ElementWiseLess", column, graph.const(0, I32))
    turned = graph.op("ElementWiseAdd", column, graph.const(DEPTH, I32))
    places = graph.op("ElementWiseSelect", below, turned, column)
    places = graph.op("ElementWiseMultiply", places, graph.const(one, I32))
    begins = np.arange(ROWS * DEPTH * one).reshape(ROWS, DEPTH, *behind)[:, :1]
    places = graph.op("ElementWiseAdd", places, graph.const(begins, I32))
    flat = graph.op("Reshape", graph.op("LogSoftmax", x, axis=1), shape=(ROWS * DEPTH * one,))
    value = graph.op("Gather", flat, places, axis=0)
    nothing, whole = graph.const([0.0]), graph.const([1.0])
    if ignored is not None:
        value = graph.op("ElementWiseSelect", mask, nothing, value)
    ranges = [part for extent in (ROWS, 1, *behind) for part in (0, extent, 1)]
    value = graph.op("StridedSlice", graph.op("ElementWiseNeg", value), ranges=ranges)
    value = weights = graph.op("Reshape", value, shape=shape)
    if ignored is not None:
        flags = graph.op("Reshape", mask, shape=shape)
        weights = graph.op("ElementWiseSelect", flags, nothing, whole)
        value = graph.op("ElementWiseMultiply", value, weights)
    if reduction == "mean" and ignored is not None:
        total, count = (graph.op("ReduceSum", each, axes=all_dims) for each in (value, weights))
        value = graph.op("ElementWiseDivide", total, count)
    elif reduction != "none":
        value = graph.op(f"Reduce{reduction.capitalize()}", value, axes=all_dims)
    graph.give("loss", value)
    return graph.model().module


def picked(graph: Graph) -> SSAValue:
    """The logarithms of the probabilities of targets, as a GatherElements is imported."""
    x, targets = graph.input(ROWS, DEPTH), graph.input(ROWS, of=I32, low=-DEPTH, high=DEPTH)
    column = graph.op("Reshape", targets, shape=(ROWS, 1))
    below = graph.op("ElementWiseLess", column, graph.const(0, I32))
    turned = graph.op("ElementWiseAdd", column, graph.const(DEPTH, I32))
    places = graph.op("ElementWiseSelect", below, turned, column)
    places = graph.op("ElementWiseMultiply", places, graph.const(1, I32))
    begins = graph.const(np.arange(0, ROWS * DEPTH, DEPTH)[:, np.newaxis], I32)
    places = graph.op("ElementWiseAdd", places, begins)
    flat = graph.op("Reshape", graph.op("LogSoftmax", x), shape=(ROWS * DEPTH,))
    return graph.op("Gather", flat, places, axis=0)


def loss(kind: str, squeezed: bool, negative_first: bool) -> ModuleOp:
    """A loss of each row, or their mean or sum, which is made positive before or after."""
    graph = Graph()
    value = picked(graph)
    if squeezed:
        value = graph.op("Reshape", value, shape=(ROWS,))
    axes = (0,) if squeezed else (0, 1)
    steps = [partial(graph.op, "ElementWiseNeg")]
    if kind != "Rows":
        reduce = partial(graph.op, f"Reduce{kind}", axes=axes)
        steps.insert(1 if negative_first else 0, reduce)
    for step in steps:
        value = step(value)
    graph.give("loss", value)
    return graph.model().module


def paged(masked: bool) -> ModuleOp:
    """An attention to the keys and values of pages that a table names."""
    graph = Graph()
    q, table = graph.input(2, 4, 3, 6), graph.input(2, 3, of=I32, low=0, high=5)
    gathered = [graph.op("Gather", graph.input(5, 4, 2, depth), table, axis=0) for depth in (6, 7)]
    keys, values = (
        graph.op("Transpose", graph.op("Reshape", each, shape=(2, 12, 2, depth)), perm=(0, 2, 1, 3))
        for each, depth in zip(gathered, (6, 7), strict=True)
    )
    mask = [graph.input(12)] if masked else []
    graph.give("y", graph.op("Attention", q, keys, values, *mask, scale=0.4))
    return graph.model().module


def wired(shared: bool, order: tuple[int, ...], columns: bool, turned: bool) -> ModuleOp:
    """Rows times the matrices that places take from a stack, as Einsum is imported."""
    graph = Graph()
    t, k, d, f = 3, 2, 5, 4
    x = graph.input(*((t, d) if shared else (t, k, d)))
    places = graph.input(t, k, of=I32, low=0, high=6)
    matrices = graph.op("Gather", graph.weights(6, *((f, d) if turned else (d, f))), places, axis=0)
    if order:
        matrices = graph.op("Transpose", matrices, perm=order)
    batch, side = (t, k * f) if shared else (t * k, f)
    sides = [(x, (batch, 1, d)), (matrices, (batch, d, side))]
    if columns:
        sides = [(matrices, (batch, side, d)), (x, (batch, d, 1))]
    factors = [graph.op("Reshape", value, shape=shape) for value, shape in sides]
    graph.give("y", graph.op("Reshape", graph.op("MatMul", *factors), shape=(t, k, f)))
    return graph.model().module


def routed(graph: Graph, scores: SSAValue, routing: str) -> tuple[SSAValue, SSAValue]:
    """The weights and the places of the two best experts."""
    if routing != "chosen":
        scores = graph.op("Softmax", scores)
    weights, places = graph.ops("TopK", scores, k=2)
    if routing == "chosen":
        weights = graph.op("Softmax", weights)
    if routing == "shared":
        total = graph.op("ReduceSum", weights, axes=(1,), keep_dims=True)
        weights = over(graph, weights, total)
    return weights, graph.op("Cast", places, to=I32)


def experts(routing: str, activation: str, gated: bool, by_product: bool) -> ModuleOp:
    """Each row through its two experts, and their weighted sum."""
    graph = Graph()
    x, scores = graph.input(3, 5), graph.input(3, 6)
    weights, places = routed(graph, scores, routing)

    def multiplied(data: SSAValue, dims: tuple[int, ...], width: int) -> SSAValue:
        rows = graph.op("Reshape", data, shape=dims)
        stack = graph.weights(6, dims[-1], width)
        chosen = graph.op("MatMul", rows, graph.op("Gather", stack, places, axis=0))
        return graph.op("Reshape", chosen, shape=(3, 2, width))

    inner = graph.op(activation, multiplied(x, (3, 1, 1, 5), 4))
    if gated:
        inner = times(graph, inner, multiplied(x, (3, 1, 1, 5), 4))
    results = multiplied(inner, (3, 2, 1, 4), 7)
    column = graph.op("Reshape", weights, shape=(3, 2, 1))
    if by_product:
        turned = graph.op("Transpose", results, perm=(0, 2, 1))
        out = graph.op("Reshape", graph.op("MatMul", turned, column), shape=(3, 7))
    else:
        out = graph.op("ReduceSum", times(graph, column, results), axes=(1,))
    graph.give("y", plus(graph, out, 0.0))
    return graph.model().module


_TRUTHS = (False, True)
_WIRINGS = (
    (True, (0, 2, 1, 3), False, False),
    (True, (0, 3, 1, 2), False, True),
    (True, (), True, True),
    (False, (), False, False),
    (False, (0, 1, 3, 2), False, True),
    (False, (), True, True),
)
_EXPERTS = (("Swish", True), ("Gelu", True), ("Gelu", False), ("Relu", False))

FUSED: dict[str, Callable[[], ModuleOp]] = {
    **{
        f"loss, {kind}, squeezed {squeezed}, negative first {first}": partial(
            loss, kind, squeezed, first
        )
        for kind, squeezed, first in product(("Mean", "Sum", "Rows"), _TRUTHS, _TRUTHS)
    },
    **{
        f"loss of ONNX, {reduction}, ignored {ignored}, behind {behind}": partial(
            body, reduction, ignored, behind
        )
        for reduction, ignored, behind in product(("none", "mean", "sum"), (None, 2), ((), (3,)))
    },
    **{f"paged, masked {masked}": partial(paged, masked) for masked in _TRUTHS},
    **{f"wired, {number}": partial(wired, *wiring) for number, wiring in enumerate(_WIRINGS)},
    **{
        f"experts, {routing}, {activation}, gated {gated}, by product {by_product}": partial(
            experts, routing, activation, gated, by_product
        )
        for routing, (activation, gated), by_product in product(
            ("all", "shared", "chosen"), _EXPERTS, _TRUTHS
        )
    },
}
"""The module of each spelling."""

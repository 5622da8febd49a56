"""Small graphs that spell out recurrent cells, for every rule that finds one."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.graph import Graph

from .spellings import plus, times

BATCH, INPUTS, HIDDEN = 2, 5, 3


def projected(graph: Graph, data: SSAValue, inputs: int, gates: int, matrix: bool) -> SSAValue:
    """Rows times a constant matrix, with a bias where the op has one."""
    rows = gates * HIDDEN
    if matrix:
        return graph.op("MatMul", data, graph.weights(inputs, rows))
    return graph.op("FullyConnected", data, graph.weights(rows, inputs), graph.weights(rows))


def parts(graph: Graph, source: SSAValue, gates: int, slices: bool) -> Sequence[SSAValue]:
    """The gates of a projection."""
    ends = [n * HIDDEN for n in range(gates + 1)]
    if not slices:
        return graph.ops("Split", source, axis=1, split_index=ends[1:-1])
    return [
        graph.op("StridedSlice", source, ranges=(0, BATCH, 1, n, n + HIDDEN, 1)) for n in ends[:-1]
    ]


def lstm(slices: bool, of_input: bool, of_state: bool) -> ModuleOp:
    """An Lstm, whose second state another op reads before the first is there."""
    graph = Graph()
    x, h, c = (graph.input(BATCH, n) for n in (INPUTS, HIDDEN, HIDDEN))
    new, old = projected(graph, x, INPUTS, 4, of_input), projected(graph, h, HIDDEN, 4, of_state)
    return mixed_cell(graph, parts(graph, plus(graph, old, new), 4, slices), c)


def first_lstm(slices: bool, of_input: bool) -> ModuleOp:
    """An Lstm of which the product with the state is a constant, its bias in each row."""
    graph = Graph()
    new = projected(graph, graph.input(BATCH, INPUTS), INPUTS, 4, of_input)
    old = graph.const([np.linspace(-1, 1, 4 * HIDDEN)] * BATCH)
    gates = parts(graph, plus(graph, old, new), 4, slices)
    return mixed_cell(graph, gates, graph.const(np.zeros((BATCH, HIDDEN))))


def mixed_cell(graph: Graph, gates: Sequence[SSAValue], c: SSAValue) -> ModuleOp:
    """The states of an Lstm with the gates f, i, o and g."""
    f, i, o, g = gates
    f, i, o = (graph.op("Sigmoid", gate) for gate in (f, i, o))
    c = plus(graph, times(graph, c, f), times(graph, graph.op("Tanh", g), i))
    graph.give("c", graph.op("ElementWiseNeg", c))
    graph.give("h", times(graph, o, graph.op("Tanh", c)))
    return graph.model().module


def gru(slices: bool, of_input: bool, of_state: bool, kept: bool) -> ModuleOp:
    """A Gru, which mixes its states with z and 1 - z, or adds what z keeps."""
    graph = Graph()
    x, h = graph.input(BATCH, INPUTS), graph.input(BATCH, HIDDEN)
    new, old = projected(graph, x, INPUTS, 3, of_input), projected(graph, h, HIDDEN, 3, of_state)
    (r, z, n), (rh, zh, nh) = (parts(graph, each, 3, slices) for each in (new, old))
    r, z = (graph.op("Sigmoid", plus(graph, a, b)) for a, b in ((r, rh), (z, zh)))
    n = graph.op("Tanh", plus(graph, n, times(graph, r, nh)))
    return mixed_states(graph, h, z, n, kept)


def first_gru(slices: bool, of_input: bool) -> ModuleOp:
    """A Gru of which the parts of the product with the state are constants."""
    graph = Graph()
    new = projected(graph, graph.input(BATCH, INPUTS), INPUTS, 3, of_input)
    r, z, n = parts(graph, new, 3, slices)
    rh, zh, nh = (graph.const([[number, 0.3, -0.2]] * BATCH) for number in (0.1, 0.4, 0.7))
    r, z = (graph.op("Sigmoid", plus(graph, a, b)) for a, b in ((r, rh), (z, zh)))
    n = graph.op("Tanh", plus(graph, n, times(graph, r, nh)))
    return mixed_states(graph, graph.const(np.zeros((BATCH, HIDDEN))), z, n, kept=True)


def gru_of_reset(slices: bool, matrix: bool, kept: bool) -> ModuleOp:
    """A Gru that resets its state in front of the product."""
    graph = Graph()
    x, h = graph.input(BATCH, INPUTS), graph.input(BATCH, HIDDEN)
    new, old = projected(graph, x, INPUTS, 3, matrix), projected(graph, h, HIDDEN, 2, matrix)
    (r, z, n), (zh, rh) = parts(graph, new, 3, slices), parts(graph, old, 2, slices)
    r, z = (graph.op("Sigmoid", plus(graph, a, b)) for a, b in ((r, rh), (z, zh)))
    n = plus(graph, n, projected(graph, times(graph, r, h), HIDDEN, 1, matrix))
    return mixed_states(graph, h, z, graph.op("Tanh", n), kept)


def mixed_states(graph: Graph, h: SSAValue, z: SSAValue, n: SSAValue, kept: bool) -> ModuleOp:
    """The state of a Gru: what z keeps and the new one times 1 - z, in two forms."""
    if kept:
        y = plus(graph, times(graph, graph.op("ElementWiseSubtract", h, n), z), n)
    else:
        rest = graph.op("ElementWiseSubtract", graph.const(1.0), z)
        y = plus(graph, times(graph, rest, n), times(graph, z, h))
    graph.give("y", y)
    return graph.model().module


CELLS: dict[str, Callable[[], ModuleOp]] = {
    **{f"lstm {way}": partial(lstm, *way) for way in product((True, False), repeat=3)},
    **{f"gru {way}": partial(gru, *way) for way in product((True, False), repeat=4)},
    **{f"first lstm {way}": partial(first_lstm, *way) for way in product((True, False), repeat=2)},
    **{f"first gru {way}": partial(first_gru, *way) for way in product((True, False), repeat=2)},
    **{
        f"gru of reset {way}": partial(gru_of_reset, *way)
        for way in product((True, False), repeat=3)
    },
}
"""The module of each spelling."""

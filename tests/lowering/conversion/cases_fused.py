"""Losses, experts and Adam: every reduction, axis, routing, activation and decay, f16."""

from collections.abc import Callable
from itertools import product

from htp_mlir.dialects.qti_aisw.ops.experts import ACTIVATIONS, ROUTINGS
from htp_mlir.dialects.qti_aisw.ops.losses import REDUCTIONS

from tests.support.graph import F16, F32, I32, Graph, Model


def losses() -> Model:
    graph = Graph()
    for dims, axis in (((7,), 0), ((5, 7), -1), ((2, 7, 5), 1), ((7, 2, 3, 2), 0)):
        targets = tuple(n for dim, n in enumerate(dims) if dim != axis % len(dims))
        x = graph.input(*dims)
        # From one before the last to one behind it: what is not there has no loss.
        places = graph.input(*targets, of=I32, low=-7, high=9)
        for code, name in enumerate(REDUCTIONS):
            params = {"axis": axis, "reduction": code}
            plain = graph.op("SoftmaxCrossEntropy", x, places, **params)
            graph.give(f"{dims}, {name}", plain)
            ignored = graph.op("SoftmaxCrossEntropy", x, places, ignored=2, **params)
            graph.give(f"{dims}, {name}, ignored", ignored)
    half = graph.input(6, 9, of=F16)
    places = graph.input(6, of=I32, low=0, high=9)
    graph.give("f16", graph.op("SoftmaxCrossEntropy", half, places, reduction=1))
    return graph.model()


def experts() -> Model:
    graph = Graph()
    x, scores = graph.input(6, 8), graph.input(6, 4)
    up, down, gate = graph.weights(4, 8, 5), graph.weights(4, 5, 7), graph.weights(4, 8, 5)
    for activation, routing in product(range(len(ACTIVATIONS)), range(len(ROUTINGS))):
        for operands in ((), (gate,)):
            out = graph.op(
                *("RoutedExperts", x, scores, up, down, *operands),
                **{"k": 1 + routing, "activation": activation, "routing": routing},
            )
            graph.give(f"{activation}, {routing}, {len(operands)}", out)
    half = [graph.input(*dims, of=F16) for dims in ((3, 4), (3, 2), (2, 4, 5), (2, 5, 4))]
    graph.give("f16", graph.op("RoutedExperts", *half, k=2))
    return graph.model()


def steps() -> Model:
    graph = Graph()
    for dims, of in (((3, 5), F32), ((2, 3, 2, 4), F32), ((4,), F16), ((), F32), ((0, 3), F32)):
        x, g, m = (graph.input(*dims, of=of) for _ in range(3))
        v, top = (graph.input(*dims, of=of, low=0.1) for _ in range(2))
        rate, number = graph.input(low=0.01, high=0.1), graph.input(1, low=1, high=9)
        for largest, decoupled in product((None, top), (False, True)):
            params = {"weight_decay": 0.1} | ({"decoupled": True} if decoupled else {})
            results = graph.ops("Adam", x, g, m, v, rate, number, largest, **params)
            for place, result in enumerate(results):
                graph.give(f"{dims}, {largest is None}, {decoupled}, {place}", result)
    first = graph.op("Adam", x, g, m, v, rate, graph.const(0.0), epsilon_hat=True)
    graph.give("nothing corrected", first)
    return graph.model()


CASES: dict[str, Callable[[], Model]] = {
    "SoftmaxCrossEntropy": losses,
    "RoutedExperts": experts,
    "Adam": steps,
}
"""What makes each model, by its op."""

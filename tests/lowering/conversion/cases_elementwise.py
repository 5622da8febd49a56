"""Element-wise graph ops and activations: every rank, every kind of element, broadcasting."""

from collections.abc import Callable
from functools import partial

from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.qti_aisw.guards import Kind
from htp_mlir.dialects.qti_aisw.ops.elementwise import Binary, Unary
from htp_mlir.dialects.value.dtypes import DType

from tests.support.graph import BOOL, F16, I32, Graph, Model, u8

_POSITIVE = {
    "ElementWiseLog",
    "ElementWiseSquareRoot",
    "ElementWiseRsqrt",
    "ElementWiseReciprocal",
    "ElementWisePower",
    "ElementWiseDivide",
    "ElementWiseMod",
}
"""Ops that are defined, or tame, above 0 only."""

_SHAPES = ((), (5,), (3, 5), (2, 3, 5), (2, 3, 4, 5))
_PAIRS = (
    ((2, 3, 4, 5), (2, 3, 4, 5)),
    ((3, 4), (2, 1, 1, 4)),
    ((2, 3, 4, 5), (5,)),
    ((1, 4, 1), (3, 1, 5)),
    ((), (3, 2)),
    ((4,), (4,)),
)


def _low(name: str) -> float:
    return 0.25 if name in _POSITIVE else -2


def unary(name: str, **params: float) -> Model:
    """An op of one operand."""
    graph, kind = Graph(), GRAPH_OPS[name].KIND
    low = _low(name)
    element = {Kind.LOGIC: BOOL}.get(kind)
    for dims in _SHAPES:
        x = graph.input(*dims, of=element) if element else graph.input(*dims, low=low)
        graph.give(f"rank {len(dims)}", graph.op(name, x, **params))
    if kind is not Kind.LOGIC:
        half = graph.input(2, 5, of=F16, low=low)
        graph.give("f16", graph.op(name, half, **params))
        small = graph.input(3, 7, of=u8(0.05, 0 if low > 0 else 128))
        graph.give("u8", graph.op(name, small, out=u8(0.04, 100), **params))
    if kind in (Kind.NUMBER, Kind.LOGIC):
        graph.give("i32", graph.op(name, graph.input(3, 4, of=I32, low=-9, high=9), **params))
    return graph.model()


def binary(name: str) -> Model:
    """An op of two operands that broadcast."""
    graph, op = Graph(), GRAPH_OPS[name]
    low = _low(name)
    element = {Kind.LOGIC: BOOL}.get(op.KIND)
    for left, right in _PAIRS:
        a, b = (
            graph.input(*dims, of=element) if element else graph.input(*dims, low=low)
            for dims in (left, right)
        )
        shown = " and ".join("x".join(map(str, dims)) or "scalar" for dims in (left, right))
        graph.give(shown, graph.op(name, a, b))
    if element is None:
        _other_elements(graph, name, low)
    else:
        for dtype in (I32, DType.UInt16):
            words = (graph.input(*dims, of=dtype, low=0, high=99) for dims in ((3, 4), (4,)))
            graph.give(dtype.name, graph.op(name, *words))
    return graph.model()


def _other_elements(graph: Graph, name: str, low: float) -> None:
    x = graph.input(2, 3, 5, low=low)
    graph.give("constant right", graph.op(name, x, graph.const([0.5, 1.0, 1.5, 0.25, 2.0])))
    graph.give("constant left", graph.op(name, graph.const([0.5, 1.0, 1.5, 0.25, 2.0]), x))
    halves = (graph.input(2, 5, of=F16, low=low), graph.input(2, 5, of=F16, low=low))
    graph.give("f16", graph.op(name, *halves))
    first = 1 if low > 0 else -3
    ints = (graph.input(3, 4, of=I32, low=first, high=4) for _ in range(2))
    graph.give("i32", graph.op(name, *ints))
    zero = 0 if low > 0 else 128
    a, b = graph.input(3, 4, of=u8(0.05, zero)), graph.input(4, of=u8(0.02, zero))
    compares = GRAPH_OPS[name].RESULT is BOOL
    graph.give("u8", graph.op(name, a, b, out=None if compares else u8(0.04, 60)))


def select() -> Model:
    graph = Graph()
    for condition, left, right in (
        ((2, 3, 4, 5), (2, 3, 4, 5), (2, 3, 4, 5)),
        ((4, 1), (2, 3, 4, 5), (5,)),
        ((3,), (3,), ()),
    ):
        c = graph.input(*condition, of=BOOL)
        a, b = graph.input(*left), graph.input(*right)
        graph.give(f"rank {len(left)}", graph.op("ElementWiseSelect", c, a, b))
    for name, element in (("i32", I32), ("u8", u8()), ("f16", F16)):
        data = (graph.input(4, 3, of=element, low=-9, high=9) for _ in range(2))
        graph.give(name, graph.op("ElementWiseSelect", graph.input(4, 3, of=BOOL), *data))
    return graph.model()


def prelu() -> Model:
    graph = Graph()
    x = graph.input(2, 3, 4, 5)
    graph.give("per channel", graph.op("Prelu", x, graph.weights(5)))
    graph.give("per element", graph.op("Prelu", x, graph.weights(3, 4, 5)))
    graph.give("rank 1", graph.op("Prelu", graph.input(5), graph.weights()))
    small = graph.input(3, 7, of=u8())
    graph.give("u8", graph.op("Prelu", small, graph.weights(7, of=u8(0.01)), out=u8(0.04)))
    return graph.model()


_PARAMS: dict[str, tuple[dict[str, float], ...]] = {
    "Elu": ({}, {"alpha": 0.5}),
    "LeakyRelu": ({}, {"alpha": 0.3}),
    "Swish": ({}, {"alpha": 1.7}),
    "ReluMinMax": ({"min_value": -0.5, "max_value": 1.0},),
}


def _cases() -> dict[str, Callable[[], Model]]:
    models: dict[str, Callable[[], Model]] = {}
    for name, op in GRAPH_OPS.items():
        if issubclass(op, Binary):
            models[name] = partial(binary, name)
        elif issubclass(op, Unary) and "Softmax" not in name:
            for number, params in enumerate(_PARAMS.get(name, ({},))):
                models[f"{name} {number}" if number else name] = partial(unary, name, **params)
    return models


CASES: dict[str, Callable[[], Model]] = {
    **_cases(),
    "ElementWiseSelect": select,
    "Prelu": prelu,
}
"""What makes each model; the op is the first word of the key."""

"""Recurrent layers, with and without state: both ways, all optional inputs, all params."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from htp_mlir.dialects.qti_aisw.choices import Direction
from htp_mlir.dialects.spec_of import Array
from xdsl.ir import SSAValue

from tests.support.graph import BOOL, F16, F32, I32, Element, Graph, Model

SEQUENCE, BATCH, INPUTS, HIDDEN = 5, 2, 3, 4
GATES = {"Lstm": 4, "Gru": 3}
INPUTS_OF = {
    "Lstm": ("B", "sequence_lens", "initial_h", "initial_c", "P"),
    "Gru": ("B", "sequence_lens", "initial_h"),
}
RESULTS = ("Y", "Y_h", "Y_c")
SWITCH = {"Lstm": "input_forget", "Gru": "linear_before_reset"}


def reset_now_and_then(generator: np.random.Generator) -> Array:
    """True in about one inference of four."""
    return np.asarray(generator.integers(0, 4) == 0)


def _given(graph: Graph, name: str, directions: int, of: Element) -> SSAValue:
    gates = GATES["Gru"] if name == "B of Gru" else GATES["Lstm"]
    match name.partition(" ")[0]:
        case "B":
            return graph.weights(directions, 2 * gates * HIDDEN, of=of)
        case "P":
            return graph.weights(directions, 3 * HIDDEN, of=of)
        case "sequence_lens":
            return graph.input(BATCH, of=I32, low=0, high=SEQUENCE + 1)
        case _:
            return graph.input(directions, BATCH, HIDDEN, of=of)


def _layer(
    graph: Graph,
    label: str,
    kind: str,
    optional: tuple[str, ...] = (),
    of: Element = F32,
    reset: SSAValue | None = None,
    stateful: bool = False,
    **params: float | Direction,
) -> None:
    """One layer with the inputs in `optional`, all of its results as outputs."""
    directions = params.get("direction", Direction.FORWARD).directions
    gates = GATES[kind]
    operands: list[SSAValue | None] = [
        graph.input(SEQUENCE, BATCH, INPUTS, of=of),
        graph.weights(directions, gates * HIDDEN, INPUTS, of=of),
        graph.weights(directions, gates * HIDDEN, HIDDEN, of=of),
    ]
    for name in INPUTS_OF[kind]:
        wanted = f"{name} of {kind}" if name == "B" else name
        operands.append(_given(graph, wanted, directions, of) if name in optional else None)
    name = f"Stateful{kind}" if stateful else kind
    values = graph.ops(
        name, *operands, *([reset] if stateful else []), hidden_size=HIDDEN, **params
    )
    for role, value in zip(RESULTS, values, strict=False):
        graph.give(f"{label}: {role}", value)


def _variants(kind: str) -> Mapping[str, Mapping[str, object]]:
    return {
        "plain": {},
        "all inputs": {"optional": INPUTS_OF[kind]},
        "lengths only": {"optional": ("sequence_lens",)},
        "start only": {"optional": ("initial_h",)},
        "reverse": {"optional": INPUTS_OF[kind], "direction": Direction.REVERSE},
        "both ways": {"optional": INPUTS_OF[kind], "direction": Direction.BIDIRECTIONAL},
        "clip": {"optional": ("B",), "clip": 0.2},
        "switch": {"optional": ("B",), SWITCH[kind]: 1},
        "f16": {"optional": ("B",), "of": F16},
    }


def stateless(kind: str) -> Model:
    graph = Graph()
    for label, options in _variants(kind).items():
        _layer(graph, label, kind, **options)
    if kind == "Lstm":
        _layer(graph, "peepholes", kind, ("P",), direction=Direction.BIDIRECTIONAL, clip=0.4)
    return graph.model()


def stateful(kind: str) -> Model:
    """Layers with a reset of rank 0 and of rank 1, and without any."""
    graph = Graph()
    scalar = graph.input(of=BOOL, draw=reset_now_and_then)
    single = graph.input(1, of=BOOL, draw=lambda generator: reset_now_and_then(generator)[None])
    for index, (label, options) in enumerate(_variants(kind).items()):
        reset = (scalar, single, None)[index % 3]
        _layer(graph, label, kind, reset=reset, stateful=True, **options)
    return graph.model()


CASES: dict[str, Callable[[], Model]] = {
    **{kind: partial(stateless, kind) for kind in GATES},
    **{f"Stateful{kind}": partial(stateful, kind) for kind in GATES},
}
"""What makes each model; the op is the first word of the key."""

"""LSTM and GRU, and the block ops that keep their state. Source: ONNX operator spec, QAIRT."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .....dialects.qti_aisw.choices import Direction, DirectionAttr
from ...graph.emitter import Param
from ..support.context import NodeContext
from ..support.registry import Importer, ImporterSet
from .blocks import BLOCK_OPS

ONNX = ImporterSet(keeps_stored=False)

_ACTIVATIONS = {"Lstm": ("sigmoid", "tanh", "tanh"), "Gru": ("sigmoid", "tanh")}
_SWITCH = {"Lstm": "input_forget", "Gru": "linear_before_reset"}
_ORDER = {
    # Graph op operands as positions among the node's inputs.
    "Lstm": (0, 1, 2, 3, 4, 5, 6, 7),
    "Gru": (0, 1, 2, 3, 4, 5),
}


def recurrent(kind: str, *, stateful: bool = False) -> Importer:
    """LSTM or GRU; the stateful block ops take a reset behind the other inputs."""
    name = f"Stateful{kind}" if stateful else kind

    def apply(ctx: NodeContext) -> list[SSAValue]:
        inputs = _ORDER[kind]
        operands = [ctx.value(i) if i < 3 else ctx.optional(i) for i in inputs]
        if stateful:
            operands.append(ctx.optional(len(inputs)))
        return ctx.emit_all(name, *operands, **_params(ctx, kind))

    return apply


def _params(ctx: NodeContext, kind: str) -> dict[str, Param]:
    _check_activations(ctx, _ACTIVATIONS[kind])
    ctx.only("layout", 0)
    weights = ctx.shape(ctx.value(2))
    ctx.require(len(weights) == 3, f"input 2 has rank {len(weights)}, it must be 3")
    hidden = ctx.integer("hidden_size", weights[-1])
    direction = ctx.text("direction", Direction.FORWARD.value)
    known = [each.value for each in Direction]
    problem = f"attribute 'direction' is {direction}"
    ctx.require(direction in known, problem, f"use {', '.join(known)}")
    return {
        "hidden_size": hidden,
        "direction": DirectionAttr(Direction(direction)),
        "clip": ctx.optional_real("clip"),
        _SWITCH[kind]: ctx.integer(_SWITCH[kind], 0),
    }


def _check_activations(ctx: NodeContext, default: Sequence[str]) -> None:
    activations = ctx.texts("activations")
    wanted = list(default) * (len(activations) // len(default) or 1)
    ctx.require(
        not activations or [name.lower() for name in activations] == wanted,
        f"attribute 'activations' is {', '.join(activations)}",
        f"only the default is supported: {', '.join(default)} for each direction",
    )


for _kind in ("Lstm", "Gru"):
    ONNX.importer(_kind.upper())(recurrent(_kind))
    ONNX.importer(f"Stateful{_kind}", domain=BLOCK_OPS)(recurrent(_kind, stateful=True))

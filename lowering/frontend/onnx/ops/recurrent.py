"""RNN, LSTM and GRU, and the block ops that keep their state. Source: ONNX operator spec, QAIRT."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .....dialects.qti_aisw.choices import Direction, DirectionAttr
from ...graph.emitter import Param
from ..support.context import NodeContext
from ..support.registry import BLOCK_OPS, Importer, ImporterSet
from .recurrence.activations import Activation, read_activations
from .recurrence.layer import KINDS, Layer, RecurrentKind
from .recurrence.unrolled import gru_of_rnn, unrolled

ONNX = ImporterSet(keeps_stored=False)


def recurrent(kind: RecurrentKind) -> Importer:
    """RNN, LSTM or GRU: one graph op, or one step after the other where none is like it."""

    def apply(ctx: NodeContext) -> list[SSAValue]:
        ctx.only("layout", 0, 1)
        batch_first = bool(ctx.integer("layout"))
        layer = _layer(ctx, kind, batch_first)
        results = _results(layer, _activations(layer))
        if not batch_first:
            return results
        # Y is [batch, seq, dir, hidden], a state [batch, dir, hidden].
        states = (ctx.transpose(state, (1, 0, 2)) for state in results[1:])
        return [ctx.transpose(results[0], (2, 0, 1, 3)), *states]

    return apply


def _results(layer: Layer, functions: Sequence[Activation]) -> list[SSAValue]:
    if not layer.is_default(functions):
        return unrolled(layer, functions)
    if layer.kind.graph_op:
        return layer.ctx.emit_all(layer.kind.graph_op, *layer.operands, **_params(layer))
    return gru_of_rnn(layer) if layer.clip is None else unrolled(layer, functions)


def stateful(kind: RecurrentKind) -> Importer:
    """A stateful block op, which takes a reset behind the other inputs."""

    def apply(ctx: NodeContext) -> list[SSAValue]:
        ctx.only("layout", 0)
        layer = _layer(ctx, kind, batch_first=False)
        ctx.require(
            layer.is_default(_activations(layer)),
            f"attribute 'activations' is {', '.join(ctx.texts('activations'))}",
            f"only the default is supported: {', '.join(kind.activations)} for each direction",
        )
        reset = ctx.optional(len(layer.operands))
        return ctx.emit_all(f"Stateful{kind.graph_op}", *layer.operands, reset, **_params(layer))

    return apply


def _layer(ctx: NodeContext, kind: RecurrentKind, batch_first: bool) -> Layer:
    x, w, r = (ctx.value(index) for index in range(3))
    optional = {role: ctx.optional(i) for i, role in enumerate(kind.inputs) if i > 2}
    ctx.require(len(ctx.shape(r)) == 3, f"input 2 has rank {len(ctx.shape(r))}, it must be 3")
    if batch_first:
        x = ctx.transpose(x, (1, 0, 2))
        for role, value in optional.items():
            if value is not None and role.startswith("initial"):
                optional[role] = ctx.transpose(value, (1, 0, 2))
    direction = ctx.text("direction", Direction.FORWARD.value)
    known = [each.value for each in Direction]
    problem = f"attribute 'direction' is {direction}"
    ctx.require(direction in known, problem, f"use {', '.join(known)}")
    hidden = ctx.integer("hidden_size", ctx.shape(r)[-1])
    clip, switch = ctx.optional_real("clip"), kind.switch and ctx.integer(kind.switch)
    return Layer(ctx, kind, x, w, r, optional, hidden, Direction(direction), clip, switch or 0)


def _activations(layer: Layer) -> tuple[Activation, ...]:
    return read_activations(layer.ctx, layer.kind.activations, layer.direction.directions)


def _params(layer: Layer) -> dict[str, Param]:
    return {
        "hidden_size": layer.hidden,
        "direction": DirectionAttr(layer.direction),
        "clip": layer.clip,
        layer.kind.switch: layer.switch,
    }


for _name, _kind in KINDS.items():
    ONNX.importer(_name)(recurrent(_kind))
    if _kind.graph_op:
        ONNX.importer(f"Stateful{_kind.graph_op}", domain=BLOCK_OPS)(stateful(_kind))

"""RNN, LSTM and GRU, and the block ops that keep their state. Source: ONNX operator spec, QAIRT."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ....dialects.qti_aisw.choices import Direction, DirectionAttr
from ..graph.value import Param, Value
from ..support.registry import BLOCK_OPS, Importer, ImporterSet, Reals, Texts, require
from .recurrent_steps import (
    KINDS,
    Activation,
    Layer,
    RecurrentKind,
    gru_of_rnn,
    read_activations,
    unrolled,
)

ONNX = ImporterSet(keeps_stored=False)


@dataclass(frozen=True)
class _Attributes:
    """The attributes of the three; each has the one switch that its kind names."""

    activations: Texts = ()
    activation_alpha: Reals = ()
    activation_beta: Reals = ()
    clip: float | None = None
    direction: str = Direction.FORWARD.value
    hidden_size: int | None = None
    input_forget: int = 0
    linear_before_reset: int = 0


def recurrent(kind: RecurrentKind) -> Importer:
    """RNN, LSTM or GRU: one graph op, or one step after the other where none is like it."""

    def build(
        x: Value,
        w: Value,
        r: Value,
        *optional: Value | None,
        attributes: _Attributes,
        layout: Literal[0, 1] = 0,
    ) -> list[Value]:
        layer = _layer(kind, x, w, r, optional, attributes, batch_first=bool(layout))
        results = _results(layer, _activations(layer, attributes))
        if not layout:
            return results
        # Y is [batch, seq, dir, hidden], a state [batch, dir, hidden].
        states = (state.transpose(1, 0, 2) for state in results[1:])
        return [results[0].transpose(2, 0, 1, 3), *states]

    return build


def _results(layer: Layer, functions: Sequence[Activation]) -> list[Value]:
    if not layer.is_default(functions):
        return unrolled(layer, functions)
    if layer.kind.graph_op:
        return layer.x.ops(layer.kind.graph_op, *layer.operands, **_params(layer))
    return gru_of_rnn(layer) if layer.clip is None else unrolled(layer, functions)


def stateful(kind: RecurrentKind) -> Importer:
    """A stateful block op, with a reset behind the other inputs; one that is false is none."""

    def build(
        x: Value,
        w: Value,
        r: Value,
        *optional: Value | None,
        attributes: _Attributes,
        layout: Literal[0] = 0,
    ) -> list[Value]:
        layer = _layer(kind, x, w, r, optional, attributes, batch_first=False)
        require(
            layer.is_default(_activations(layer, attributes)),
            f"attribute 'activations' is {', '.join(attributes.activations)}",
            f"only the default is supported: {', '.join(kind.activations)} for each direction",
        )
        reset = next(iter(optional[len(layer.optional) :]), None)
        if reset is not None and reset.array is not None and not reset.array.any():
            reset = None
        return x.ops(f"Stateful{kind.graph_op}", *layer.operands, reset, **_params(layer))

    return build


def _layer(
    kind: RecurrentKind,
    x: Value,
    w: Value,
    r: Value,
    rest: Sequence[Value | None],
    attributes: _Attributes,
    *,
    batch_first: bool,
) -> Layer:
    """Return the layer of a node."""
    roles = kind.inputs[3:]
    optional = dict(zip(roles, (*rest, *[None] * len(roles)), strict=False))
    require(r.rank == 3, f"input 2 has rank {r.rank}, it must be 3")
    if batch_first:
        x = x.transpose(1, 0, 2)
        for role, value in optional.items():
            if value is not None and role.startswith("initial"):
                optional[role] = value.transpose(1, 0, 2)
    known = [each.value for each in Direction]
    problem = f"attribute 'direction' is {attributes.direction}"
    require(attributes.direction in known, problem, f"use {', '.join(known)}")
    direction, hidden = Direction(attributes.direction), attributes.hidden_size
    hidden = r.shape[-1] if hidden is None else hidden
    switch = attributes.input_forget or attributes.linear_before_reset
    return Layer(kind, x, w, r, optional, hidden, direction, attributes.clip, switch)


def _activations(layer: Layer, attributes: _Attributes) -> tuple[Activation, ...]:
    numbers = attributes.activation_alpha, attributes.activation_beta
    default, directions = layer.kind.activations, layer.direction.directions
    return read_activations(attributes.activations, *numbers, default, directions)


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

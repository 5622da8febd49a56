"""The steps of RNN, LSTM and GRU: gates in the order i o f c (LSTM) and z r h (GRU)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from xdsl.ir import SSAValue

from ..activation import plus, times
from ..tensors.steps import like, piece
from .activations import Activation
from .layer import Layer

State = tuple[SSAValue, ...]
Step = Callable[[SSAValue, State], State]
"""From the input's share of all gates [batch, gates * hidden] and a state to the next state."""


@dataclass(frozen=True)
class Side:
    """One direction of a layer, with its activations."""

    layer: Layer
    index: int
    functions: Sequence[Activation]

    @property
    def is_reverse(self) -> bool:
        """Tell whether it reads its sequence from the end."""
        return self.layer.direction.reversals[self.index]

    def weights(self, value: SSAValue) -> SSAValue:
        """Return this direction's part of a value, without the dim of directions."""
        ctx = self.layer.ctx
        part = piece(ctx, value, {0: (self.index, self.index + 1, 1)})
        return ctx.reshape(part, ctx.shape(value)[1:])

    def optional(self, role: str, *shape: int) -> SSAValue:
        """Return this direction's part of an operand, zeros where it is left out."""
        value = self.layer.optional[role]
        if value is None:
            return like(self.layer.ctx, np.zeros(shape), self.layer.x)
        return self.weights(value)

    def start(self) -> State:
        """Return the state before the first step."""
        roles = [role for role in self.layer.optional if role.startswith("initial")]
        return tuple(self.optional(role, self.layer.batch, self.layer.hidden) for role in roles)

    def biases(self) -> tuple[SSAValue, SSAValue]:
        """Return the input and the recurrence bias, each [gates * hidden]."""
        width = self.layer.kind.gates * self.layer.hidden
        both = self.optional("B", 2 * width)
        first, second = (piece(self.layer.ctx, both, {0: (n, n + width, 1)}) for n in (0, width))
        return first, second

    def terms(self) -> list[SSAValue]:
        """Return the input's share of all gates, [batch, gates * hidden] for each step."""
        layer, ctx = self.layer, self.layer.ctx
        _, _, inputs = ctx.shape(layer.x)
        rows = ctx.reshape(layer.x, (layer.seq * layer.batch, inputs))
        every = self.product(rows, self.weights(layer.w), self.biases()[0])
        starts = range(0, layer.seq * layer.batch, layer.batch)
        return [piece(ctx, every, {0: (start, start + layer.batch, 1)}) for start in starts]

    def product(self, rows: SSAValue, weights: SSAValue, bias: SSAValue) -> SSAValue:
        """Return rows @ weights.T + bias."""
        ctx = self.layer.ctx
        return plus(ctx, ctx.emit("MatMul", rows, weights, transpose_in1=True), bias)

    def gates(self, value: SSAValue, *, first: int = 1) -> list[SSAValue]:
        """Return the last dim's gates one by one, but the `first` ones together."""
        ctx, hidden = self.layer.ctx, self.layer.hidden
        last = len(ctx.shape(value)) - 1
        cuts = [0, *range(first * hidden, ctx.shape(value)[last] + 1, hidden)]
        return [piece(ctx, value, {last: (start, end, 1)}) for start, end in pairwise(cuts)]

    def bent(self, function: int, value: SSAValue) -> SSAValue:
        """Return an activation of a value that is first bounded by the clip."""
        ctx, clip = self.layer.ctx, self.layer.clip
        if clip is not None:
            value = ctx.emit("ReluMinMax", value, min_value=-clip, max_value=clip)
        return self.functions[function].build(ctx, value)

    def complement(self, value: SSAValue) -> SSAValue:
        """Return 1 - value."""
        ctx = self.layer.ctx
        return ctx.emit("ElementWiseSubtract", ctx.scalar(1, value), value)


def _rnn(side: Side) -> Step:
    weights, bias, ctx = side.weights(side.layer.r), side.biases()[1], side.layer.ctx

    def step(term: SSAValue, state: State) -> State:
        return (side.bent(0, plus(ctx, term, side.product(state[0], weights, bias))),)

    return step


def _lstm(side: Side) -> Step:
    weights, bias, ctx = side.weights(side.layer.r), side.biases()[1], side.layer.ctx
    p_i, p_o, p_f = side.gates(side.optional("P", 3 * side.layer.hidden))

    def step(term: SSAValue, state: State) -> State:
        h, c = state
        sums = plus(ctx, term, side.product(h, weights, bias))
        in_i, in_o, in_f, in_c = side.gates(sums)
        i = side.bent(0, plus(ctx, in_i, times(ctx, p_i, c)))
        # A forget gate that is coupled to the input gate has no sum of its own.
        forget = plus(ctx, in_f, times(ctx, p_f, c))
        f = side.complement(i) if side.layer.switch else side.bent(0, forget)
        cell = plus(ctx, times(ctx, f, c), times(ctx, i, side.bent(1, in_c)))
        o = side.bent(0, plus(ctx, in_o, times(ctx, p_o, cell)))
        return times(ctx, o, side.functions[2].build(ctx, cell)), cell

    return step


def _gru(side: Side) -> Step:
    ctx, linear = side.layer.ctx, bool(side.layer.switch)
    bias = side.gates(side.biases()[1], first=2)
    turned = ctx.transpose(side.weights(side.layer.r), (1, 0))
    weights = [ctx.transpose(part, (1, 0)) for part in side.gates(turned, first=2)]

    def step(term: SSAValue, state: State) -> State:
        (h,) = state
        in_gates, in_new = side.gates(term, first=2)
        sums = plus(ctx, in_gates, side.product(h, weights[0], bias[0]))
        z, reset = side.gates(side.bent(0, sums))
        past = side.product(h if linear else times(ctx, reset, h), weights[1], bias[1])
        past = times(ctx, reset, past) if linear else past
        new = side.bent(1, plus(ctx, in_new, past))
        return (plus(ctx, times(ctx, side.complement(z), new), times(ctx, z, h)),)

    return step


STEPS: dict[str, Callable[[Side], Step]] = {"RNN": _rnn, "LSTM": _lstm, "GRU": _gru}
"""The makers of steps, by ONNX op."""

"""The steps of RNN, LSTM and GRU: gates in the order i o f c (LSTM) and z r h (GRU)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ....graph.value import Value
from .activations import Activation
from .layer import Layer

State = tuple[Value, ...]
Step = Callable[[Value, State], State]
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

    def weights(self, value: Value) -> Value:
        """Return this direction's part of a value, without the dim of directions."""
        return value[self.index : self.index + 1].reshape(*value.shape[1:])

    def optional(self, role: str, *shape: int) -> Value:
        """Return this direction's part of an operand, zeros where it is left out."""
        value = self.layer.optional[role]
        return self.layer.x.like(np.zeros(shape)) if value is None else self.weights(value)

    def start(self) -> State:
        """Return the state before the first step."""
        roles = [role for role in self.layer.optional if role.startswith("initial")]
        return tuple(self.optional(role, self.layer.batch, self.layer.hidden) for role in roles)

    def biases(self) -> tuple[Value, Value]:
        """Return the input and the recurrence bias, each [gates * hidden]."""
        width = self.layer.kind.gates * self.layer.hidden
        both = self.optional("B", 2 * width)
        return both[:width], both[width:]

    def terms(self) -> list[Value]:
        """Return the input's share of all gates, [batch, gates * hidden] for each step."""
        layer, batch = self.layer, self.layer.batch
        rows = layer.x.reshape(layer.seq * batch, layer.x.shape[2])
        every = self.product(rows, self.weights(layer.w), self.biases()[0])
        return [every[start : start + batch] for start in range(0, layer.seq * batch, batch)]

    def product(self, rows: Value, weights: Value, bias: Value) -> Value:
        """Return rows @ weights.T + bias."""
        return rows.op("MatMul", weights, transpose_in1=True) + bias

    def gates(self, value: Value, *, first: int = 1) -> list[Value]:
        """Return the last dim's gates one by one, but the `first` ones together."""
        hidden, last = self.layer.hidden, value.rank - 1
        cuts = [0, *range(first * hidden, value.shape[last] + 1, hidden)]
        return [value.cut(last, *ends) for ends in pairwise(cuts)]

    def bent(self, function: int, value: Value) -> Value:
        """Return an activation of a value that is first bounded by the clip."""
        clip = self.layer.clip
        value = value if clip is None else value.clip(-clip, clip)
        return self.functions[function].build(value)


def _rnn(side: Side) -> Step:
    weights, bias = side.weights(side.layer.r), side.biases()[1]

    def step(term: Value, state: State) -> State:
        return (side.bent(0, term + side.product(state[0], weights, bias)),)

    return step


def _lstm(side: Side) -> Step:
    weights, bias = side.weights(side.layer.r), side.biases()[1]
    p_i, p_o, p_f = side.gates(side.optional("P", 3 * side.layer.hidden))

    def step(term: Value, state: State) -> State:
        h, c = state
        in_i, in_o, in_f, in_c = side.gates(term + side.product(h, weights, bias))
        i = side.bent(0, in_i + p_i * c)
        # A forget gate that is coupled to the input gate has no sum of its own.
        forget = in_f + p_f * c
        f = 1 - i if side.layer.switch else side.bent(0, forget)
        cell = f * c + i * side.bent(1, in_c)
        o = side.bent(0, in_o + p_o * cell)
        return o * side.functions[2].build(cell), cell

    return step


def _gru(side: Side) -> Step:
    linear = bool(side.layer.switch)
    bias = side.gates(side.biases()[1], first=2)
    turned = side.weights(side.layer.r).transpose(1, 0)
    weights = [part.transpose(1, 0) for part in side.gates(turned, first=2)]

    def step(term: Value, state: State) -> State:
        (h,) = state
        in_gates, in_new = side.gates(term, first=2)
        sums = in_gates + side.product(h, weights[0], bias[0])
        z, reset = side.gates(side.bent(0, sums))
        past = side.product(h if linear else reset * h, weights[1], bias[1])
        new = side.bent(1, in_new + (reset * past if linear else past))
        return ((1 - z) * new + z * h,)

    return step


STEPS: dict[str, Callable[[Side], Step]] = {"RNN": _rnn, "LSTM": _lstm, "GRU": _gru}
"""The makers of steps, by ONNX op."""

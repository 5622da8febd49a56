"""LSTM on stored weights: every product rounds its left operand to integers of a range of its own.

The range of the state is another in each step, so the steps follow one another as nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ......dialects.qti_aisw.choices import Direction
from ..body import MAX_NODES
from .call import NodeCall, OpSignature
from .quantized import product_of_integers

_ACTIVATIONS = ["Sigmoid", "Tanh", "Tanh"]
_GATES = 4
_NODES_OF_STEP = 20


class _Layer:
    """One direction of the op: its weights, biases and states by its number."""

    def __init__(self, call: NodeCall, number: int) -> None:
        self.call, self.number = call, number
        self.hidden = call.get("hidden_size", int)

    def own(self, name: str) -> str:
        """Return this direction's part of an input, "" where that is left out."""
        call = self.call
        return call.emit("Gather", call[name], call.integer(self.number)) if call[name] else ""

    def product(self, quantized: Sequence[str], weights: str) -> str:
        """Multiply what DynamicQuantizeLinear gave by W or R."""
        stored, scale, zero = quantized
        scale = self.call.emit("Mul", scale, self.own(f"{weights}_scale"))
        zeros = [zero, self.own(f"{weights}_zero")]
        return product_of_integers(self.call, stored, self.own(weights), zeros, scale)

    def steps(self, x: Sequence[str], seq: int, *, backward: bool) -> tuple[list[str], str, str]:
        """Return the state of each step, and the last state and cell state."""
        call = self.call
        gates = self.product(x, "W")
        if call["B"]:
            sizes = [_GATES * self.hidden] * 2
            for bias in call.parts(self.own("B"), sizes, axis=0, keep=True):
                gates = call.emit("Add", gates, bias)
        states, h, c = [""] * seq, self.own("initial_h"), self.own("initial_c")
        of_steps = call.parts(gates, [1] * seq, axis=0, keep=False)
        for at in reversed(range(seq)) if backward else range(seq):
            if h:
                recurrent = self.product(_quantized(call, h), "R")
                of_steps[at] = call.emit("Add", of_steps[at], recurrent)
            h, c = self.step(of_steps[at], c)
            states[at] = h
        return states, h, c

    def step(self, gates: str, cell: str) -> tuple[str, str]:
        """Return the next state and cell state from the gates i, o, f and c."""
        call = self.call
        i, o, f, c = call.parts(gates, [self.hidden] * _GATES, axis=1, keep=True)
        new = call.emit("Mul", call.emit("Sigmoid", i), call.emit("Tanh", c))
        if cell:
            new = call.emit("Add", call.emit("Mul", call.emit("Sigmoid", f), cell), new)
        return call.emit("Mul", call.emit("Sigmoid", o), call.emit("Tanh", new)), new


def _quantized(call: NodeCall, value: str) -> list[str]:
    return call.emit_all("DynamicQuantizeLinear", [value], 3, {})


def _lstm(call: NodeCall) -> list[str]:
    direction = call.get("direction", str)
    known = [each.value for each in Direction]
    problem = f"attribute 'direction' is '{direction}'"
    call.require(direction in known, problem, f"use {', '.join(known)}")
    layers = Direction(direction).reversals
    for name in ("sequence_lens", "P"):
        call.require(not call[name], f"input '{name}' is not supported", "leave it out")
    stated = call.get("activations", list)
    call.require(stated in ([], _ACTIVATIONS * len(layers)), f"its activations are {stated}")
    seq = call.shape("X")[0]
    most = MAX_NODES // (_NODES_OF_STEP * len(layers))
    call.require(0 < seq <= most, f"has {seq} steps to unroll", f"1 to {most} are taken")
    x = _quantized(call, call["X"])
    results = [
        _Layer(call, number).steps(x, seq, backward=backward)
        for number, backward in enumerate(layers)
    ]
    states, *last = zip(*results, strict=True)
    sequences = [call.joined(each, 0, new=True) for each in states]
    return [
        call.joined(sequences, 1, new=True),
        *(call.joined(each, 0, new=True) for each in last),
    ]


RECURRENT: dict[str, OpSignature] = {
    "DynamicQuantizeLSTM": OpSignature(
        "X W R B? sequence_lens? initial_h? initial_c? P? W_scale W_zero R_scale R_zero",
        _lstm,
        {"direction": "forward", "hidden_size": 0, "activations": []},
        {"input_forget": 0},
    ),
}
"""Recurrent ops on stored weights, by name."""

"""LSTM on stored weights: every product rounds its left operand to integers of a range of its own.

The range of the state is another in each step, so the steps follow one another as nodes.
"""

from collections.abc import Sequence

from ......dialects.qti_aisw.choices import Direction
from .....importers.support.registry import require
from ..body import MAX_NODES, Inner, joined
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

    def own(self, name: str) -> Inner:
        """Return this direction's part of an input."""
        return self.call[name].op("Gather", self.call.integer(self.number))

    def optional(self, name: str) -> Inner | None:
        """Return this direction's part of an input, None where that is left out."""
        return None if self.call.optional(name) is None else self.own(name)

    def product(self, quantized: Sequence[Inner], weights: str) -> Inner:
        """Multiply what DynamicQuantizeLinear gave by W or R."""
        stored, scale, zero = quantized
        scale = scale * self.own(f"{weights}_scale")
        zeros = [zero, self.own(f"{weights}_zero")]
        return product_of_integers(stored, self.own(weights), zeros, scale)

    def steps(
        self, x: Sequence[Inner], seq: int, *, backward: bool
    ) -> tuple[list[Inner], Inner, Inner]:
        """Return the state of each step, and the last state and cell state."""
        gates, bias = self.product(x, "W"), self.optional("B")
        if bias is not None:
            for part in bias.parts([_GATES * self.hidden] * 2, axis=0, keep=True):
                gates = gates + part
        h, c = self.optional("initial_h"), self.optional("initial_c")
        rows, cells = gates.parts([1] * seq, axis=0, keep=False), []
        for at in reversed(range(seq)) if backward else range(seq):
            if h is not None:
                rows[at] = rows[at] + self.product(h.ops("DynamicQuantizeLinear", 3), "R")
            h, c = self.step(rows[at], c)
            rows[at] = h
            cells.append(c)
        return rows, rows[0 if backward else -1], cells[-1]

    def step(self, gates: Inner, cell: Inner | None) -> tuple[Inner, Inner]:
        """Return the next state and cell state from the gates i, o, f and c."""
        i, o, f, c = gates.parts([self.hidden] * _GATES, axis=1, keep=True)
        new = i.op("Sigmoid") * c.op("Tanh")
        if cell is not None:
            new = f.op("Sigmoid") * cell + new
        return o.op("Sigmoid") * new.op("Tanh"), new


def _lstm(call: NodeCall) -> list[Inner]:
    direction = call.get("direction", str)
    known = [each.value for each in Direction]
    problem = f"attribute 'direction' is '{direction}'"
    require(direction in known, problem, f"use {', '.join(known)}")
    layers = Direction(direction).reversals
    for name in ("sequence_lens", "P"):
        problem = f"input '{name}' is not supported"
        require(call.optional(name) is None, problem, "leave it out")
    stated = call.get("activations", list)
    require(stated in ([], _ACTIVATIONS * len(layers)), f"its activations are {stated}")
    seq = call.shape("X")[0]
    most = MAX_NODES // (_NODES_OF_STEP * len(layers))
    require(0 < seq <= most, f"has {seq} steps to unroll", f"1 to {most} are taken")
    x = call["X"].ops("DynamicQuantizeLinear", 3)
    results = [
        _Layer(call, number).steps(x, seq, backward=backward)
        for number, backward in enumerate(layers)
    ]
    states, *last = zip(*results, strict=True)
    rows = joined([joined(each, 0, new=True) for each in states], 1, new=True)
    return [rows, *(joined(each, 0, new=True) for each in last)]


RECURRENT: dict[str, OpSignature] = {
    "DynamicQuantizeLSTM": OpSignature(
        "X W R B? sequence_lens? initial_h? initial_c? P? W_scale W_zero R_scale R_zero",
        _lstm,
        {"direction": "forward", "hidden_size": 0, "activations": []},
        {"input_forget": 0},
    ),
}
"""Recurrent ops on stored weights, by name."""

"""A recurrent layer as a node says it: its kind, its operands by role, and its params."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from ......dialects.checks import text
from ......dialects.qti_aisw.choices import Direction
from ......dialects.qti_aisw.ops.recurrent import SHAPES, Extents
from ....graph.value import Value
from ...support.faults import require
from .activations import Activation

_INPUTS = ("X", "W", "R", "B", "sequence_lens", "initial_h")


@dataclass(frozen=True)
class RecurrentKind:
    """A recurrent op: gates, inputs, activations by default, and its graph op, "" for none.

    `switch` is its attribute that is 0 or 1, "" for none.
    """

    name: str
    gates: int
    activations: tuple[str, ...]
    inputs: tuple[str, ...] = _INPUTS
    graph_op: str = ""
    switch: str = ""


KINDS = {
    "RNN": RecurrentKind("RNN", 1, ("tanh",)),
    "LSTM": RecurrentKind(
        "LSTM",
        4,
        ("sigmoid", "tanh", "tanh"),
        inputs=(*_INPUTS, "initial_c", "P"),
        graph_op="Lstm",
        switch="input_forget",
    ),
    "GRU": RecurrentKind(
        "GRU", 3, ("sigmoid", "tanh"), graph_op="Gru", switch="linear_before_reset"
    ),
}
"""The recurrent ops of ONNX."""


@dataclass(frozen=True)
class Layer:
    """One layer: X [seq, batch, input], and the rest as the graph ops Lstm and Gru take them."""

    kind: RecurrentKind
    x: Value
    w: Value
    r: Value
    optional: Mapping[str, Value | None]
    hidden: int
    direction: Direction
    clip: float | None
    switch: int

    @property
    def operands(self) -> tuple[Value | None, ...]:
        """The operands behind X in the order of the node's inputs."""
        return self.w, self.r, *self.optional.values()

    @property
    def seq(self) -> int:
        """The length of the sequence."""
        return self.x.shape[0]

    @property
    def batch(self) -> int:
        """The number of sequences."""
        return self.x.shape[1]

    def is_default(self, functions: Sequence[Activation]) -> bool:
        """Tell whether activations are those that the kind has by default."""
        wanted = self.kind.activations * self.direction.directions
        return tuple(function.name for function in functions) == wanted

    def check(self) -> None:
        """Raise a NodeFault where the shapes of the operands do not agree."""
        data = self.x.shape
        require(len(data) == 3, f"input 0 has rank {len(data)}, it must be 3")
        require(prod(data) > 0, f"input 0 is {text(data)}, it holds nothing")
        require(self.clip is None or self.clip > 0, f"attribute 'clip' is {self.clip}")
        seq, batch, inputs = data
        directions = self.direction.directions
        extents = Extents(seq, batch, inputs, self.hidden, directions, self.kind.gates)
        for role, value in zip(self.kind.inputs[1:], self.operands, strict=True):
            wanted = SHAPES[role][1](extents)
            if value is not None:
                problem = f"{role} is {text(value.shape)}, it must be {text(wanted)}"
                require(value.shape == wanted, problem)

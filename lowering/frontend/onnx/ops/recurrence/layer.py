"""A recurrent layer as a node says it: its kind, its operands by role, params and activations.

Source: ONNX operator spec RNN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from ......dialects.checks import text
from ......dialects.qti_aisw.choices import Direction
from ......dialects.qti_aisw.ops.recurrent import SHAPES, Extents
from ....graph.value import Value, where
from ...support.binding import Reals, Texts
from ...support.faults import require
from ..elementwise import hard_sigmoid, softsign

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


@dataclass(frozen=True)
class Activation:
    """A function of one value, with its name in small letters and its numbers."""

    name: str
    alpha: float
    beta: float

    def build(self, x: Value) -> Value:
        """Return the function of a value."""
        return _KINDS[self.name].build(x, self.alpha, self.beta)


@dataclass(frozen=True)
class _Kind:
    """An activation, and the defaults of the numbers that it reads: alpha, then beta."""

    build: Callable[[Value, float, float], Value]
    numbers: tuple[float, ...] = ()


def read_activations(
    stated: Texts, alphas: Reals, betas: Reals, default: Sequence[str], directions: int
) -> tuple[Activation, ...]:
    """Return the activations of a node, which names as many for each direction as it has gates.

    Each takes the next of the attributes' numbers that it reads.
    """
    names = [name.lower() for name in stated] or [*default] * directions
    unknown = next((name for name in names if name not in _KINDS), None)
    problem, known = f"attribute 'activations' is {', '.join(stated)}", ", ".join(_KINDS)
    require(unknown is None, problem, f"known are {known}")
    count = len(default) * directions
    problem = f"attribute 'activations' has {len(names)} names"
    require(len(names) == count, problem, f"give it {count}")
    numbers = [[*alphas], [*betas]]
    functions = tuple(_read(name, numbers) for name in names)
    for name, rest in zip(("alpha", "beta"), numbers, strict=True):
        problem = f"attribute 'activation_{name}' has {len(rest)} numbers that nothing reads"
        require(not rest, problem, "leave them out")
    return functions


def _read(name: str, numbers: Sequence[list[float]]) -> Activation:
    defaults = _KINDS[name].numbers
    pairs = zip(defaults, numbers, strict=False)
    taken = [left.pop(0) if left else default for default, left in pairs]
    return Activation(name, *taken, *(0.0,) * (2 - len(taken)))


_KINDS = {
    "tanh": _Kind(lambda x, *_: x.tanh()),
    "sigmoid": _Kind(lambda x, *_: x.sigmoid()),
    "relu": _Kind(lambda x, *_: x.op("Relu")),
    "softplus": _Kind(lambda x, *_: x.softplus()),
    "softsign": _Kind(lambda x, *_: softsign(x)),
    "affine": _Kind(lambda x, alpha, beta: x * alpha + beta, (1.0, 0.0)),
    "leakyrelu": _Kind(lambda x, alpha, _: x.op("LeakyRelu", alpha=alpha), (0.01,)),
    "elu": _Kind(lambda x, alpha, _: x.op("Elu", alpha=alpha), (1.0,)),
    "thresholdedrelu": _Kind(lambda x, alpha, _: where(x > alpha, x, 0), (1.0,)),
    "scaledtanh": _Kind(lambda x, alpha, beta: (x * beta).tanh() * alpha, (1.0, 1.0)),
    "hardsigmoid": _Kind(
        lambda x, alpha, beta: hard_sigmoid(x, alpha=alpha, beta=beta), (0.2, 0.5)
    ),
}

"""A recurrent layer step after step, in ops that know nothing of sequences.

Any activation can be said so, at the cost of some ten ops for each step and direction. The gates
are in the order i o f c (LSTM) and z r h (GRU).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np

from ....dialects.qti_aisw.choices import Direction, DirectionAttr
from ....dialects.qti_aisw.ops.rnn import SHAPES, Extents
from ....dialects.spec_of import text
from ..graph.value import Value, concat, where
from ..support.registry import Reals, Texts, require
from .elementwise import hard_sigmoid, softsign

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


MOST_STEPS = 4096
"""Steps of all directions together, at most."""


def unrolled(layer: Layer, functions: Sequence[Activation]) -> list[Value]:
    """Return Y [seq, dir, batch, hidden] and the final states [dir, batch, hidden] of a layer."""
    layer.check()
    count = layer.direction.directions
    problem = f"has {layer.seq * count} steps, which its activations or its clip have unrolled"
    require(layer.seq * count <= MOST_STEPS, problem, f"at most {MOST_STEPS} are taken")
    each = len(functions) // count
    runs = [
        _run(Side(layer, index, functions[index * each : (index + 1) * each]))
        for index in range(count)
    ]
    y = concat([rows for rows, _ in runs], axis=1)
    finals = zip(*(states for _, states in runs), strict=True)
    return [y, *(concat(parts, axis=0) for parts in finals)]


def _run(side: Side) -> tuple[Value, State]:
    """Return one direction's output [seq, 1, batch, hidden] and states [1, batch, hidden].

    Past its length an element's output is 0 and its state does not change.
    """
    layer, lengths = side.layer, side.layer.optional["sequence_lens"]
    terms, state = side.terms(), side.start()
    step = STEPS[layer.kind.name](side)
    rows = list(terms)
    for t in reversed(range(layer.seq)) if side.is_reverse else range(layer.seq):
        after = step(terms[t], state)
        if lengths is None:
            state, rows[t] = after, after[0]
            continue
        live = lengths.reshape(layer.batch, 1) > t
        pairs = zip(after, state, strict=True)
        state = tuple(where(live, new, old) for new, old in pairs)
        rows[t] = where(live, state[0], 0)
    shape = (layer.batch, layer.hidden)
    y = concat(rows, axis=0).reshape(layer.seq, 1, *shape)
    return y, tuple(value.reshape(1, *shape) for value in state)


def gru_of_rnn(layer: Layer) -> list[Value]:
    """Return a tanh layer as a Gru whose gates are held: its update at 0, its reset at 1.

    Their sums are biases alone, so large that the sigmoid in f32 is 0 or 1.
    """
    layer.check()
    x, hidden, count = layer.x, layer.hidden, layer.direction.directions
    sums = np.repeat(np.array([-_HELD, _HELD]), hidden)
    bias = layer.optional["B"]
    bias = x.like(np.zeros((count, 2 * hidden))) if bias is None else bias
    ours, theirs = bias[:, :hidden], bias[:, hidden:]
    gates = x.like(np.tile(sums, (count, 1)))
    parts = [gates, ours, x.like(np.zeros((count, 2 * hidden))), theirs]
    return x.ops(
        "Gru",
        *(_under_zeros(weights) for weights in (layer.w, layer.r)),
        concat(parts, axis=1),
        layer.optional["sequence_lens"],
        layer.optional["initial_h"],
        hidden_size=hidden,
        direction=DirectionAttr(layer.direction),
        linear_before_reset=1,
    )


_HELD = 100.0
"""The sum of a gate that is held open: the sigmoid is 1 from 17 on in f32."""


def _under_zeros(weights: Value) -> Value:
    """Return weights [dir, hidden, n] behind the zeros of two gates."""
    count, hidden, width = weights.shape
    return concat([weights.like(np.zeros((count, 2 * hidden, width))), weights], axis=1)

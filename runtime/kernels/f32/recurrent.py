"""The recurrence of LSTM and GRU kernels: packed weights, directions, steps and lengths."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ....dialects.diagnostics import fail
from ...functions.support.recurrence import Direction
from ...kernel.kernel import BoundCall, Call
from ...tensors.tensor_classes import Int32Tensor
from ..support.calls import Floats, always, hoisted, in_order, lasting, number, scratch
from ..support.classes import FloatTensor

Parts = tuple[Floats, ...]
Step = Callable[[Parts, Floats, Floats], None]
"""From a step's input terms and the state h to the next h, which the last array takes."""


@dataclass(frozen=True)
class Gate:
    """A block of rows in the weights, and the factor that its sum is taken with."""

    index: int
    factor: float


SIGMOID = 0.5
"""sigmoid(x) = tanh(x / 2) / 2 + 1 / 2: the inner half goes into weights and bias."""


@dataclass(frozen=True)
class RecurrentLayer:
    """The operands that both layers have, and the order of the gates in the packed weights.

    `r` are the recurrent weights of the first elements of a state, and of those behind, if apart.
    """

    x: FloatTensor
    w: FloatTensor
    r: tuple[FloatTensor, ...]
    b: FloatTensor
    lens: Int32Tensor
    gates: tuple[Gate, ...]

    @property
    def hidden(self) -> int:
        """Elements of a state."""
        return sum(part.shape[3] for part in self.r)

    @property
    def batch(self) -> int:
        """Sequences that run side by side."""
        return self.x.shape[2]

    @property
    def steps(self) -> int:
        """Steps of a sequence."""
        return self.x.shape[1]

    @property
    def all_gates(self) -> int:
        """Elements of all gates."""
        return len(self.gates) * self.hidden

    def gate(self, place: int) -> slice:
        """Slice the elements of the gate at a position."""
        return slice(place * self.hidden, (place + 1) * self.hidden)

    def line(self, values: Floats) -> Floats:
        """Drop the batch axis of a batch of one: numpy is faster without it."""
        return (
            values.reshape(-1) if self.batch == 1 else values.reshape(self.batch, values.shape[-1])
        )

    def memory(self, width: int) -> Floats:
        """Make scratch of `width` elements for each sequence."""
        return self.line(scratch(self.batch, width))

    def product(self) -> Callable[[Floats, Floats, Floats], object]:
        """Choose the product of a state and a matrix: `dot` is faster, into one piece of memory."""
        return np.dot if self.batch == 1 else np.matmul

    def packed(self, direction: int, *weights: FloatTensor) -> tuple[Floats, list[Call]]:
        """Pack weights [input, gates] with factors; the calls that each run must make for them."""
        sources = [part.array[0, direction] for part in weights]
        packed = lasting(sum(source.shape[1] for source in sources), self.all_gates)
        places = np.split(packed, np.cumsum([source.shape[1] for source in sources])[:-1])
        calls = (
            partial(
                np.multiply,
                source[self.gate(gate.index)].T,
                number(gate.factor),
                rows[:, self.gate(place)],
            )
            for source, rows in zip(sources, places, strict=True)
            for place, gate in enumerate(self.gates)
        )
        return packed, hoisted(weights, calls)

    def biases(self, direction: int) -> tuple[Floats, Floats, list[Call]]:
        """Pack the input's and the recurrence's bias [gates] in the same way."""
        source = self.b.array[0, 0, direction].reshape(2, -1)
        packed = lasting(2, self.all_gates)
        calls = (
            partial(
                np.multiply,
                source[:, self.gate(gate.index)],
                number(gate.factor),
                packed[:, self.gate(place)],
            )
            for place, gate in enumerate(self.gates)
        )
        return packed[0], packed[1], hoisted([self.b], calls)

    def terms(self, direction: int, bias: Floats) -> tuple[Floats, list[Call]]:
        """Compute the input's share of all gates [steps, batch, gates] in one product."""
        weights, calls = self.packed(direction, self.w)
        terms = scratch(self.steps * self.batch, self.all_gates)
        calls += [
            partial(np.dot, self.x.array.reshape(len(terms), len(weights)), weights, terms),
            partial(np.add, terms, bias, terms),
        ]
        return terms.reshape(self.steps, self.batch, self.all_gates), calls


@dataclass(frozen=True)
class Cell:
    """The recurrence of one direction: calls before the steps, input terms by step, a step."""

    before: list[Call]
    parts: list[Parts]
    step: Step
    carried: tuple[Floats, ...] = ()
    """States besides h, which a step changes in place."""


@dataclass(frozen=True)
class StateTensors:
    """The tensors of a state's first and last value, [1, directions, batch, hidden]."""

    initial: FloatTensor
    final: FloatTensor


def recurrence(
    name: str,
    layer: RecurrentLayer,
    y: FloatTensor,
    states: Sequence[StateTensors],
    kind: int,
    cells: list[Cell],
) -> BoundCall:
    """Bind all directions, one after another."""
    reversals = list(Direction)[kind].reversals
    runs = [
        _DirectionRun(layer, y, states, direction, cell, backwards)
        for direction, (cell, backwards) in enumerate(zip(cells, reversals, strict=True))
    ]
    plain = in_order(run.plain() for run in runs)
    if always(layer.lens, layer.steps):
        return plain
    live = np.empty((layer.steps, layer.batch, 1), np.bool_)
    masked = in_order(run.masked(live) for run in runs)
    lengths = layer.lens.array.reshape(-1)
    times = np.arange(layer.steps).reshape(-1, 1, 1)

    def run() -> None:
        wrong = lengths[(lengths < 0) | (lengths > layer.steps)]
        if wrong.size:
            message = f"sequence length {int(wrong[0])} is outside [0, {layer.steps}]"
            raise fail(name, message, "no output and no state was changed")
        if (lengths == layer.steps).all():
            plain()
        else:
            np.less(times, lengths[:, np.newaxis], live)
            masked()

    return run


@dataclass(frozen=True)
class _DirectionRun:
    """One direction over the tensors that it reads and writes."""

    layer: RecurrentLayer
    y: FloatTensor
    states: Sequence[StateTensors]
    direction: int
    cell: Cell
    backwards: bool

    def plain(self) -> BoundCall:
        """Bind sequences of full length: h is read from the result, without a copy."""
        h0, h_last = self._first(0), self._last(0)
        steps, step = [(parts, y) for _, parts, y in self._steps()], self.cell.step
        before, after = in_order([*self.cell.before, *self._entries()]), in_order(self._exits())

        def run() -> None:
            before()
            h = h0
            for parts, y in steps:
                step(parts, h, y)
                h = y
            np.copyto(h_last, h)
            after()

        return run

    def masked(self, live: NDArray[np.bool_]) -> BoundCall:
        """Bind sequences of any length: past its end one has output 0 and keeps its states."""
        h = self.layer.memory(self.layer.hidden)
        calls: list[Call] = [*self.cell.before, *self._entries()]
        calls.append(partial(np.copyto, h, self._first(0)))
        kept = [np.empty_like(state) for state in self.cell.carried]
        for time, parts, y in self._steps():
            alive = live[time].reshape(-1) if self.layer.batch == 1 else live[time]
            calls.append(partial(self._masked_step, parts, h, y, alive, kept))
        return in_order([*calls, partial(np.copyto, self._last(0), h), *self._exits()])

    def _masked_step(
        self, parts: Parts, h: Floats, y: Floats, alive: NDArray[np.bool_], kept: Sequence[Floats]
    ) -> None:
        dead = ~alive
        for copy, state in zip(kept, self.cell.carried, strict=True):
            np.copyto(copy, state)
        self.cell.step(parts, h, y)
        for copy, state in zip(kept, self.cell.carried, strict=True):
            np.copyto(state, copy, where=dead)
        np.copyto(h, y, where=alive)
        np.copyto(y, 0, where=dead)

    def _steps(self) -> Iterator[tuple[int, Parts, Floats]]:
        """(time, terms, h's place in the result), in the order of the run."""
        times = range(self.layer.steps)
        for time in reversed(times) if self.backwards else times:
            y = self.layer.line(self.y.array[time, self.direction])
            yield time, self.cell.parts[time], y

    def _entries(self) -> list[Call]:
        carried = enumerate(self.cell.carried, start=1)
        return [partial(np.copyto, state, self._first(index)) for index, state in carried]

    def _exits(self) -> list[Call]:
        carried = enumerate(self.cell.carried, start=1)
        return [partial(np.copyto, self._last(index), state) for index, state in carried]

    def _first(self, index: int) -> Floats:
        return self.layer.line(self.states[index].initial.array[0, self.direction])

    def _last(self, index: int) -> Floats:
        return self.layer.line(self.states[index].final.array[0, self.direction])

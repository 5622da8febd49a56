"""What LSTM and GRU kernels share: weights laid out for the run, directions, steps and lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ....dialects.diagnostics import fail
from ...functions.recurrence import Direction
from ...kernel.kernel import BoundCall, Call
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ..support.calls import Floats, in_order, number, scratch
from ..support.classes import FloatTensor
from ..support.hoisting import always, hoisted

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
class Layer:
    """The operands that both layers have, with the layout of the gates that a kernel wants."""

    x: FloatTensor
    w: FloatTensor
    r: FloatTensor
    b: PlainFloatTensor
    lens: Int32Tensor
    gates: tuple[Gate, ...]

    @property
    def hidden(self) -> int:
        """Elements of a state."""
        return self.r.shape[3]

    @property
    def batch(self) -> int:
        """Sequences that run side by side."""
        return self.x.shape[2]

    @property
    def steps(self) -> int:
        """Steps of a sequence."""
        return self.x.shape[1]

    def width(self) -> int:
        """Elements of all gates."""
        return len(self.gates) * self.hidden

    def block(self, place: int) -> slice:
        """The gate at this place of the layout."""
        return slice(place * self.hidden, (place + 1) * self.hidden)

    def rows(self, gate: Gate) -> slice:
        """The gate in the operand's own order."""
        return self.block(gate.index)

    def vector(self, values: Floats) -> Floats:
        """One axis for a batch of one: numpy is faster with it."""
        return (
            values.reshape(-1) if self.batch == 1 else values.reshape(self.batch, values.shape[-1])
        )

    def memory(self, width: int) -> Floats:
        """Scratch for so many elements of each sequence."""
        return self.vector(scratch(self.batch, width))

    def product(self) -> Callable[[Floats, Floats, Floats], object]:
        """A state times a matrix: `dot` is faster, but wants its result in one piece."""
        return np.dot if self.batch == 1 else np.matmul

    def packed(self, weights: FloatTensor, direction: int) -> tuple[Floats, list[Call]]:
        """Weights [input, gates] with factors, and what each run must do to have them."""
        source = weights.array[0, direction]
        held = scratch(source.shape[1], self.width())
        calls = (
            partial(
                np.multiply,
                source[self.rows(gate)].T,
                number(gate.factor),
                held[:, self.block(place)],
            )
            for place, gate in enumerate(self.gates)
        )
        return held, hoisted([weights], calls)

    def biases(self, direction: int) -> tuple[Floats, Floats, list[Call]]:
        """The input's and the recurrence's bias [gates], with factors, and the calls as above."""
        source = self.b.array[0, 0, direction].reshape(2, -1)
        held = scratch(2, self.width())
        calls = (
            partial(
                np.multiply,
                source[:, self.rows(gate)],
                number(gate.factor),
                held[:, self.block(place)],
            )
            for place, gate in enumerate(self.gates)
        )
        return held[0], held[1], hoisted([self.b], calls)

    def terms(self, direction: int, bias: Floats) -> tuple[Floats, list[Call]]:
        """The input's share of all gates of all steps [steps, batch, gates], by one product."""
        weights, calls = self.packed(self.w, direction)
        held = scratch(self.steps * self.batch, self.width())
        calls += [
            partial(np.dot, self.x.array.reshape(len(held), len(weights)), weights, held),
            partial(np.add, held, bias, held),
        ]
        return held.reshape(self.steps, self.batch, self.width()), calls


@dataclass(frozen=True)
class Cell:
    """One direction's recurrence: what is done before the steps, and a step."""

    before: list[Call]
    parts: list[Parts]
    step: Step
    carried: tuple[Floats, ...] = ()
    """States besides h, which a step changes in place."""


@dataclass(frozen=True)
class Ends:
    """The first and the last value of a state, [1, directions, batch, hidden]."""

    initial: PlainFloatTensor
    final: PlainFloatTensor


def recurrence(
    name: str, layer: Layer, y: FloatTensor, states: Sequence[Ends], kind: int, cells: list[Cell]
) -> BoundCall:
    """All directions, one after another."""
    reversals = list(Direction)[kind].reversals
    runs = [
        _Run(layer, y, states, direction, cell, backwards)
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
        _check(name, lengths, layer.steps)
        if (lengths == layer.steps).all():
            plain()
        else:
            np.less(times, lengths[:, np.newaxis], live)
            masked()

    return run


def _check(name: str, lengths: NDArray[np.int32], steps: int) -> None:
    wrong = lengths[(lengths < 0) | (lengths > steps)]
    if wrong.size:
        message = f"sequence length {int(wrong[0])} is outside [0, {steps}]"
        raise fail(name, message, "no output and no state was changed")


@dataclass(frozen=True)
class _Run:
    """One direction over the tensors that it reads and writes."""

    layer: Layer
    y: FloatTensor
    states: Sequence[Ends]
    direction: int
    cell: Cell
    backwards: bool

    def plain(self) -> BoundCall:
        """All sequences have full length: h lies in the result, no copy is needed."""
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
        """Past its length a sequence has output 0 and its states stand still."""
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
            y = self.layer.vector(self.y.array[time, self.direction])
            yield time, self.cell.parts[time], y

    def _entries(self) -> list[Call]:
        carried = enumerate(self.cell.carried, start=1)
        return [partial(np.copyto, state, self._first(index)) for index, state in carried]

    def _exits(self) -> list[Call]:
        carried = enumerate(self.cell.carried, start=1)
        return [partial(np.copyto, self._last(index), state) for index, state in carried]

    def _first(self, index: int) -> Floats:
        return self.layer.vector(self.states[index].initial.array[0, self.direction])

    def _last(self, index: int) -> Floats:
        return self.layer.vector(self.states[index].final.array[0, self.direction])

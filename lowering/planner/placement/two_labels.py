"""One of two labels for each variable at the least bytes, found exactly as a minimum cut.

A tensor is made with one label and read with either. What is read with the other label is
converted, once for all who read it so. Source side of the cut: the high label. Beside its own
variable a tensor with several readers has two nodes, `high` and `low`: the arcs reader -> high ->
tensor and tensor -> low -> reader are cut in the middle where the conversion is paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .max_flow import SINK, SOURCE, Arc, minimum_cut


@dataclass(frozen=True)
class Held:
    """A tensor: the variable of its own label, those of its readers, bytes of each conversion.

    `down` are the bytes that converting it to the low label writes, `up` those to the high one.
    """

    label: int
    readers: tuple[int, ...]
    down: int
    up: int


@dataclass(frozen=True)
class Problem:
    """Variables 0 .. n-1 with some labels pinned, and pairs: where the first is high, so is the
    second."""

    variables: int
    pins: Mapping[int, bool]
    implications: Sequence[tuple[int, int]]
    tensors: Sequence[Held]


@dataclass(frozen=True)
class Choice:
    """The label of each variable (True is high) and the bytes that conversions write."""

    labels: tuple[bool, ...]
    converted: int


def choose(problem: Problem) -> Choice:
    """The labels with the least converted bytes; of several choices that with fewest high labels.

    That choice is unique: it is the source side that all minimum cuts share. Raises ValueError
    where pins and implications contradict each other.
    """
    network = _Network(problem)
    capacity, high = minimum_cut(network.arcs)
    labels = tuple(node == SOURCE or node in high for node in network.nodes)
    if broken := contradiction(problem, labels):
        raise ValueError(broken)
    found = converted(problem, labels)
    if capacity != found:
        raise ArithmeticError(f"the cut is {capacity}, but its labels convert {found} bytes")
    return Choice(labels, found)


def converted(problem: Problem, labels: Sequence[bool]) -> int:
    """The bytes that conversions write with these labels, counted tensor by tensor."""
    return sum(_converted(held, labels) for held in problem.tensors)


def _converted(held: Held, labels: Sequence[bool]) -> int:
    wanted = {labels[reader] for reader in held.readers} - {labels[held.label]}
    return sum(held.up if high else held.down for high in wanted)


def contradiction(problem: Problem, labels: Sequence[bool]) -> str | None:
    """The first pin or implication that the labels break, if any."""
    for variable, high in problem.pins.items():
        if labels[variable] is not high:
            return f"variable {variable} is pinned to both labels"
    for first, second in problem.implications:
        if labels[first] and not labels[second]:
            return f"variable {first} is high, variable {second} is low"
    return None


@dataclass
class _Network:
    """The arcs (tail, head, capacity) of a problem; pinned variables are the source or the sink."""

    problem: Problem
    arcs: list[Arc] = field(default_factory=list)
    count: int = 2

    def __post_init__(self) -> None:
        for first, second in self.problem.implications:
            self._forbid(self.nodes[first], self.nodes[second])
        for held in self.problem.tensors:
            self._hold(held)

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """The node of each variable."""
        pins = self.problem.pins
        return tuple(
            (SOURCE if pins[variable] else SINK) if variable in pins else self._new()
            for variable in range(self.problem.variables)
        )

    @cached_property
    def _infinite(self) -> int:
        return 1 + sum(held.down + held.up for held in self.problem.tensors)

    def _new(self) -> int:
        self.count += 1
        return self.count - 1

    def _forbid(self, high: int, low: int) -> None:
        self._arc(high, low, self._infinite)

    def _arc(self, tail: int, head: int, capacity: int) -> None:
        if tail != head and head != SOURCE and tail != SINK:
            self.arcs.append((tail, head, capacity))

    def _hold(self, held: Held) -> None:
        own = self.nodes[held.label]
        readers = sorted({self.nodes[reader] for reader in held.readers} - {own})
        if readers:
            self._arc(self._any_high(readers), own, held.up)
            self._arc(own, self._any_low(readers), held.down)

    def _any_high(self, readers: Sequence[int]) -> int:
        """A node that is high where any of the readers is."""
        if SOURCE in readers or len(readers) == 1:
            return readers[0]
        node = self._new()
        for reader in readers:
            self._forbid(reader, node)
        return node

    def _any_low(self, readers: Sequence[int]) -> int:
        """A node that is low where any of the readers is."""
        if SINK in readers:
            return SINK
        if len(readers) == 1:
            return readers[0]
        node = self._new()
        for reader in readers:
            self._forbid(node, reader)
        return node

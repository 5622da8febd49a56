"""Binary labelling by minimum cut: one of two labels for each variable, at the fewest bytes.

A tensor is made with one label and read with either. A read with the other label needs a
conversion, which all readers with that label share. Each variable is a node; the source side of
the cut has the high label. A tensor with several readers adds two nodes, `high` and `low`: the arcs
`high -> tensor` and `tensor -> low` carry the bytes of its two conversions.

Cost: one minimum cut (see `flow`) over at most three nodes per tensor, and one arc per reader and
implication.

Example: tensor 0 is flat (low) and has two readers, 1 and 2, in croutons (high). A conversion to
crouton writes 5 bytes. The arc `high -> 0` of 5 is the cut: both readers share one conversion.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .flow import SINK, SOURCE, minimum_cut


@dataclass(frozen=True)
class ConversionCost:
    """A tensor with the variable of its own label, those of its readers, and two costs in bytes.

    A conversion to the low label writes `down` bytes, one to the high label `up`.
    """

    label: int
    readers: tuple[int, ...]
    down: int
    up: int

    def paid(self, labels: Sequence[bool]) -> int:
        """Add up the conversions that the readers need."""
        wanted = {labels[reader] for reader in self.readers} - {labels[self.label]}
        return sum(self.up if high else self.down for high in wanted)


@dataclass(frozen=True)
class Problem:
    """A number of variables, some of them with a pinned label, and the costs of their labels.

    An implication (a, b) says that b is high where a is.
    """

    variables: int
    pins: Mapping[int, bool]
    implications: Sequence[tuple[int, int]]
    costs: Sequence[ConversionCost]


@dataclass(frozen=True)
class Labelling:
    """The label of each variable (True is high) and the bytes that conversions write."""

    labels: tuple[bool, ...]
    converted: int


def choose(problem: Problem) -> Labelling:
    """Find the labels with the fewest converted bytes; among equals those with the fewest highs.

    That choice is unique: it is the source side that all minimum cuts share. Raises ValueError
    where pins and implications contradict each other.
    """
    network = _Network(problem)
    capacity, source_side = minimum_cut(network.count, network.arcs)
    labels = tuple(node in source_side for node in network.nodes)
    if broken := contradiction(problem, labels):
        raise ValueError(broken)
    paid = converted(problem, labels)
    if capacity != paid:
        raise ArithmeticError(f"the cut is {capacity}, but its labels convert {paid} bytes")
    return Labelling(labels, paid)


def converted(problem: Problem, labels: Sequence[bool]) -> int:
    """Count the bytes that conversions write with these labels, tensor by tensor."""
    return sum(cost.paid(labels) for cost in problem.costs)


def contradiction(problem: Problem, labels: Sequence[bool]) -> str | None:
    """Name the first pin or implication that the labels break, if any."""
    for variable, high in problem.pins.items():
        if labels[variable] is not high:
            return f"variable {variable} is pinned to both labels"
    for first, second in problem.implications:
        if labels[first] and not labels[second]:
            return f"variable {first} is high, variable {second} is low"
    return None


@dataclass
class _Network:
    """The capacity of each arc (tail, head) of a problem.

    A pinned variable is the source or the sink.
    """

    problem: Problem
    nodes: list[int] = field(default_factory=list)
    arcs: dict[tuple[int, int], int] = field(default_factory=dict)
    count: int = 2

    @cached_property
    def infinite(self) -> int:
        """More than all conversions together: no minimum cut takes such an arc."""
        return 1 + sum(cost.down + cost.up for cost in self.problem.costs)

    def __post_init__(self) -> None:
        pins = self.problem.pins
        for variable in range(self.problem.variables):
            pinned = SOURCE if pins.get(variable) else SINK
            self.nodes.append(pinned if variable in pins else self.new_node())
        for first, second in self.problem.implications:
            self.add_arc(self.nodes[first], self.nodes[second], self.infinite)
        for cost in self.problem.costs:
            own = self.nodes[cost.label]
            readers = sorted({self.nodes[reader] for reader in cost.readers} - {own})
            if readers:
                self.add_arc(self.gather(readers, SOURCE), own, cost.up)
                self.add_arc(own, self.gather(readers, SINK), cost.down)

    def new_node(self) -> int:
        self.count += 1
        return self.count - 1

    def gather(self, readers: Sequence[int], end: int) -> int:
        """Return a node that is on the side of `end` where any of the readers is."""
        if end in readers:
            return end
        if len(readers) == 1:
            return readers[0]
        node = self.new_node()
        for reader in readers:
            tail, head = (reader, node) if end == SOURCE else (node, reader)
            self.add_arc(tail, head, self.infinite)
        return node

    def add_arc(self, tail: int, head: int, capacity: int) -> None:
        if capacity and tail != head and head != SOURCE and tail != SINK:
            self.arcs[tail, head] = self.arcs.get((tail, head), 0) + capacity

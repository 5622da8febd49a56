"""Binary labelling by minimum cut: one of two labels for each variable, at the fewest bytes.

A tensor is made with one label and read with either. A read with the other label needs a
conversion, which all readers with that label share. Each variable is a node; the source side of
the cut has the high label. A tensor with several readers adds two nodes, `high` and `low`: the arcs
`high -> tensor` and `tensor -> low` carry the bytes of its two conversions.

Example: tensor 0 is flat (low) and has two readers, 1 and 2, in croutons (high). A conversion to
crouton writes 5 bytes. The arc `high -> 0` of 5 is the cut: both readers share one conversion.

The cut is found by push and relabel, from the sink to the source. At first each arc into the sink
is full: what it carries is a demand of its tail. A node meets its demand from nodes that are nearer
to the source, whose demand it becomes; where they have no room, the node is farther from the source
than it was thought to be. The distances are measured again after as many changes as a quarter of
the nodes. A demand that the source cannot reach stays. In the end the source has been asked for the
capacity of the cut, and the nodes that it still reaches are on its side of every minimum cut.

Cost: at most three nodes per tensor, and one arc per reader and implication; O(n^3) for n nodes, in
theory; near to the number of arcs for placements. Numbers are exact.

Example: source -> a -> sink with 5 and 3 bytes. The sink asks a for 3, a asks the source, which
gives 3 of its 5: the cut is 3, and a is on the side of the source.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

SOURCE, SINK = 0, 1
NODES_PER_MOVE = 4
"""The nodes per change of a distance, from which on all distances are measured again."""


def minimum_cut(
    count: int, capacities: Mapping[tuple[int, int], int]
) -> tuple[int, frozenset[int]]:
    """Find the capacity of the minimum cut, and the nodes that are on the source side of each one.

    Nodes are numbered below `count`; `capacities` are those of the arcs by tail and head.
    """
    flow = _Flow(count, capacities)
    flow.run()
    return flow.demand[SOURCE], frozenset(node for node in range(count) if flow.reached(node))


class _Flow:
    """Demands and distances of the nodes, and the room left in the arcs into each of them.

    Arc `arc ^ 1` is the same one the other way round.
    """

    def __init__(self, count: int, capacities: Mapping[tuple[int, int], int]) -> None:
        self.count = count
        self.demand = [0] * count
        self._tails: list[int] = []
        self._room: list[int] = []
        self._into: list[list[int]] = [[] for _ in range(count)]
        for (tail, head), capacity in capacities.items():
            back = capacities.get((head, tail), 0)
            if tail < head or (head, tail) not in capacities:
                self._into[head].append(len(self._tails))
                self._into[tail].append(len(self._tails) + 1)
                self._tails += tail, head
                self._room += capacity, back

    def _measure(self) -> None:
        """Count the steps from the source to each node; as many as there are nodes is too far."""
        self._first = [0] * self.count
        self._distance = distance = [self.count] * self.count
        distance[SOURCE] = 0
        queue = [SOURCE]
        for node in queue:
            for arc in self._into[node]:
                head = self._tails[arc]
                if self._room[arc ^ 1] and distance[head] == self.count:
                    distance[head] = distance[node] + 1
                    queue.append(head)

    def reached(self, node: int) -> bool:
        """Tell whether the source still reaches a node."""
        return self._distance[node] < self.count

    def run(self) -> None:
        """Meet all demands that the source reaches."""
        # Each arc into the sink is used in full; the nodes before it are asked for that.
        asked = [self._tails[arc] for arc in self._into[SINK]]
        for arc in self._into[SINK]:
            self._carry(arc, self._room[arc])
        self._measure()
        moves = 0
        while asked := [node for node in asked if 0 < self._distance[node] < self.count]:
            following: list[int] = []
            for node in asked:
                if not self._meet(node, following):
                    self._move_away(node)
                    following.append(node)
                    moves += 1
            asked = following
            if moves * NODES_PER_MOVE > self.count:
                self._measure()
                moves = 0
        self._measure()

    def _meet(self, node: int, asked: list[int]) -> bool:
        """Ask the nodes one step nearer to the source; False where they have too little room."""
        arcs, nearer = self._into[node], self._distance[node] - 1
        for index in range(self._first[node], len(arcs)):
            arc = arcs[index]
            tail = self._tails[arc]
            if self._room[arc] and self._distance[tail] == nearer:
                if not self.demand[tail]:
                    asked.append(tail)
                amount = min(self.demand[node], self._room[arc])
                self.demand[node] -= amount
                self._carry(arc, amount)
                if not self.demand[node]:
                    self._first[node] = index
                    return True
        return False

    def _move_away(self, node: int) -> None:
        """Put a node one step behind the nearest node that it can ask."""
        tails = [self._tails[arc] for arc in self._into[node] if self._room[arc]]
        self._distance[node] = 1 + min(self._distance[tail] for tail in tails)
        self._first[node] = 0

    def _carry(self, arc: int, amount: int) -> None:
        """Let an arc carry more, which its tail must get."""
        self._room[arc] -= amount
        self._room[arc ^ 1] += amount
        self.demand[self._tails[arc]] += amount


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

"""The search: the cheapest plan over segments of the order of nodes and what stays in TCM.

Dynamic programming over (position, tensors that lie in TCM whole). From each state every segment
of up to MOST_NODES nodes is tried, and for each what may stay behind it. A tensor that leaves TCM
and is read later is written then. A state is not followed where a cheaper one that holds more can
turn into it for no more; a beam bounds the rest. Equal segments are priced once.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from .graph import Graph, Kind, Segment, cut_out
from .nest import Nest, best_nest, can_nest
from .sizes import Rules
from .stream import Stream, best_stream
from .takes import Kept

MOST_NODES = 12
BEAM = 24
MOST_SUBSETS = 24

Residents = frozenset[int]


class NoPlan(Exception):
    """No way to run a node fits the TCM."""


@dataclass(frozen=True)
class FromMemory:
    """An opaque node that runs from main memory."""

    bytes: int
    calls: int = 1
    peak: int = 0


Way = Stream | Nest | FromMemory


@dataclass(frozen=True)
class Step:
    """Nodes [first, end) run in one way; what lies in TCM before and behind, and what is written.

    `evicted` are tensors that leave TCM behind the segment and are still needed.
    """

    first: int
    end: int
    before: Residents
    behind: Residents
    evicted: Residents
    way: Way
    bytes: int


@dataclass(frozen=True)
class Plan:
    """The steps of a plan; bytes and calls of one inference."""

    steps: tuple[Step, ...]
    bytes: int
    calls: int


@dataclass(frozen=True)
class _State:
    cost: int
    plan: tuple[Step, ...]
    bytes: int
    calls: int


def best_plan(graph: Graph, capacity: int, rules: Rules, most_nodes: int = MOST_NODES) -> Plan:
    """Plan a graph for a TCM; NoPlan where a node does not fit."""
    search = _Search(graph, capacity, rules)
    fronts: list[dict[Residents, _State]] = [{} for _ in range(len(graph.nodes) + 1)]
    fronts[0][frozenset()] = _State(0, (), graph.fixed_bytes, 0)
    for position in range(len(graph.nodes)):
        states = search.best(fronts[position])
        for end in range(position + 1, min(len(graph.nodes), position + most_nodes) + 1):
            reached = False
            for residents, state in states:
                for step, cost in search.steps(position, end, residents):
                    reached = True
                    _enter(fronts[end], state, step, cost)
            if not reached and end > position + 2:
                break
    final = fronts[-1]
    if not final:
        reached_to = max(i for i, front in enumerate(fronts) if front)
        raise NoPlan(f"node {reached_to} does not fit {capacity} bytes of TCM")
    best = min(final.values(), key=lambda state: state.cost)
    return Plan(best.plan, best.bytes, best.calls)


def _enter(front: dict[Residents, _State], state: _State, step: Step, cost: int) -> None:
    cost += state.cost
    if step.behind not in front or cost < front[step.behind].cost:
        plan, moved = (*state.plan, step), state.bytes + step.bytes
        front[step.behind] = _State(cost, plan, moved, state.calls + step.way.calls)


class _Search:
    """A graph, a capacity, and the prices that were asked for before."""

    def __init__(self, graph: Graph, capacity: int, rules: Rules) -> None:
        self.graph, self.capacity, self.rules = graph, capacity, rules
        self.last = graph.last_reader()
        self.made_at = {node.result: i for i, node in enumerate(graph.nodes)}
        self.segments: dict[tuple[int, int], tuple[Segment, tuple[int, ...]]] = {}
        self.prices: dict[tuple[Segment, Kept, int], Way | None] = {}

    def best(self, front: dict[Residents, _State]) -> list[tuple[Residents, _State]]:
        """The cheapest states, without those that another one can turn into for no more."""
        states: list[tuple[Residents, _State]] = []
        for residents, state in sorted(front.items(), key=lambda item: item[1].cost):
            if not any(
                residents <= other and cheaper.cost + self._written(other - residents) <= state.cost
                for other, cheaper in states
            ):
                states.append((residents, state))
        return states[:BEAM]

    def _written(self, gone: Iterable[int]) -> int:
        """Bytes of the tensors that leave TCM and are not in main memory."""
        tensors = (self.graph.tensors[i] for i in gone if i not in self.graph.inputs)
        return sum(self.rules.all_moved(tensor) for tensor in tensors)

    def steps(self, first: int, end: int, residents: Residents) -> Iterator[tuple[Step, int]]:
        """All ways to run nodes [first, end), with their costs."""
        if (first, end) not in self.segments:
            self.segments[first, end] = cut_out(self.graph, first, end)
        segment, order = self.segments[first, end]
        local = {index: place for place, index in enumerate(order)}
        before = frozenset(local[i] for i in residents if i in local)
        beside = sum(self._whole(i) for i in residents if i not in local)
        results = {node.result for node in self.graph.nodes[first:end]}
        for behind in self._subsets(end, residents | results):
            kept = Kept(before, frozenset(local[i] for i in behind & results))
            whole = beside + sum(
                self._whole(i) for i in (residents & set(order)) | (behind & results)
            )
            way = self._way(segment, kept, self.capacity - whole)
            if way is None:
                continue
            gone = residents - behind
            needed = {i for i in gone if self.last.get(i, -1) >= end}
            evicted = frozenset(needed - set(self.graph.inputs))
            moved = way.bytes + self._written(evicted)
            cost = moved + self.rules.call * way.calls
            yield Step(first, end, residents, behind, evicted, way, moved), cost

    def _whole(self, index: int) -> int:
        return self.rules.whole(self.graph.tensors[index])

    def _subsets(self, end: int, candidates: Residents) -> list[Residents]:
        """What may stay: tensors that are read later, in all combinations that fit."""
        outputs = set(self.graph.outputs)
        alive = [i for i in candidates if self.last.get(i, -1) >= end and i not in outputs]
        alive = [i for i in alive if self._whole(i) <= self.capacity]
        alive.sort(key=lambda i: self._next_use(i, end))
        sizes = range(len(alive) + 1)
        if len(alive) > 4:
            chosen = [frozenset(alive[:n]) for n in sizes]
            chosen += [frozenset(alive) - {i} for i in alive] + [frozenset({i}) for i in alive]
        else:
            chosen = [frozenset(part) for n in sizes for part in combinations(alive, n)]
        fits = [s for s in dict.fromkeys(chosen) if sum(map(self._whole, s)) <= self.capacity]
        return fits[:MOST_SUBSETS]

    def _next_use(self, index: int, end: int) -> int:
        for position in range(end, len(self.graph.nodes)):
            if any(o.tensor == index for o in self.graph.nodes[position].operands):
                return position
        return len(self.graph.nodes)

    def _way(self, segment: Segment, kept: Kept, room: int) -> Way | None:
        if room < 0:
            return None
        key = segment, kept, room
        if key not in self.prices:
            self.prices[key] = self._priced(segment, kept, room)
        return self.prices[key]

    def _priced(self, segment: Segment, kept: Kept, room: int) -> Way | None:
        ways: list[Way] = []
        stream = best_stream(segment, self.rules, kept, room, self.capacity)
        if stream is not None:
            ways.append(stream)
        if can_nest(segment) and (stream is None or stream.bytes > self._least(segment, kept)):
            nest = best_nest(segment, self.rules, kept, room)
            ways += [nest] if nest else []
        if len(segment.nodes) == 1 and segment.nodes[0].kind is Kind.OPAQUE and not kept.behind:
            ways.append(_from_memory(segment, self.rules, kept))
        return min(ways, key=lambda way: way.bytes + self.rules.call * way.calls, default=None)

    def _least(self, segment: Segment, kept: Kept) -> int:
        """Bytes of sources, constants and results, each once."""
        ends = [i for i in segment.sources if i not in kept.before]
        ends += [i for i in segment.leaving if i not in kept.behind]
        once = sum(node.weights + node.extras for node in segment.nodes)
        return once + sum(self.rules.all_moved(segment.tensors[i]) for i in ends)


def _from_memory(segment: Segment, rules: Rules, kept: Kept) -> FromMemory:
    node = segment.nodes[0]
    read = {o.tensor for o in node.operands if o.tensor not in kept.before} | {node.result}
    moved = sum(rules.all_moved(segment.tensors[i]) for i in read)
    return FromMemory(moved + node.weights + node.extras)

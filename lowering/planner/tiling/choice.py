"""The choice of a tiling plan: plans are replayed step by step, and the best one is refined.

Estimates of segments propose plans (see `search`), under several assumptions on the bytes that are
left to them. Each plan is expanded into steps and replayed (see `steps`), which tells what it
moves. Then segments of the best one are changed as long as that moves less: other sizes of tiles,
other dims, stripes around strips, two segments joined or one parted.

Cost: a replay for each plan, all of them bounded by a number of steps.

Example: two convolutions of 3 rows, whose tensor between them takes three quarters of the TCM.
Alone each moves it once. Joined in strips of 8 rows it never leaves; strips of 16 do not fit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, permutations
from math import inf

from ....dialects.value.layout import CHUNK_BYTES
from ..allocation.replay import Replay, StepList
from ..allocation.residency import offsets_of
from .chain import Chain
from .memory import Price, Setting
from .pieces import Pieces
from .program import Cuts, TileProgram
from .search import LONGEST, Segment, TilingPlan, cheapest, plan_tiles, singles
from .single import Single
from .steps import expand

ASSUMED = ((1, True), (1, False), (2, False))
"""The part of the TCM that estimates take for free, and whether tiles are joined for readers."""
MARGIN = 8
"""The divisor of the TCM size that gives the bytes left to gaps between buffers."""
STEP = 2 << 10
"""Bytes that are worth one step."""
MOST_PACKED = 800
"""Stays in TCM of a plan, up to which their offsets are looked for."""
EFFORT = 30_000
"""Steps that are replayed, at most, to refine a plan."""
STARTS = 2
"""Plans that are refined, of those that were proposed."""
ALONE = 30_000
"""Steps that are replayed, at most, to find what segments move alone."""
ENOUGH = 1.02
"""Times the bytes that any plan moves, up to which no other plan is looked for."""
LIKELY = 3
"""Ways to cut ops in step that are tried where two segments change at once."""
MOST_SIZES = 6
"""Sizes of tiles that are tried along one dim."""


def choose_plan(programs: Sequence[TileProgram], capacity: int) -> TilingPlan:
    """Find the plan that moves the least for the first program, of those made for all of them.

    The others have the same ops: what differs is how they count bytes, or what goes in step.
    """
    rooms = [
        Setting(program, capacity, capacity // 2, capacity * 3 // 4, scale=scale, joins=joins)
        for program in (_cuttable(program, capacity) for program in programs)
        for scale, joins in ASSUMED
    ]
    priced, searches = list[Segment](), list[_PlanSearch]()
    for plan in _proposed(rooms, priced):
        if plan.cuts not in [search.best.cuts for search in searches]:
            searches.append(search := _PlanSearch(rooms[0], plan, priced))
            search.offer(plan)
            if search.is_enough:
                return search.best
    searches.sort(key=lambda search: search.weight)
    for search in searches[:STARTS]:
        search.refine()
    best = min(searches, key=lambda search: search.weight)
    if best.weight == inf:
        # No plan fits as a whole: estimates cut what can be cut.
        return plan_tiles(programs[0], capacity, capacity // 2)
    return replace(best.best, cut_short=best.left <= 0)


def _cuttable(program: TileProgram, capacity: int) -> TileProgram:
    """Make the program in which an op of which no tile fits stays whole: it runs from DDR."""
    setting = Setting(program, capacity, capacity, capacity)
    alone = zip(program.ops, singles(setting), strict=True)
    ops = [op if segment.cuts else replace(op, cuts=(), summed=0) for op, segment in alone]
    return replace(program, ops=ops)


def _proposed(rooms: Sequence[Setting], priced: list[Segment]) -> Iterator[TilingPlan]:
    """List plans to begin with; the segments that were priced for them are added to a list."""
    yield from uncut(rooms[0])
    for room in rooms:
        yield cheapest(room, priced)
    yield Pieces(rooms[0], likely(priced), STEP, ALONE).plan()


def likely(priced: Sequence[Segment]) -> dict[tuple[int, int], list[Segment]]:
    """List the ways to cut ops in step that estimates found, the cheapest first."""
    ways: dict[tuple[int, int], list[Segment]] = defaultdict(list)
    for segment in sorted(priced, key=lambda segment: segment.price):
        known = ways[segment.start, segment.end]
        if segment.cuts not in [each.cuts for each in known]:
            known.append(segment)
    return ways


def uncut(setting: Setting) -> Iterator[TilingPlan]:
    """Make the plan in which every op stays whole, where all that could be cut fit.

    Where nothing has to leave TCM in it, no tiles move less.
    """
    ops = setting.program.ops
    if all(Single(setting, at).price(()) for at, op in enumerate(ops) if op.cuts):
        whole = (Segment(at, at + 1, Price(), {at: ()}) for at in range(len(ops)))
        yield TilingPlan(tuple(whole), setting)


@dataclass
class _PlanSearch:
    """The best plan so far, its weight, and the steps that may still be replayed.

    `leaves`: something leaves TCM in the best plan, and comes back. `priced` are segments that
    estimates found.
    """

    setting: Setting
    best: TilingPlan
    priced: Sequence[Segment]
    weight: float = inf
    left: int = EFFORT
    leaves: bool = True

    def offer(self, plan: TilingPlan) -> bool:
        """Replay a plan, and keep it where it is better."""
        capacity = self.setting.capacity
        if STEP * plan.tiles >= self.weight:
            return False
        steps = expand(plan.program, plan.cuts, plan.leaders, capacity, plan.windows)
        self.left -= len(steps.steps)
        replay, moved = self._replayed(steps)
        weight = inf if moved is None else moved + steps.penalty + STEP * len(steps.steps)
        if weight < self.weight:
            self.best = replace(plan, setting=self.setting, segments=_priced(plan, replay))
            self.weight = weight
            self.leaves = moved != sum(step.moves for step in steps.steps)
            return True
        return False

    def _replayed(self, steps: StepList) -> tuple[Replay, int | None]:
        """Replay steps, and count the bytes that they move; None where one does not fit.

        A plan that takes nearly all of the TCM at some step has to find offsets. Where a list is
        too long for that, a part of the TCM is left to gaps.
        """
        capacity = self.setting.capacity
        tight, roomy = Replay(steps, capacity), Replay(steps, capacity - capacity // MARGIN)
        if not tight.run():
            return tight, None
        if tight.bytes + steps.penalty + STEP * len(steps.steps) >= self.weight:
            return tight, tight.bytes
        fits, is_short = roomy.run(), len(tight.stays) <= MOST_PACKED
        if fits and roomy.bytes == tight.bytes:
            return roomy, roomy.bytes
        if is_short and offsets_of(tight, capacity, CHUNK_BYTES) is not None:
            return tight, tight.bytes
        return (roomy, roomy.bytes) if fits else (tight, 2 * tight.bytes)

    @property
    def is_enough(self) -> bool:
        """Tell whether the plan moves about what every plan does, or cuts and spills nothing."""
        if not self.leaves and not any(self.best.cuts.values()):
            return True
        program, moved = self.setting.program, self.best.price.bytes
        read = {operand.tensor for op in program.ops for operand in op.operands}
        outside = {number for number in read if number not in program.maker} | program.kept
        least = sum(program.tensors[number].flat_bytes for number in outside)
        return self.weight < inf and 0 < moved <= ENOUGH * least

    def refine(self) -> None:
        """Change segments, those with the largest tensors first, until nothing helps.

        Where that ends, a segment is joined with several others at once.
        """
        known: set[Hashable] = set()
        rounds = (self._changes, self._joined, self._kept)
        while any(self._improves(changes, known) for changes in rounds):
            pass

    def _improves(
        self,
        changes: Callable[[int], Iterator[tuple[Segment, ...]]],
        known: set[Hashable],
    ) -> bool:
        """Take the first change of each segment that helps, of those not tried yet."""
        last = self.weight
        for end in sorted((each.end for each in self.best.segments), key=self._size):
            ends = [each.end for each in self.best.segments]
            others = changes(ends.index(end)) if end in ends else iter(())
            for plan in (TilingPlan(segments, self.setting) for segments in others):
                drains = ((each.end, each.drains) for each in plan.segments)
                signature = (*plan.cuts.items(), *drains)
                if self.left <= 0:
                    return False
                if signature not in known:
                    known.add(signature)
                    if self.offer(plan):
                        break
        return self.weight < last

    def _kept(self, at: int) -> Iterator[tuple[Segment, ...]]:
        """List the plan in which what a segment gives stays in TCM as far as there is room."""
        segments = self.best.segments
        own = replace(segments[at], drains=not segments[at].drains)
        yield (*segments[:at], own, *segments[at + 1 :])

    def _joined(self, at: int) -> Iterator[tuple[Segment, ...]]:
        """List the plans in which a segment is joined with two or more before it."""
        segments = self.best.segments
        for first in range(at - 2, -1, -1):
            for joined in self._segments(segments[first].start, segments[at].end, few=True):
                yield (*segments[:first], joined, *segments[at + 1 :])

    @cached_property
    def _likely(self) -> dict[tuple[int, int], list[Segment]]:
        return likely(self.priced)

    def _size(self, end: int) -> int:
        """Sort the segments whose last op touches the largest tensors to the front."""
        op, tensors = self.setting.program.ops[end - 1], self.setting.program.tensors
        touched = (*op.results, *(operand.tensor for operand in op.operands))
        return -max((tensors[number].bytes for number in touched), default=0)

    def _changes(self, at: int) -> Iterator[tuple[Segment, ...]]:
        """List the plans in which one segment is cut, joined or parted in another way."""
        segments = self.best.segments
        before, own, after = segments[:at], segments[at], segments[at + 1 :]
        if before:
            for joined in self._segments(before[-1].start, own.end):
                yield (*before[:-1], joined, *after)
        for other in self._segments(own.start, own.end):
            if other.cuts != own.cuts:
                yield (*before, other, *after)
        for middle in range(own.start + 1, own.end):
            for first in self._segments(own.start, middle, few=True):
                for second in self._segments(middle, own.end, few=True):
                    yield (*before, first, second, *after)

    def _segments(self, start: int, end: int, few: bool = False) -> Iterator[Segment]:
        """List the ways to cut some ops in step: along one dim, or along one inside another."""
        if end - start == 1 and Single(self.setting, start).price(()) is not None:
            yield Segment(start, end, Price(), {start: ()})
        if few:
            yield from self._likely.get((start, end), ())[:LIKELY]
        moves = self.setting.program.ops[end - 1].moves_only
        if end - start > LONGEST or (moves and end - start > 1):
            return
        chains = [chain for dim in self._dims(end - 1) if (chain := self._chain(start, end, dim))]
        if not few:
            for outer, inner in permutations(chains, 2):
                yield from _anew(start, end, outer, inner)
        for chain in chains:
            for size in _some(chain.sizes(), 2 if few else MOST_SIZES):
                yield Segment(start, end, Price(), chain.cuts(size))
        for outer in chains if not few else ():
            for inner in chains:
                if outer is not inner:
                    yield from _nested(start, end, outer, inner)

    def _dims(self, at: int) -> tuple[int, ...]:
        op = self.setting.program.ops[at]
        shape = self.setting.program.tensors[op.results[0]].shape if op.results else ()
        return tuple(dim for dim in op.cuts if shape[dim] > 1)

    def _chain(self, start: int, end: int, dim: int) -> Chain | None:
        chain = Chain.begin(self.setting, end - 1, dim)
        while chain and chain.start > start:
            if not chain.prepend():
                return None
        return chain


def _priced(plan: TilingPlan, replay: Replay) -> tuple[Segment, ...]:
    """Give each segment of a plan what its steps moved."""
    moved = replay.moved
    if len(moved) <= len(replay.list.steps):
        return plan.segments
    ends = pairwise((0, *replay.list.ends))
    prices = (Price(moved[end] - moved[start], end - start) for start, end in ends)
    return tuple(replace(s, price=price) for s, price in zip(plan.segments, prices, strict=True))


def _nested(start: int, end: int, outer: Chain, inner: Chain) -> Iterator[Segment]:
    for around in _some(outer.sizes(), 3):
        first = outer.cuts(around)
        for size in _some(inner.sizes(), 3):
            then = inner.cuts(size)
            cuts: dict[int, Cuts] = {at: (*first[at], *then[at]) for at in then}
            yield Segment(start, end, Price(), cuts)


def _anew(start: int, end: int, outer: Chain, inner: Chain) -> Iterator[Segment]:
    """List stripes for which the ops before the last one make their halos anew."""
    if end - start > 1:
        for around in list(outer.widths())[:MOST_SIZES]:
            lead = outer.cuts(around)[end - 1]
            for size in _some(inner.sizes(), 3):
                then = inner.cuts(size)
                yield Segment(start, end, Price(), {**then, end - 1: (*lead, *then[end - 1])})


def _some(sizes: Iterator[int], count: int) -> list[int]:
    """Take a number of sizes, from the smallest on, each about twice the one before."""
    every = sorted(sizes)
    taken: list[int] = []
    for size in every:
        if not taken or size >= 2 * taken[-1] or size == every[-1]:
            taken.append(size)
    return taken[:count] if len(taken) > count else taken

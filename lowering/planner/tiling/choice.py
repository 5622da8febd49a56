"""The choice of a tiling plan: plans are replayed step by step, and the best one is refined.

Estimates of segments propose plans (see `search`). Each plan is expanded into steps and replayed
(see `steps`), which tells what its segments move. With this in place of the estimates the next plan
is proposed; half of an estimate stands for what was not replayed at last, as some are too high.

Then segments of the best ones are changed as long as that moves less: other sizes of tiles, other
dims, stripes around strips, segments joined or one parted (see `ways`). Each segment and kind of
change has one try in turn, since no more than a few hundred are made in a large program. The steps
around a change are replayed first (see `trial`), all of them only where these promise less. A
change is made wherever ops are alike, or else at one place.

Cost: a replay for each plan, each segment and each change, bounded by a number of steps.

Example: two convolutions of 3 rows, whose tensor between them takes three quarters of the TCM.
Alone each moves it once. Joined in strips of 8 rows it never leaves; strips of 16 do not fit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush, nsmallest
from itertools import chain, pairwise, product
from math import inf
from operator import attrgetter

from ..allocation.replay import Replay
from ..allocation.step_list import STEP
from .likeness import Span
from .memory import Price, Setting
from .program import Cuts, TileProgram
from .search import Chains, Segment, TilingPlan, cheapest, plan_tiles, singles
from .single import Single
from .steps import Expansion
from .trial import ChangeTrial, Replayed, priced
from .ways import Ways

BEGUN = 10
"""Plans for each part of the TCM with which the refinement begins, the best ones."""
REFINED = (2 * BEGUN, 2_000), (8, 8_000), (3, 25_000), (1, 200_000)
"""Plans that are refined in turn, the best ones first, and the steps that are replayed for each.

What one leaves of these the next one has, too.
"""
HOPE = 4
"""All steps are replayed where a plan moves a quarter more than every plan does; fewer below."""
REPLAYS = 8
"""Replays of the best plan; of fewer than these, a round over several plans is left out."""
ROUNDS = 16
"""Plans that are proposed, at most, for each part of an estimate."""
FITTING = 4
"""Plans that fit, of these, behind which no other one is proposed."""
PARTS = 1, 2
"""Parts of an estimate of which one stands for what was not replayed."""
SHARES = 1.0, 0.75, 0.5
"""Parts of the TCM that tiles are proposed for, up to the one behind the first that fits."""
ENOUGH = 1.02
"""Times the bytes that any plan moves, up to which no other plan is looked for."""


def choose_plan(program: TileProgram, capacity: int) -> TilingPlan:
    """Find the plan that moves the least."""
    # An op of which no tile fits stays whole: it runs from DDR.
    alone = singles(Setting(program, capacity, capacity, capacity))
    fits = {segment.start for segment in alone if segment.cuts}
    ops = [
        op if at in fits else replace(op, cuts=(), summed=0) for at, op in enumerate(program.ops)
    ]
    cuttable = replace(program, ops=ops)
    setting = Setting(cuttable, capacity, capacity // 2, capacity * 3 // 4)
    setting.likeness.share()
    begun, known = defaultdict[float, list[_PlanSearch]](list), list[Mapping[int, Cuts]]()
    for share, search in _begun(setting):
        if search.is_enough:
            return search.best
        if search.best.cuts not in known:
            known.append(search.best.cuts)
            begun[share].append(search)
    best = (nsmallest(BEGUN, own, attrgetter("weight")) for own in begun.values())
    searches = sorted(chain.from_iterable(best), key=attrgetter("weight"))
    if searches[0].weight == inf:
        # No plan fits as a whole: estimates cut what can be cut.
        return plan_tiles(program, capacity, capacity // 2)
    left = 0
    for count, effort in REFINED:
        effort = int(effort * min(1, HOPE * searches[0].above))
        if count > 1 and effort < REPLAYS * searches[0].best.price.calls:
            left += count * effort
            continue
        refined = dict[Hashable, _PlanSearch]()
        for search in searches[:count]:
            left = search.refine(effort + max(left, 0))
            if search.is_enough:
                return search.best
            # Plans that have become the same are refined once.
            refined.setdefault((search.weight, len(search.best.segments)), search)
        others = [*refined.values(), *searches[count:]]
        searches = sorted(others, key=attrgetter("weight"))
    return replace(searches[0].best, cut_short=left <= 0)


def _begun(setting: Setting) -> Iterator[tuple[float, _PlanSearch]]:
    """Begin with plans of segments that estimates price; each replay corrects the prices.

    Tiles that would fit into less of the TCM leave more of it to what stays there. They come in
    whole plans only: in the lists of changes they would take the place of larger ones.
    """
    ways, whole, fits = Ways(setting, []), singles(setting), False
    for plan in uncut(setting):
        yield 1, _PlanSearch.begin(plan, ways)
    for share in SHARES:
        capacity, is_last = int(setting.capacity * share), fits
        smaller = replace(setting, capacity=capacity) if share < 1 else setting
        chains, own = Chains(smaller), [each for each in singles(smaller) if each.cuts]
        cut = {segment.start for segment in own}
        alone = (*own, *(segment for segment in whole if segment.start not in cut))
        along = [*alone, *chains.every(), *chains.every(stripes=True)]
        proposed = list[Segment]()
        # With sums in step among the first ones, some better plans without them were not found.
        for segments in filter(None, (along, [*chains.sums()])):
            ways.priced += () if is_last else segments
            proposed += segments
            for search in _proposed(ways, proposed):
                fits |= search.weight < inf
                yield share, search
        if is_last:
            return


def _proposed(ways: Ways, segments: Sequence[Segment]) -> Iterator[_PlanSearch]:
    """Propose plans of segments that estimates priced."""
    # The bytes in replays.
    setting, shown = ways.setting, dict[Hashable, int]()
    alike = [(_likeness(segment, setting), segment) for segment in segments]
    for part in PARTS:
        count = 0
        for _ in range(ROUNDS):
            priced = [
                segment.weighing(shown.get(like, segment.price.bytes // part))
                for like, segment in alike
            ]
            search = _PlanSearch.begin(cheapest(setting, priced), ways)
            yield search
            count, own = count + (search.weight < inf), search.shown
            if count == FITTING or own.items() <= shown.items():
                break
            shown |= own


def _likeness(segment: Segment, setting: Setting) -> Hashable:
    """Return what segments of like ops have in common that are cut in the same way."""
    same = segment.moved(-segment.start)
    kind = setting.likeness.kind(segment.start, segment.end)
    return kind, same.drains, *sorted(same.cuts.items())


def uncut(setting: Setting) -> Iterator[TilingPlan]:
    """Make the plan in which every op stays whole, where all that could be cut fit.

    Where it moves about what every plan does, no other one is looked for.
    """
    ops = setting.program.ops
    if all(Single(setting, at).price(()) for at, op in enumerate(ops) if op.cuts):
        whole = (Segment(at, at + 1, Price(), {at: ()}) for at in range(len(ops)))
        yield TilingPlan(tuple(whole), setting)


@dataclass(frozen=True)
class _Exchange:
    """Segments in the place of those from number `first` to number `last` of a plan."""

    first: int
    last: int
    segments: tuple[Segment, ...]

    @property
    def span(self) -> Span:
        """The ops of the segments."""
        return self.segments[0].start, self.segments[-1].end


_Kind = Callable[[int], Iterator[_Exchange]]
"""A kind of changes, listed for the segment of a number."""
_Turn = tuple[float, int, int, Iterator[_Exchange]]
"""When a segment has its turn, which one that is, what it moves, and changes of one kind."""


@dataclass
class _PlanSearch:
    """The best plan so far, its weight, and the steps that may still be replayed.

    `replayed` is the best plan with its steps. `known` are changes that were tried.
    """

    setting: Setting
    best: TilingPlan
    ways: Ways
    weight: float = inf
    left: int = 0
    replayed: Replayed | None = None
    known: set[Hashable] = field(default_factory=set[Hashable])

    @staticmethod
    def begin(plan: TilingPlan, ways: Ways) -> _PlanSearch:
        """Begin with a plan, which may not fit."""
        search = _PlanSearch(plan.setting, plan, ways)
        search.offer(plan)
        return search

    def offer(self, plan: TilingPlan) -> bool:
        """Replay a plan, and keep it where it is better."""
        capacity = self.setting.capacity
        limit, least = self.weight, self.setting.program.least_from[0]
        # Of some of the least, a plan may read a part.
        spared = max(0, least - self.best.price.bytes)
        expansion = Expansion(plan.program, plan.cuts, capacity, plan.windows)
        known = self.replayed.expansion if self.replayed else None
        is_less = expansion.run_all(plan.leaders, limit, spared, known)
        self.left -= len(expansion.list.steps) - expansion.taken
        if not is_less:
            return False
        steps = expansion.list
        self.left -= len(steps.steps) // 2
        replay = Replay(steps, capacity)
        is_less = replay.run(limit - steps.weight() + steps.moves)
        is_less = is_less and steps.weight(replay.bytes) < limit
        if is_less or limit == inf:
            self.best = replace(plan, setting=self.setting, segments=priced(plan, replay))
        if is_less:
            self.weight = steps.weight(replay.bytes)
            self.replayed = Replayed(self.best, expansion, replay)
        return is_less

    @property
    def shown(self) -> dict[Hashable, int]:
        """The bytes that the segments of the best plan, and those like them, weigh."""
        marks = self.replayed.expansion.marks if self.replayed else []
        penalties = [0, *(mark.penalty for mark in marks)]
        more = [after - before for before, after in pairwise(penalties)]
        shown = dict[Hashable, int]()
        for at, segment in enumerate(self.best.segments):
            penalty = more[at] if more else 0
            shown[_likeness(segment, self.setting)] = segment.price.bytes + penalty
        return shown

    @property
    def above(self) -> float:
        """The part of what every plan moves by which this one moves more."""
        return self.best.price.bytes / max(1, self.setting.program.least_from[0]) - 1

    @property
    def is_enough(self) -> bool:
        """Tell whether the plan moves about what every plan does."""
        least = self.setting.program.least_from[0]
        return self.weight < inf and 0 < self.best.price.bytes <= ENOUGH * least

    def refine(self, steps: int) -> int:
        """Change segments until nothing helps or matters, or a number of steps was replayed.

        Return how many are left of these.
        """
        self.left, last = steps, inf
        while self.weight < last and self.left > 0:
            last = self.weight
            self._pass()
            if self.left > 0:
                self.known.clear()
        return self.left

    def _pass(self) -> None:
        """Try changes of all kinds, of each segment as often as its part of what moves."""
        turns = self._turns()
        while turns and self.left > 0 and not self.is_enough:
            due, order, moved, changes = heappop(turns)
            if (change := self._next(changes)) is None:
                continue
            if self._promises(change) and self._take(change):
                turns = self._turns()
            else:
                heappush(turns, (due + 1 / moved, order, moved, changes))

    def _take(self, change: _Exchange) -> bool:
        """Make a change wherever ops are alike, or else at its own place, if that is better."""
        more = [*self._repeated(change)]
        if more and self.offer(self._changed(change, *more)):
            return True
        return self.offer(self._changed(change))

    def _promises(self, change: _Exchange) -> bool:
        """Tell whether a change moves less up to the end of the segment behind it."""
        behind = min(change.last + 1, len(self.best.segments) - 1)
        if self.replayed is None:
            return True
        trial = ChangeTrial(self.replayed, self._changed(change), behind)
        self.left -= trial.steps + len(self.setting.program.ops)
        return trial.is_less

    def _next(self, changes: Iterator[_Exchange]) -> _Exchange | None:
        """Take the next change that was not tried, here or where ops are alike, if there is one."""
        for change in changes:
            start, end = change.span
            moved = (segment.moved(-start) for segment in change.segments)
            same = ((s.start, s.end, s.drains, *s.cuts.items()) for s in moved)
            signature = self.setting.likeness.kind(start, end), *same
            if signature not in self.known:
                self.known.add(signature)
                return change
        return None

    def _turns(self) -> list[_Turn]:
        """List the changes of each segment by kind, of those that move the most first."""
        kinds = self._stepped, self._joined, self._cut, self._parted, self._gathered, self._kept
        each = product(enumerate(self.best.segments), kinds)
        moved = ((at, segment.price.bytes + STEP, kind) for (at, segment), kind in each)
        turns = ((1 / size, order, size, kind(at)) for order, (at, size, kind) in enumerate(moved))
        return sorted(turns)

    def _repeated(self, change: _Exchange) -> Iterator[_Exchange]:
        """List the same change of other segments whose ops are alike, none of which overlap."""
        start, end = change.span
        firsts = {segment.start: at for at, segment in enumerate(self.best.segments)}
        lasts = {segment.end: at for at, segment in enumerate(self.best.segments)}
        free, kind = 0, self.setting.likeness.kind
        for begin, first in firsts.items():
            far, stop = begin - start, begin - start + end
            if begin < free or (begin < end and start < stop) or stop not in lasts:
                continue
            if kind(begin, stop) == kind(start, end):
                segments = tuple(segment.moved(far) for segment in change.segments)
                yield _Exchange(first, lasts[stop], segments)
                free = stop

    def _changed(self, *changes: _Exchange) -> TilingPlan:
        """Make the best plan with changes that do not overlap."""
        segments = [*self.best.segments]
        for change in sorted(changes, key=lambda change: -change.first):
            segments[change.first : change.last + 1] = change.segments
        return TilingPlan(tuple(segments), self.setting)

    def _kept(self, at: int) -> Iterator[_Exchange]:
        """List the ways to cut a segment by which what it gives stays in TCM, or else leaves it."""
        own = self.best.segments[at]
        for other in (own, *self._every_way(at, at)):
            if TilingPlan((replace(other, drains=True),), self.setting).drained:
                yield _Exchange(at, at, (replace(other, drains=not own.drains),))

    def _stepped(self, at: int) -> Iterator[_Exchange]:
        """List the join of a segment with those up to the last one before it that is cut."""
        own, parts = self.best.segments[at], dict(enumerate(self.best.segments[:at]))
        first = next((n for n, each in reversed(parts.items()) if any(each.cuts.values())), None)
        if first is not None and any(own.cuts.values()):
            joined = [parts[number] for number in range(first, at)]
            cuts = {op: cut for each in (*joined, own) for op, cut in each.cuts.items()}
            *others, last = self.setting.program.ops[joined[0].start : own.end]
            read = {operand.tensor for op in (*others, last) for operand in op.operands}
            # The last op computes, of what all others give.
            if not last.moves_only and not any(read.isdisjoint(op.results) for op in others):
                yield _Exchange(first, at, (replace(own, start=joined[0].start, cuts=cuts),))

    def _joined(self, at: int) -> Iterator[_Exchange]:
        """List the joins of a segment with the one before it."""
        if at > 0:
            for joined in self._every_way(at - 1, at):
                yield _Exchange(at - 1, at, (joined,))

    def _gathered(self, at: int) -> Iterator[_Exchange]:
        """List the joins of a segment with two or more before it."""
        for first in range(at - 2, -1, -1):
            for joined in self._every_way(first, at):
                yield _Exchange(first, at, (joined,))

    def _cut(self, at: int) -> Iterator[_Exchange]:
        """List the other ways to cut a segment."""
        own = self.best.segments[at]
        for other in self._every_way(at, at):
            if other.cuts != own.cuts:
                yield _Exchange(at, at, (replace(other, drains=own.drains),))

    def _parted(self, at: int) -> Iterator[_Exchange]:
        """List the ways to make two segments of one."""
        for parts in self.ways.parting(self.best.segments[at]):
            yield _Exchange(at, at, parts)

    def _every_way(self, first: int, last: int) -> Iterator[Segment]:
        """List the ways to cut the ops of some segments in step."""
        segments = self.best.segments
        return self.ways.between(segments[first].start, segments[last].end)

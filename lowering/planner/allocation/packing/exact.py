"""Offsets by search, in several orders and with growing effort."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, chain

from ..lifetimes import Lifetime, neighbours
from .run import run_search
from .search import FOUND, GAVE_UP, IMPOSSIBLE, Tensors

MOST_TENSORS = 800
"""Beyond this the search's tables, which grow with the cube, would take too much memory."""

_FIRST_EFFORT = 3000
_GROWTH = 10


class Outcome(Enum):
    """What a search ended with."""

    FOUND = FOUND
    IMPOSSIBLE = IMPOSSIBLE
    GAVE_UP = GAVE_UP


@dataclass(frozen=True)
class Found:
    """How a search ended, after how many placements, and the offsets if it found any."""

    outcome: Outcome
    placements: int
    offsets: tuple[int, ...] = ()


@dataclass(frozen=True)
class Strategy:
    """Which tensor comes next: the lowest (`by_rest`) or not, then the largest by `size`."""

    by_rest: bool
    size: Callable[[_Facts], tuple[int, ...]]


@dataclass(frozen=True)
class _Facts:
    """What an order is made of: bytes, steps, and the most bytes alive while the tensor is."""

    bytes: int
    steps: int
    crowd: int

    @property
    def area(self) -> int:
        return self.bytes * self.steps


STRATEGIES: tuple[Strategy, ...] = (
    Strategy(True, lambda facts: (facts.crowd, facts.steps)),
    Strategy(True, lambda facts: (facts.area, facts.bytes)),
    Strategy(True, lambda facts: (facts.crowd, facts.bytes, facts.steps)),
    Strategy(True, lambda facts: (facts.steps, facts.bytes)),
    Strategy(False, lambda facts: (facts.steps, facts.bytes)),
)
"""Each finds packings soon that the others miss: they take turns."""


def pack_exactly(lives: Sequence[Lifetime], capacity: int, effort: int) -> Found:
    """Offsets within `capacity` for lifetimes of aligned sizes; the bound must be within it.

    The effort is counted in placements and the same on every machine. GAVE_UP where it does not
    suffice, or where there are more than MOST_TENSORS tensors alive in one independent stretch.
    """
    offsets = [0] * len(lives)
    spent = 0
    outcome = Outcome.FOUND
    for part in stretches(lives):
        found = _pack_stretch([lives[index] for index in part], capacity, effort - spent)
        spent += found.placements
        if found.outcome is Outcome.IMPOSSIBLE:
            return Found(found.outcome, spent)
        if found.outcome is Outcome.GAVE_UP:
            outcome = found.outcome
        for index, offset in zip(part, found.offsets, strict=False):
            offsets[index] = offset
    return Found(outcome, spent, tuple(offsets) if outcome is Outcome.FOUND else ())


def stretches(lives: Sequence[Lifetime]) -> list[list[int]]:
    """The indices of lifetimes with bytes, in groups that never meet another group's."""
    groups: list[list[int]] = []
    end = -1
    for index in sorted(range(len(lives)), key=lambda i: lives[i].start):
        if lives[index].bytes == 0:
            continue
        if not groups or lives[index].start > end:
            groups.append([])
        groups[-1].append(index)
        end = max(end, lives[index].end)
    return groups


def _pack_stretch(lives: Sequence[Lifetime], capacity: int, effort: int) -> Found:
    if len(lives) > MOST_TENSORS:
        return Found(Outcome.GAVE_UP, 0)
    spent = 0
    for strategy, limit in _turns(effort):
        tensors = tensors_of(lives, strategy)
        ended, placements, offsets = run_search(tensors, capacity, limit, strategy.by_rest)
        spent += placements
        if ended != GAVE_UP:
            return Found(Outcome(ended), spent, offsets)
    return Found(Outcome.GAVE_UP, spent)


def _turns(effort: int) -> Iterator[tuple[Strategy, int]]:
    limit = _FIRST_EFFORT
    while effort > 0:
        for strategy in STRATEGIES:
            yield strategy, min(limit, effort)
            effort -= min(limit, effort)
            if effort == 0:
                return
        limit *= _GROWTH


def tensors_of(lives: Sequence[Lifetime], strategy: Strategy) -> Tensors:
    """The lifetimes as the search reads them, ranked by the sizes of a strategy."""
    points = _section_starts(lives)
    first = [bisect_left(points, life.start) for life in lives]
    last = [bisect_right(points, life.end) - 1 for life in lives]
    totals = [0] * len(points)
    for life, low, high in zip(lives, first, last, strict=True):
        for section in range(low, high + 1):
            totals[section] += life.bytes
    keys = [
        strategy.size(_Facts(life.bytes, life.end - life.start + 1, max(totals[low : high + 1])))
        for life, low, high in zip(lives, first, last, strict=True)
    ]
    order = sorted(range(len(lives)), key=lambda i: (*(-key for key in keys[i]), i))
    rank = [0] * len(lives)
    for position, index in enumerate(order):
        rank[index] = position
    met = neighbours(lives)
    met_from = list(accumulate(map(len, met), initial=0))
    sizes = [life.bytes for life in lives]
    return Tensors(sizes, first, last, met_from, list(chain.from_iterable(met)), rank)


def _section_starts(lives: Sequence[Lifetime]) -> list[int]:
    """The steps at which most are alive: some start there, and some end before others start."""
    starts = sorted({life.start for life in lives})
    ends = sorted(life.end for life in lives)
    following = [*starts[1:], ends[-1] + 1]
    return [
        start
        for start, after in zip(starts, following, strict=True)
        if bisect_left(ends, start) < bisect_left(ends, after)
    ]

"""Offsets by exact search: independent stretches, several orders, growing effort.

Live intervals fall into stretches that never meet; each is packed on its own. The strategies take
turns with a limit of 3,000 placements, then ten times as many, and so on: which of them finds a
packing soon differs from problem to problem.

Cost: the placements of all turns, at most the effort.

Example: intervals of steps 0-1, 1-2 and 4-5 are two stretches, [0, 1] and [2].
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, chain

from ..live_intervals import LiveInterval, neighbours
from .run import run_search
from .search import FOUND, GAVE_UP, IMPOSSIBLE
from .search_state import Tensors

MOST_TENSORS = 800
"""Tensors beyond which the tables of the search, which grow with the cube, are too large."""

_FIRST_EFFORT = 3000
"""Placements of each strategy's first turn."""
_GROWTH = 10
"""The factor of placements from turn to turn."""


class SearchEnd(Enum):
    """The end of a search."""

    FOUND = FOUND
    IMPOSSIBLE = IMPOSSIBLE
    GAVE_UP = GAVE_UP


@dataclass(frozen=True)
class Ended:
    """The end of a search, its placements, and the offsets if it found any."""

    outcome: SearchEnd
    placements: int
    offsets: tuple[int, ...] = ()


@dataclass(frozen=True)
class Strategy:
    """An order of decisions: the lowest tensor first (`by_rest`) or not, then the largest."""

    by_rest: bool
    size: Callable[[_Facts], tuple[int, ...]]


@dataclass(frozen=True)
class _Facts:
    """The bytes and steps of a tensor, and the most bytes alive at a time together with it."""

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
"""Each finds some packings early that the others miss."""


def pack_exactly(lives: Sequence[LiveInterval], capacity: int, effort: int) -> Ended:
    """Search offsets within `capacity` for intervals of aligned sizes whose bound is within it.

    The effort is counted in placements and the same on every machine. GAVE_UP where it does not
    suffice, or where one stretch has more than MOST_TENSORS tensors.
    """
    offsets = [0] * len(lives)
    spent = 0
    outcome = SearchEnd.FOUND
    for part in stretches(lives):
        ended = _pack_stretch([lives[index] for index in part], capacity, effort - spent)
        spent += ended.placements
        if ended.outcome is SearchEnd.IMPOSSIBLE:
            return Ended(ended.outcome, spent)
        if ended.outcome is SearchEnd.GAVE_UP:
            outcome = ended.outcome
        for index, offset in zip(part, ended.offsets, strict=False):
            offsets[index] = offset
    return Ended(outcome, spent, tuple(offsets) if outcome is SearchEnd.FOUND else ())


def stretches(lives: Sequence[LiveInterval]) -> list[list[int]]:
    """Group the indices of intervals with bytes so that no group meets another."""
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


def _pack_stretch(lives: Sequence[LiveInterval], capacity: int, effort: int) -> Ended:
    if len(lives) > MOST_TENSORS:
        return Ended(SearchEnd.GAVE_UP, 0)
    spent = 0
    for strategy, limit in _turns(effort):
        tensors = tensors_of(lives, strategy)
        ended, placements, offsets = run_search(tensors, capacity, limit, strategy.by_rest)
        spent += placements
        if ended != GAVE_UP:
            return Ended(SearchEnd(ended), spent, offsets)
    return Ended(SearchEnd.GAVE_UP, spent)


def _turns(effort: int) -> Iterator[tuple[Strategy, int]]:
    """The strategies with their limits of placements, until the effort is spent."""
    limit = _FIRST_EFFORT
    while effort > 0:
        for strategy in STRATEGIES:
            yield strategy, min(limit, effort)
            effort -= min(limit, effort)
            if effort == 0:
                return
        limit *= _GROWTH


def tensors_of(lives: Sequence[LiveInterval], strategy: Strategy) -> Tensors:
    """Describe intervals as the search reads them, ranked by the sizes of a strategy."""
    # Sections: each step at which most are alive stands for those around it.
    starts = sorted({live.start for live in lives})
    ends = sorted(live.end for live in lives)
    following = [*starts[1:], ends[-1] + 1]
    points = [
        start
        for start, after in zip(starts, following, strict=True)
        if bisect_left(ends, start) < bisect_left(ends, after)
    ]
    first = [bisect_left(points, live.start) for live in lives]
    last = [bisect_right(points, live.end) - 1 for live in lives]
    # Ranks: the largest by the strategy first.
    totals = [0] * len(points)
    for live, low, high in zip(lives, first, last, strict=True):
        for section in range(low, high + 1):
            totals[section] += live.bytes
    keys = [
        strategy.size(_Facts(live.bytes, live.end - live.start + 1, max(totals[low : high + 1])))
        for live, low, high in zip(lives, first, last, strict=True)
    ]
    order = sorted(range(len(lives)), key=lambda i: (*(-key for key in keys[i]), i))
    rank = [0] * len(lives)
    for position, index in enumerate(order):
        rank[index] = position
    # Neighbours, as one list and where each tensor's begin.
    met = neighbours(lives)
    met_from = list(accumulate(map(len, met), initial=0))
    sizes = [live.bytes for live in lives]
    return Tensors(sizes, first, last, met_from, list(chain.from_iterable(met)), rank)

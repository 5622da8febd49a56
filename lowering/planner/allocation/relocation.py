"""Offsets for stays in TCM, step by step; where no gap is large enough, others move out of the way.

Each stay takes the smallest gap, beside the neighbour that stays longer, and the larger ones go
first. Where no gap is large enough, a window of the TCM is cleared: what lies there moves to gaps
elsewhere. Of all windows, the one with the fewest bytes to move is taken. Nothing moves onto bytes
of its own.

Cost: linear in the stays in TCM for each stay; quadratic where a window has to be found.

Example: capacity 4; a, b, c and d of 1 byte lie side by side. a and c end, and e of 2 bytes enters:
b moves to byte 0, and e takes bytes 1 and 2.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import inf
from typing import NamedTuple

from .live_intervals import LiveInterval
from .offsets import best_fit

MOST_WINDOWS = 16
"""Windows that are tried for one stay."""


class StayRange(NamedTuple):
    """Bytes from `start` to before `end`, and the number of the stay that has them."""

    start: int
    end: int
    stay: int


@dataclass(frozen=True, slots=True)
class Put:
    """A stay, by number, lies at an offset from a step on."""

    stay: int
    step: int
    offset: int


@dataclass
class Puts:
    """The places of stays, in order: first as they begin, then as they move.

    `stuck` are the steps at which no window could be cleared, each with what lies in the window
    that has the fewest bytes to move.
    """

    puts: list[Put] = field(default_factory=list[Put])
    stuck: dict[int, Sequence[StayRange]] = field(default_factory=dict[int, Sequence[StayRange]])


def put_stays(
    lives: Sequence[LiveInterval],
    capacity: int,
    tied: Sequence[range],
    wanted: Mapping[int, int] | None = None,
) -> Puts:
    """Find the offsets of stays; a stay does not move in front of a step to which it is `tied`.

    For the offsets that are `wanted`, by stay, others move out of the way where they can.
    """
    tcm, puts, wanted = _Tcm(lives, capacity, tied), Puts(), wanted or {}
    starts = sorted(range(len(lives)), key=lambda stay: (lives[stay].start, -lives[stay].bytes))
    for step, entering in groupby(starts, key=lambda stay: lives[stay].start):
        tcm.begin(step)
        for stay in entering:
            moved = tcm.enter(stay, wanted.get(stay))
            if moved is None:
                puts.stuck[step] = tcm.blocking
            else:
                puts.puts += (Put(each.stay, step, each.start) for each in moved)
    return puts


_Window = tuple[int, list[StayRange]]


class _Tcm:
    """The stays in TCM at a step, sorted by offset."""

    def __init__(self, lives: Sequence[LiveInterval], capacity: int, tied: Sequence[range]) -> None:
        self.lives, self.capacity, self.tied = lives, capacity, tied
        self.border = StayRange(capacity, capacity, -1)
        self.inside: list[StayRange] = []
        self.step = 0
        self.blocking: Sequence[StayRange] = ()

    def begin(self, step: int) -> None:
        """Go on to a step: what ended before it is gone."""
        self.step = step
        self.inside = [each for each in self.inside if self.lives[each.stay].end >= step]

    def enter(self, stay: int, wanted: int | None) -> list[StayRange] | None:
        """Put a stay into TCM: what moves for it, then the stay itself; None where nothing can."""
        size = self.lives[stay].bytes
        place = None if wanted is None else self._window(wanted, size)
        if place is None and (offset := self._in_gap(size)) is not None:
            place = offset, []
        place = place or self._cleared(size)
        if place is None:
            return None
        offset, moved = place
        gone = {each.stay for each in moved}
        self.inside = [each for each in self.inside if each.stay not in gone]
        moved.append(StayRange(offset, offset + size, stay))
        for each in moved:
            insort(self.inside, each)
        return moved

    def _in_gap(self, size: int) -> int | None:
        """Find an offset in the smallest gap, beside the neighbour that stays longer."""
        best: tuple[int, int] | None = None
        below = StayRange(0, 0, -1)
        for above in (*self.inside, self.border):
            gap = above.start - below.end
            if gap >= size and (best is None or gap < best[0]):
                longer = self._ends(above) > self._ends(below)
                best = gap, above.start - size if longer else below.end
            below = above
        return best[1] if best else None

    def _ends(self, each: StayRange) -> float:
        """Return the step at which a stay ends; the borders of the TCM never do."""
        return self.lives[each.stay].end if each.stay >= 0 else inf

    def _within(self, start: int, end: int) -> list[StayRange]:
        """List what has bytes in a window."""
        at = bisect_left(self.inside, StayRange(start, start, -1))
        first = at - 1 if at and self.inside[at - 1].end > start else at
        return self.inside[first : bisect_left(self.inside, StayRange(end, end, -1))]

    def _cleared(self, size: int) -> _Window | None:
        """Find the window whose stays move the fewest bytes."""
        windows = sorted(
            (sum(each.end - each.start for each in members), start, members)
            for start in self._starts(size)
            if all(map(self._can_move, members := self._within(start, start + size)))
        )
        self.blocking = windows[0][2] if windows else ()
        tried = (self._window(start, size) for _, start, _ in windows[:MOST_WINDOWS])
        return next((window for window in tried if window), None)

    def _window(self, start: int, size: int) -> _Window | None:
        """Clear a window: its start, and where its stays move to; None where they cannot."""
        members = self._within(start, start + size)
        if start + size > self.capacity or not all(map(self._can_move, members)):
            return None
        moved = self._moved(start, start + size, members)
        return None if moved is None else (start, moved)

    def _starts(self, size: int) -> Iterator[int]:
        """List the offsets at which a window begins or ends where a stay does, or the TCM."""
        ends = {0, *(each.end for each in self.inside)}
        begins = {self.capacity, *(each.start for each in self.inside)}
        starts = ends | {begin - size for begin in begins}
        return (start for start in starts if 0 <= start <= self.capacity - size)

    def _can_move(self, each: StayRange) -> bool:
        return self.lives[each.stay].start < self.step and self.step not in self.tied[each.stay]

    def _moved(self, start: int, end: int, members: Sequence[StayRange]) -> list[StayRange] | None:
        """Move what lies in a window to gaps outside it, the largest first."""
        taken = sorted([*self.inside, StayRange(start, end, -1), self.border])
        moved: list[StayRange] = []
        for each in sorted(members, key=lambda each: each.start - each.end):
            size = each.end - each.start
            offset = best_fit(taken, size)
            if offset + size > self.capacity:
                return None
            moved.append(StayRange(offset, offset + size, each.stay))
            # The window stays taken where the stay was.
            taken.remove(each)
            insort(taken, moved[-1])
        return moved

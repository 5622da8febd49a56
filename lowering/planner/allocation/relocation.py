"""Room in TCM for one buffer more: in a gap, or where others move out of the way or leave.

A buffer takes the smallest gap, beside the neighbour that stays longer. Where no gap is large
enough, buffers slide together, so that the gaps between them become one. Where some that may not
move keep too small gaps apart, a window of the TCM is cleared: what lies there moves to gaps
elsewhere, and what finds none leaves TCM. Of the windows with the fewest bytes, the one from which
the least has to leave is taken.

Cost: linear in the buffers in TCM; times a number of windows where one has to be cleared.

Example: capacity 4; a, b, c and d of 1 byte lie side by side. a and c end, and e of 2 bytes enters:
b slides to byte 0, and e takes bytes 1 and 2.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import accumulate
from math import inf
from typing import NamedTuple

from .offsets import best_fit

MOST_WINDOWS = 16
"""Windows that are tried for one buffer."""


class BufferRange(NamedTuple):
    """Bytes of TCM from `start` to before `end`, and the number of the buffer that has them."""

    start: int
    end: int
    buffer: int


@dataclass(frozen=True)
class Room:
    """Room at an offset: what moves for it, to where, and what lay there and has to leave."""

    offset: int
    moved: Sequence[BufferRange] = ()
    leaving: Sequence[BufferRange] = ()

    @property
    def moved_bytes(self) -> int:
        """The bytes that move within TCM."""
        return sum(each.end - each.start for each in self.moved)


@dataclass
class TcmMap:
    """The buffers in TCM by offset.

    `can_move` tells whether a buffer may move now, `price` what leaving costs it (None where it has
    to stay), `end` when it will leave.
    """

    capacity: int
    can_move: Callable[[int], bool]
    price: Callable[[int], int | None]
    end: Callable[[int], float]
    inside: list[BufferRange] = field(default_factory=list[BufferRange])
    ranges: dict[int, BufferRange] = field(default_factory=dict[int, BufferRange])

    def add(self, each: BufferRange) -> None:
        """Put a buffer into its range, which is free."""
        insort(self.inside, each)
        self.ranges[each.buffer] = each

    def remove(self, buffer: int) -> None:
        """Free the range of a buffer, if it has one."""
        each = self.ranges.pop(buffer, None)
        if each is not None:
            del self.inside[bisect_left(self.inside, each)]

    def room(self, size: int) -> Room | None:
        """Find room for a buffer, so that the least leaves and then the least moves."""
        offset = self._in_gap(size)
        if offset is not None:
            return Room(offset)
        ways = filter(None, (self._slid(size), self._in_window(size)))
        return min(ways, key=lambda room: (len(room.leaving), room.moved_bytes), default=None)

    def _in_gap(self, size: int) -> int | None:
        """Find an offset in the smallest gap, beside the neighbour that stays longer."""
        best: tuple[int, int] | None = None
        below, last = -1, 0
        for start, end, buffer in (*self.inside, BufferRange(self.capacity, self.capacity, -1)):
            gap = start - last
            if gap >= size and (best is None or gap < best[0]):
                longer = self._end(buffer) > self._end(below)
                best = gap, start - size if longer else last
            below, last = buffer, end
        return best[1] if best else None

    def _slid(self, size: int) -> Room | None:
        """Slide those buffers together, of the fewest bytes, between which enough is free."""
        ends = [0, *(each.end for each in self.inside)]
        taken = [0, *accumulate(each.end - each.start for each in self.inside)]
        best: tuple[float, int, int] | None = None
        first = 0
        for last, each in enumerate((*self.inside, BufferRange(self.capacity, self.capacity, -1))):
            # Free are the bytes between the end of what lies in front of `first` and this one.
            while first < last and _free(ends, taken, first + 1, last, each.start) >= size:
                first += 1
            if _free(ends, taken, first, last, each.start) >= size:
                best = min(best or (inf, 0, 0), (taken[last] - taken[first], first, last))
            if last < len(self.inside) and not self.can_move(each.buffer):
                first = last + 1
        if best is None:
            return None
        _, first, last = best
        shift, moved = ends[first], list[BufferRange]()
        for each in self.inside[first:last]:
            length = each.end - each.start
            if each.start > shift:
                moved.append(BufferRange(shift, shift + length, each.buffer))
            shift += length
        return Room(shift, moved)

    def _end(self, buffer: int) -> float:
        """Return the step at which a buffer leaves; the borders of the TCM never do."""
        return self.end(buffer) if buffer >= 0 else inf

    def _in_window(self, size: int) -> Room | None:
        """Clear the window from which the least has to leave, of those with the fewest bytes.

        A window begins or ends where a buffer does, or the TCM.
        """
        starts, ends = [r.start for r in self.inside], [r.end for r in self.inside]
        taken = [0, *accumulate(r.end - r.start for r in self.inside)]
        fixed = (not self.can_move(b) and self.price(b) is None for _, _, b in self.inside)
        stays = [0, *accumulate(fixed)]
        begins = {0, *ends, self.capacity - size, *(start - size for start in starts)}
        windows: list[tuple[int, int]] = []
        for start in (start for start in begins if 0 <= start <= self.capacity - size):
            first, last = bisect_right(ends, start), bisect_left(starts, start + size)
            if stays[first] == stays[last]:
                windows.append((taken[last] - taken[first], start))
        best: tuple[int, Room] | None = None
        for _, start in nsmallest(MOST_WINDOWS, windows):
            room = self._cleared(start, size)
            lost = sum(self.price(each.buffer) or 0 for each in room.leaving) if room else 0
            if room and (best is None or lost < best[0]):
                best = lost, room
            if best and not best[1].leaving:
                break
        return best[1] if best else None

    def _cleared(self, start: int, size: int) -> Room | None:
        """Clear a window, the largest buffers first; None where one of them has to stay."""
        first = bisect_left(self.inside, (start,))
        first -= bool(first and self.inside[first - 1].end > start)
        members = self.inside[first : bisect_left(self.inside, (start + size,))]
        border = BufferRange(self.capacity, self.capacity, -1)
        taken = sorted([*self.inside, BufferRange(start, start + size, -1), border])
        moved: list[BufferRange] = []
        leaving: list[BufferRange] = []
        for each in sorted(members, key=lambda each: each.start - each.end):
            length = each.end - each.start
            offset = best_fit(taken, length) if self.can_move(each.buffer) else self.capacity
            if offset + length <= self.capacity:
                moved.append(BufferRange(offset, offset + length, each.buffer))
                insort(taken, moved[-1])
            elif self.price(each.buffer) is None:
                return None
            else:
                leaving.append(each)
            # The window stays taken where the buffer was.
            taken.remove(each)
        return Room(start, moved, leaving)


def _free(ends: Sequence[int], taken: Sequence[int], first: int, last: int, start: int) -> int:
    """Count the bytes between the end of buffer `first` - 1 and a start that hold none."""
    return start - ends[first] - (taken[last] - taken[first])

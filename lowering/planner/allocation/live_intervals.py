"""Live intervals of tensors, and the least memory that they take together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ....dialects.value import round_up


@dataclass(frozen=True)
class LiveInterval:
    """A tensor's bytes and the steps, first and last included, at which it is alive."""

    name: str
    bytes: int
    start: int
    end: int


def aligned(intervals: Iterable[LiveInterval], alignment: int) -> list[LiveInterval]:
    """Round the bytes of intervals up to whole multiples of the alignment."""
    return [replace(live, bytes=round_up(live.bytes, alignment)) for live in intervals]


def peak_live(intervals: Sequence[LiveInterval], alignment: int = 1) -> int:
    """Find the largest sum of bytes alive at one step: no packing takes less memory."""
    lives = aligned(intervals, alignment)
    changes = [(live.start, live.bytes) for live in lives]
    changes += [(live.end + 1, -live.bytes) for live in lives]
    peak = total = 0
    for _, change in sorted(changes):
        total += change
        peak = max(peak, total)
    return peak


def neighbours(intervals: Sequence[LiveInterval]) -> list[list[int]]:
    """List for each interval the indices of those that it overlaps."""
    overlapping: list[list[int]] = [[] for _ in intervals]
    alive: list[int] = []
    for index in sorted(range(len(intervals)), key=lambda i: intervals[i].start):
        alive = [other for other in alive if intervals[other].end >= intervals[index].start]
        for other in alive:
            overlapping[other].append(index)
        overlapping[index].extend(alive)
        alive.append(index)
    return overlapping

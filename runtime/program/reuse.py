"""Reuse of memory: tensors without a stated offset share bytes where they never live together.

Greedy by size: the largest tensor first, each takes the lowest gap that the ones before it leave
among those that live at one of its steps. Cost: n numpy operations on n numbers.

Example: A (8 bytes, steps 0-1), B (4, 1-2), C (8, 2-3). A takes 0, C 0 as well, and B 8: 16 bytes
with gaps to spare, where one after the other takes 20.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...dialects.value.layout import round_up
from .live_intervals import Interval, live_intervals
from .program import Allocation, Program, Region
from .steps import KernelStep

_ORDERS: tuple[Callable[[Interval], tuple[int, ...]], ...] = (
    lambda live: (-live.nbytes, live.first),
    lambda live: (-live.nbytes * (live.last - live.first + 1), live.first),
    lambda live: (live.first, -live.nbytes),
)
"""By size, by area (bytes times steps) and by first step; the first that is best is taken."""


def reuse(program: Program, region: Region, start: int, alignment: int) -> int:
    """Move the tensors from `start` on to bytes that others no longer need; return the new end."""
    lives = [life for life in live_intervals(program, region) if life.allocation.offset >= start]
    lives.sort(key=lambda life: (life.allocation.offset, life.nbytes))
    olds = [life.allocation.offset for life in lives]
    news = packed(lives, alignment)

    def moved(at: Allocation) -> Allocation:
        if at.region is not region or at.offset < start or not lives:
            return at
        block = max(0, bisect_right(olds, at.offset) - 1)
        return replace(at, offset=start + news[block] + at.offset - olds[block])

    program.allocations.update({v: moved(at) for v, at in program.allocations.items()})
    for index, step in enumerate(program.steps):
        if isinstance(step, KernelStep) and step.scratch:
            program.steps[index] = replace(step, scratch=tuple(map(moved, step.scratch)))
    return max(
        (start + new + life.nbytes for new, life in zip(news, lives, strict=True)), default=0
    )


def packed(lives: Sequence[Interval], alignment: int) -> list[int]:
    """Find offsets, multiples of `alignment`, that keep tensors alive together apart."""
    sizes = [round_up(life.nbytes, alignment) for life in lives]
    bound = peak_live(lives, alignment)
    best, least = [0] * len(lives), -1
    for order in _ORDERS:
        if least == bound:
            break
        offsets = _placed(lives, sizes, order)
        peak = max((at + size for at, size in zip(offsets, sizes, strict=True)), default=0)
        if least < 0 or peak < least:
            best, least = offsets, peak
    return best


def peak_live(lives: Sequence[Interval], alignment: int) -> int:
    """Sum the bytes of the tensors that live at one step, at the step where they are most."""
    changes: dict[int, int] = {}
    for life in lives:
        nbytes = round_up(life.nbytes, alignment)
        changes[life.first] = changes.get(life.first, 0) + nbytes
        changes[life.last + 1] = changes.get(life.last + 1, 0) - nbytes
    most = now = 0
    for step in sorted(changes):
        now += changes[step]
        most = max(most, now)
    return most


def _placed(
    lives: Sequence[Interval], sizes: Sequence[int], order: Callable[[Interval], tuple[int, ...]]
) -> list[int]:
    first = np.array([life.first for life in lives], np.int64)
    last = np.array([life.last for life in lives], np.int64)
    starts, ends = np.zeros_like(first), np.zeros_like(first)
    placed = np.zeros(len(lives), bool)
    for index in sorted(range(len(lives)), key=lambda index: order(lives[index])):
        life = lives[index]
        near = np.flatnonzero(placed & (first <= life.last) & (last >= life.first))
        near = near[np.argsort(starts[near], kind="stable")]
        # A gap begins where all tensors so far have ended, and ends where the next one starts.
        begins = np.concatenate(([0], np.maximum.accumulate(ends[near])))
        fits = starts[near] - begins[:-1] >= sizes[index]
        starts[index] = begins[int(np.argmax(fits)) if fits.any() else -1]
        ends[index] = starts[index] + sizes[index]
        placed[index] = True
    return [int(start) for start in starts]

"""Byte offsets for tensors of known lifetimes: tensors that are never alive together may share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .lifetimes import Lifetime, aligned, neighbours, peak_live


@dataclass(frozen=True)
class Packing:
    """One offset per lifetime, in the order given, and the memory they take together."""

    offsets: tuple[int, ...]
    peak: int


Order = Callable[[Lifetime], tuple[int, ...]]

_ORDERS: tuple[Order, ...] = (
    lambda life: (life.start, -life.bytes),
    lambda life: (-life.bytes, life.start),
    lambda life: (-life.bytes * (life.end - life.start + 1), life.start),
    lambda life: (life.start - life.end, -life.bytes),
    lambda life: (-life.end, -life.bytes),
)
"""By start, size, area (bytes times steps), length and end; the cheapest to satisfy first."""


def pack(lifetimes: Sequence[Lifetime], capacity: int, alignment: int) -> Packing | None:
    """Offsets that keep tensors alive together apart, or None where no order tried fits.

    Offsets are multiples of `alignment` and no tensor reaches beyond `capacity` bytes. Of the
    greedy orders the one with the lowest peak wins; the search ends early at the lower bound.
    """
    bound = peak_live(lifetimes, alignment)
    if bound > capacity:
        return None
    lives = aligned(lifetimes, alignment)
    met = neighbours(lives)
    best: Packing | None = None
    for order in _ORDERS:
        found = _greedy(lives, met, sorted(range(len(lives)), key=lambda i: order(lives[i])))
        if best is None or found.peak < best.peak:
            best = found
        if best.peak == bound:
            break
    return best if best is not None and best.peak <= capacity else None


def _greedy(
    lives: Sequence[Lifetime], met: Sequence[Sequence[int]], order: Sequence[int]
) -> Packing:
    offsets: list[int | None] = [None] * len(lives)
    for index in order:
        taken = sorted(
            (offset, offset + lives[other].bytes)
            for other in met[index]
            if (offset := offsets[other]) is not None
        )
        offsets[index] = best_fit(taken, lives[index].bytes)
    placed = tuple(offset or 0 for offset in offsets)
    tops = (offset + life.bytes for offset, life in zip(placed, lives, strict=True))
    return Packing(placed, max(tops, default=0))


def best_fit(taken: Sequence[tuple[int, int]], size: int) -> int:
    """The start of the smallest gap that holds `size` bytes, else the end of all taken ranges.

    `taken` are (start, end) ranges sorted by start; they may overlap each other.
    """
    best: tuple[int, int] | None = None
    top = 0
    for start, end in taken:
        gap = start - top
        if gap >= size and (best is None or gap < best[0]):
            best = (gap, top)
        top = max(top, end)
    return best[1] if best is not None else top

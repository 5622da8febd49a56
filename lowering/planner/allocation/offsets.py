"""Byte offsets for tensors of known lifetimes: tensors that are never alive together may share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .lifetimes import Lifetime, aligned, neighbours, peak_live
from .packing.effort import default_effort
from .packing.exact import Outcome, pack_exactly


@dataclass(frozen=True)
class Packing:
    """One offset per lifetime, in the order given, and the memory they take together.

    No packing of these lifetimes takes less than `bound` bytes.
    """

    offsets: tuple[int, ...]
    peak: int
    bound: int

    @property
    def optimal(self) -> bool:
        """Whether no packing takes less memory."""
        return self.peak == self.bound


Order = Callable[[Lifetime], tuple[int, ...]]

_ORDERS: tuple[Order, ...] = (
    lambda life: (life.start, -life.bytes),
    lambda life: (-life.bytes, life.start),
    lambda life: (-life.bytes * (life.end - life.start + 1), life.start),
    lambda life: (life.start - life.end, -life.bytes),
    lambda life: (-life.end, -life.bytes),
)
"""By start, size, area (bytes times steps), length and end; the cheapest to satisfy first."""


_ROUNDS = 60
_WORK = 500_000
"""Repair: the most rounds for each order, and the most pairs looked at in all of them."""


def pack(
    lifetimes: Sequence[Lifetime], capacity: int, alignment: int, effort: int | None = None
) -> Packing | None:
    """Offsets that keep tensors alive together apart, or None where none were found.

    Offsets are multiples of `alignment` and no tensor reaches beyond `capacity` bytes. First come
    greedy orders, of which the one with the lowest peak wins; where none fits, the tensors that
    stick out move forward in each order, again and again; last comes a search that places tensors
    at most `effort` times (a default that takes seconds; 0 for no search).
    """
    bound = peak_live(lifetimes, alignment)
    if bound > capacity:
        return None
    lives = aligned(lifetimes, alignment)
    problem = _Problem(lives, bound)
    best = problem.best_greedy()
    if best.peak <= capacity:
        return best
    repaired = problem.repaired(capacity)
    if repaired is not None:
        return repaired
    found = pack_exactly(lives, _floor(capacity, alignment), _effort(effort, len(lives)))
    return problem.packing(found.offsets) if found.outcome is Outcome.FOUND else None


def pack_tightly(
    lifetimes: Sequence[Lifetime], alignment: int, effort: int | None = None
) -> Packing:
    """Offsets with as low a peak as greedy orders and then searches for less find.

    `bound` of the result is raised by what the searches show to be impossible.
    """
    lives = aligned(lifetimes, alignment)
    low = bound = peak_live(lifetimes, alignment)
    best = _Problem(lives, bound).best_greedy()
    left = _effort(effort, len(lives))
    target = low
    while low < best.peak and left > 0:
        found = pack_exactly(lives, target, left)
        left -= found.placements
        if found.outcome is Outcome.FOUND:
            best = _Problem(lives, bound).packing(found.offsets)
        else:
            low = target + alignment
            bound = low if found.outcome is Outcome.IMPOSSIBLE else bound
        target = _floor((low + best.peak) // 2, alignment)
    return replace(best, bound=bound)


def _floor(size: int, alignment: int) -> int:
    return size // alignment * alignment


def _effort(effort: int | None, tensors: int) -> int:
    return default_effort(tensors) if effort is None else effort


class _Problem:
    """Lifetimes of aligned sizes, and which of them are alive together."""

    def __init__(self, lives: Sequence[Lifetime], bound: int) -> None:
        self.lives = lives
        self.bound = bound
        self.met = neighbours(lives)

    def sorted_by(self, order: Order) -> list[int]:
        return sorted(range(len(self.lives)), key=lambda index: order(self.lives[index]))

    def greedy(self, order: Sequence[int]) -> Packing:
        """Each tensor in turn into the smallest gap that the ones before it leave."""
        offsets: list[int | None] = [None] * len(self.lives)
        for index in order:
            taken = sorted(
                (offset, offset + self.lives[other].bytes)
                for other in self.met[index]
                if (offset := offsets[other]) is not None
            )
            offsets[index] = best_fit(taken, self.lives[index].bytes)
        return self.packing(tuple(offset or 0 for offset in offsets))

    def best_greedy(self) -> Packing:
        """The lowest peak of the orders; ends early at the bound."""
        best = self.greedy(self.sorted_by(_ORDERS[0]))
        for order in _ORDERS[1:]:
            if best.optimal:
                break
            best = min(best, self.greedy(self.sorted_by(order)), key=lambda p: p.peak)
        return best

    def packing(self, offsets: tuple[int, ...]) -> Packing:
        return Packing(offsets, max(self.tops(offsets), default=0), self.bound)

    def tops(self, offsets: Sequence[int]) -> list[int]:
        return [at + life.bytes for at, life in zip(offsets, self.lives, strict=True)]

    def repaired(self, capacity: int) -> Packing | None:
        """The first packing that fits while what sticks out moves to the front or half way."""
        pairs = sum(map(len, self.met)) + 1
        for start in _ORDERS:
            order = self.sorted_by(start)
            for round_ in range(min(_ROUNDS, _WORK // (pairs * len(_ORDERS)))):
                packing = self.greedy(order)
                if packing.peak <= capacity:
                    return packing
                for index, top in enumerate(self.tops(packing.offsets)):
                    if top > capacity:
                        position = order.index(index)
                        order.insert(position // 2 if round_ % 2 else 0, order.pop(position))
        return None


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

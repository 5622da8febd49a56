"""Offset packing: byte offsets for live intervals; tensors never alive together may share bytes.

Three stages, each tried only where the one before does not fit. Greedy: in each of five orders,
every tensor takes the smallest gap that its neighbours leave (best fit). Repair: tensors that stick
out move forward in their order, and the greedy stage runs again. Search: exact, see `packing`.

Cost: greedy is quadratic in tensors alive together; repair looks at 500,000 pairs at most; the
search has a limit of placements.

Example: A (1 byte, step 0), B (1, steps 0-1), C (2, step 1). By start A takes 0, B 1 and C 2, a
peak of 4. By size C takes 0, A 0 and B, which meets both, 2: a peak of 3, which is the bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .live_intervals import LiveInterval, aligned, neighbours, peak_live
from .packing.exact import SearchEnd, pack_exactly
from .packing.run import default_effort


@dataclass(frozen=True)
class Packing:
    """One offset per live interval, in their order, and the memory they take together.

    No packing of these intervals takes less than `bound` bytes.
    """

    offsets: tuple[int, ...]
    peak: int
    bound: int

    @property
    def optimal(self) -> bool:
        """True where no packing takes less memory."""
        return self.peak == self.bound


Order = Callable[[LiveInterval], tuple[int, ...]]


def _by_length(live: LiveInterval) -> tuple[int, ...]:
    return live.start - live.end, -live.bytes


_ORDERS: tuple[Order, ...] = (
    lambda live: (live.start, -live.bytes),
    lambda live: (-live.bytes, live.start),
    lambda live: (-live.bytes * (live.end - live.start + 1), live.start),
    _by_length,
    lambda live: (-live.end, -live.bytes),
)
"""By start, size, area (bytes times steps), length and end; the cheapest to satisfy first."""


_ROUNDS = 60
"""Rounds of the repair stage for each order."""
_WORK = 500_000
"""Pairs of tensors that the repair stage looks at in all rounds."""


def pack(
    intervals: Sequence[LiveInterval], capacity: int, alignment: int, effort: int | None = None
) -> Packing | None:
    """Find offsets that keep tensors alive together apart; None where none were found.

    Offsets are multiples of `alignment` and no tensor reaches beyond `capacity` bytes. `effort`
    bounds the placements of the search (by default a few seconds of them; 0 for no search).
    """
    bound = peak_live(intervals, alignment)
    if bound > capacity:
        return None
    lives = aligned(intervals, alignment)
    problem = _Problem(lives, bound)
    # Greedy: the order with the lowest peak wins.
    best = problem.best_greedy()
    if best.peak <= capacity:
        return best
    # Repair.
    repaired = problem.repaired(capacity)
    if repaired is not None:
        return repaired
    # Search.
    effort = default_effort(len(lives)) if effort is None else effort
    ended = pack_exactly(lives, capacity // alignment * alignment, effort)
    return problem.packing(ended.offsets) if ended.outcome is SearchEnd.FOUND else None


def pack_tightly(
    intervals: Sequence[LiveInterval], alignment: int, effort: int | None = None
) -> Packing:
    """Find offsets with as low a peak as the greedy stage and a bisection with searches find.

    `bound` of the result is raised by what the searches show to be impossible.
    """
    lives = aligned(intervals, alignment)
    low = bound = peak_live(intervals, alignment)
    best = _Problem(lives, bound).best_greedy()
    left = default_effort(len(lives)) if effort is None else effort
    target = low
    while low < best.peak and left > 0:
        ended = pack_exactly(lives, target, left)
        left -= ended.placements
        if ended.outcome is SearchEnd.FOUND:
            best = _Problem(lives, bound).packing(ended.offsets)
        else:
            low = target + alignment
            bound = low if ended.outcome is SearchEnd.IMPOSSIBLE else bound
        target = (low + best.peak) // 2 // alignment * alignment
    return replace(best, bound=bound)


class _Problem:
    """Live intervals of aligned sizes, and the neighbours of each."""

    def __init__(self, lives: Sequence[LiveInterval], bound: int) -> None:
        self.lives = lives
        self.bound = bound
        self.neighbours = neighbours(lives)

    def sorted_by(self, order: Order) -> list[int]:
        return sorted(range(len(self.lives)), key=lambda index: order(self.lives[index]))

    def greedy(self, order: Sequence[int]) -> Packing:
        """Put each tensor in turn into the smallest gap that the ones before it leave."""
        offsets: list[int | None] = [None] * len(self.lives)
        for index in order:
            taken = sorted(
                (offset, offset + self.lives[other].bytes)
                for other in self.neighbours[index]
                if (offset := offsets[other]) is not None
            )
            offsets[index] = best_fit(taken, self.lives[index].bytes)
        return self.packing(tuple(offset or 0 for offset in offsets))

    def best_greedy(self) -> Packing:
        """Take the lowest peak of the orders; end early at the bound."""
        best = self.greedy(self.sorted_by(_ORDERS[0]))
        for order in _ORDERS[1:]:
            if best.optimal:
                break
            best = min(best, self.greedy(self.sorted_by(order)), key=lambda p: p.peak)
        return best

    def packing(self, offsets: tuple[int, ...]) -> Packing:
        return Packing(offsets, max(self.tops(offsets), default=0), self.bound)

    def tops(self, offsets: Sequence[int]) -> list[int]:
        return [at + live.bytes for at, live in zip(offsets, self.lives, strict=True)]

    def repaired(self, capacity: int) -> Packing | None:
        """Move what sticks out to the front or half way there, until a packing fits."""
        pairs = sum(map(len, self.neighbours)) + 1
        rounds = min(_ROUNDS, _WORK // (pairs * len(_ORDERS)))
        for order in map(self.sorted_by, _ORDERS):
            for number in range(rounds):
                packing = self.greedy(order)
                if packing.peak <= capacity:
                    return packing
                for index, top in enumerate(self.tops(packing.offsets)):
                    if top > capacity:
                        position = order.index(index)
                        order.insert(position // 2 if number % 2 else 0, order.pop(position))
        return None


def best_fit(taken: Sequence[tuple[int, ...]], size: int) -> int:
    """Find the start of the smallest gap of at least `size` bytes, else the end of all ranges.

    `taken` are ranges by start and end, sorted by start; they may overlap each other.
    """
    best: tuple[int, int] | None = None
    top = 0
    for start, end, *_ in taken:
        gap = start - top
        if gap >= size and (best is None or gap < best[0]):
            best = (gap, top)
        top = max(top, end)
    return best[1] if best is not None else top

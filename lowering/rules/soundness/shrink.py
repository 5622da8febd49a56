"""Shrinking of a counterexample by delta debugging of its recorded draws.

Rows are tried in which a block of draws is 0, from the whole row down to single draws, then rows
with one draw halved or one less; the first that still fails is the new start. The search ends where
no such row fails, or after 400 trials, each of which makes and runs one case.

Example: the draws (3, 17, 2) fail. (0, 0, 0) passes, (0, 17, 2) fails and is the new start; from it
(0, 0, 2) passes, (0, 17, 0) fails; then (0, 8, 0) and so on, until no smaller row fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .run import Failure

Draws = tuple[int, ...]
_TRIALS = 400
"""Maximum number of cases that are tried."""


def shrink(failure: Failure, fails: Callable[[Draws], Failure | None]) -> Failure:
    """Return the simplest failing case that a bounded number of trials gives."""
    trials = _TRIALS
    improved = True
    while improved:
        improved = False
        for draws in _simpler(failure.case.draws):
            trials -= 1
            if trials < 0:
                return failure
            smaller = fails(draws)
            if smaller is not None and _size(smaller.case.draws) < _size(failure.case.draws):
                failure, improved = smaller, True
                break
    return failure


def _size(draws: Draws) -> tuple[int, Draws]:
    return len(draws), draws


def _simpler(draws: Sequence[int]) -> Iterator[Draws]:
    """Yield simpler rows, the simplest first."""
    # Blocks of zeros, from the whole row down to single draws.
    block = len(draws)
    while block:
        for start in range(0, len(draws), block):
            part = draws[start : start + block]
            if any(part):
                yield (*draws[:start], *[0] * len(part), *draws[start + block :])
        block //= 2
    # One draw halved, or one less.
    for place, value in enumerate(draws):
        for less in dict.fromkeys((value // 2, value - 1)):
            if 0 < less < value:
                yield (*draws[:place], less, *draws[place + 1 :])

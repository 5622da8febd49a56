"""Making a counterexample small: smaller choices, as long as the rule still breaks the case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .run import Failure

Made = tuple[int, ...]
_TRIALS = 400


def shrink(failure: Failure, fails: Callable[[Made], Failure | None]) -> Failure:
    """The simplest failing case that a bounded number of trials finds."""
    trials = _TRIALS
    improved = True
    while improved:
        improved = False
        for made in _simpler(failure.case.made):
            trials -= 1
            if trials < 0:
                return failure
            found = fails(made)
            if found is not None and _size(found.case.made) < _size(failure.case.made):
                failure, improved = found, True
                break
    return failure


def _size(made: Made) -> tuple[int, Made]:
    return len(made), made


def _simpler(made: Sequence[int]) -> Iterator[Made]:
    """Rows of choices that are simpler: zeros in blocks, from large to single, then less."""
    block = len(made)
    while block:
        for start in range(0, len(made), block):
            if any(made[start : start + block]):
                yield (
                    *made[:start],
                    *[0] * len(made[start : start + block]),
                    *made[start + block :],
                )
        block //= 2
    for place, value in enumerate(made):
        for less in dict.fromkeys((value // 2, value - 1)):
            if 0 < less < value:
                yield (*made[:place], less, *made[place + 1 :])

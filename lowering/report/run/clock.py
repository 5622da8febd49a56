"""A clock that stands still while a recorder works, so that times are those of the passes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Clock:
    """Seconds, without those of the blocks in which it was stopped."""

    def __init__(self) -> None:
        self._stopped = 0.0

    def now(self) -> float:
        """Return the seconds since some moment."""
        return perf_counter() - self._stopped

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock inside the block."""
        start = perf_counter()
        try:
            yield
        finally:
            self._stopped += perf_counter() - start

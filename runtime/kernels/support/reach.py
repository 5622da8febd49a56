"""The keys that the queries of an attention attend to, in tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Reach:
    """The keys that queries attend to: those from `first` to `last` after their own number."""

    first: int
    last: int
    keys: int

    def tiles(self, rows: slice, size: int) -> Iterator[slice]:
        """Yield tiles of the keys that one of these queries attends to."""
        end = min(rows.stop + self.last, self.keys)
        for start in range(max(rows.start + self.first, 0), end, size):
            yield slice(start, min(start + size, end))

    def bounds(self, rows: slice, keys: slice) -> tuple[int, int] | None:
        """Bound the keys that each query attends to, numbered like the queries from 0 in a tile.

        None where each of these queries attends to all of these keys.
        """
        offset = keys.start - rows.start
        least, most = offset - (rows.stop - 1 - rows.start), keys.stop - 1 - rows.start
        if self.first <= least and most <= self.last:
            return None
        return self.first - offset, self.last - offset

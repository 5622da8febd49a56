"""The difference of two lists of distinct numbers: patience diff, in O(n log n).

Numbers of both lists whose order is the same stay; of several choices the longest is taken, by the
longest increasing subsequence of their positions. All others were removed or added, and one that
only moved is both.

Example: 1 2 3 4 to 1 3 2 5 keeps 1 and 2 (or 3), so it removes 3 and 4 and adds 3 and 5.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Part = tuple[str, int]
"""A sign (`-`, `+` or a space) and a number; `@` and the count of numbers that are left out."""
_CONTEXT = 2
"""Numbers that are shown around a change."""


@dataclass(frozen=True)
class LineDifference:
    """Numbers added and removed, and the first parts of the difference."""

    added: int
    removed: int
    parts: tuple[Part, ...]
    is_cut: bool = False

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def difference(old: Sequence[int], new: Sequence[int], limit: int) -> LineDifference:
    """Compare two lists of distinct numbers; of more than `limit` parts the rest is cut."""
    if old == new:
        return LineDifference(0, 0, ())
    kept = set(_kept(old, new))
    parts: list[Part] = []
    for part in _hunks(list(_merged(old, new, kept))):
        if len(parts) == limit:
            return LineDifference(len(new) - len(kept), len(old) - len(kept), tuple(parts), True)
        parts.append(part)
    return LineDifference(len(new) - len(kept), len(old) - len(kept), tuple(parts))


def _kept(old: Sequence[int], new: Sequence[int]) -> Iterator[int]:
    """Yield the longest common subsequence, the last number first."""
    positions = {number: index for index, number in enumerate(old)}
    common = [number for number in new if number in positions]
    ends: list[int] = []
    tails: list[int] = []
    before: list[int] = []
    for index, number in enumerate(common):
        length = bisect_left(ends, positions[number])
        before.append(tails[length - 1] if length else -1)
        ends[length : length + 1] = [positions[number]]
        tails[length : length + 1] = [index]
    index = tails[-1] if tails else -1
    while index >= 0:
        yield common[index]
        index = before[index]


def _merged(old: Sequence[int], new: Sequence[int], kept: set[int]) -> Iterator[Part]:
    """Yield both lists as one: between two kept numbers first the removed, then the added."""
    place = 0
    for number in new:
        if number in kept:
            while old[place] != number:
                yield "-", old[place]
                place += 1
            place += 1
            yield " ", number
            continue
        while place < len(old) and old[place] not in kept:
            yield "-", old[place]
            place += 1
        yield "+", number
    yield from (("-", number) for number in old[place:])


def _hunks(parts: Sequence[Part]) -> Iterator[Part]:
    """Leave out what is far from a change."""
    changed = [index for index, (sign, _) in enumerate(parts) if sign != " "]
    near: list[int] = []
    for index in changed:
        first = max(index - _CONTEXT, near[-1] + 1 if near else 0)
        near += range(first, min(index + _CONTEXT + 1, len(parts)))
    shown = -1
    for index in near:
        if index > shown + 1:
            yield "@", index - shown - 1
        yield parts[index]
        shown = index
    if len(parts) > shown + 1:
        yield "@", len(parts) - shown - 1

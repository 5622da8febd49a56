"""The difference of two lists of distinct numbers, by difflib.

One that only moved is removed and added.

Example: 1 2 3 4 to 1 3 2 5 keeps 1 and 2 (or 3), so it removes 3 and 4 and adds 3 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

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
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    kept = sum(block.size for block in matcher.get_matching_blocks())
    parts = tuple(islice(_parts(matcher, old, new), limit + 1))
    is_cut = len(parts) > limit
    return LineDifference(len(new) - kept, len(old) - kept, parts[:limit], is_cut)


def _parts(matcher: SequenceMatcher[int], old: Sequence[int], new: Sequence[int]) -> Iterator[Part]:
    """Yield what changed and what is near; a count stands between for the rest."""
    shown = 0
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        if group[0][1] > shown:
            yield "@", group[0][1] - shown
        for tag, first, end, new_first, new_end in group:
            sign = " " if tag == "equal" else "-"
            yield from ((sign, number) for number in old[first:end])
            if tag != "equal":
                yield from (("+", number) for number in new[new_first:new_end])
        shown = group[-1][2]
    if shown < len(old):
        yield "@", len(old) - shown

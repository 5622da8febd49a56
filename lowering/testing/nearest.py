"""The line of a text that is nearest to a directive that no line matches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

_PARTS = re.compile(r"\{\{.*?\}\}|\[\[(\$?\w+)(:.*?)?\]\]")
_LEAST = 0.4
"""The least similarity of a line that is shown, from 0 to 1."""
_AROUND = 1
_SHOWN = 12


def wanted_text(pattern: str, variables: Mapping[str, str | int]) -> str:
    """Return a directive's text with the values of its variables, without what may be anything."""
    return _PARTS.sub(lambda match: str(variables.get(match[1], "")), pattern).strip()


def nearest(wanted: str, lines: Sequence[str], first: int, last: int) -> int | None:
    """Return the number of the nearest of the lines from `first` to `last`, counted from 1.

    None where no line is like it; the earliest of several.
    """
    scores = {
        number: _likeness(wanted, lines[number - 1].strip())
        for number in range(first, min(last, len(lines)) + 1)
    }
    best = max(scores, key=lambda number: (scores[number], -number), default=None)
    return best if best is not None and scores[best] >= _LEAST else None


def _likeness(wanted: str, line: str) -> float:
    """Compare two texts; a short one counts by the part of it that a long line has."""
    matcher = SequenceMatcher(None, wanted, line, autojunk=False)
    if matcher.real_quick_ratio() < _LEAST:
        common = sum(block.size for block in matcher.get_matching_blocks() if block.size > 2)
        return common / max(len(wanted), 1) * 0.9
    return matcher.ratio()


def excerpt(lines: Sequence[str], first: int, marked: int | None) -> list[str]:
    """List the lines around the marked one and the one at `first`, with their numbers."""
    centres = [first] if marked is None else [first, marked]
    shown = sorted(
        {
            number
            for centre in centres
            for number in range(centre - _AROUND, centre + _AROUND + 1)
            if 1 <= number <= len(lines)
        }
    )[:_SHOWN]
    return [
        f"  {'>' if number == marked else ' '} {number:4} | {lines[number - 1]}" for number in shown
    ]

"""The spelling of numbers of things in messages."""

from __future__ import annotations


def counted(count: int, word: str, plural: str = "s") -> str:
    """Write a number of things: `1 pass`, `2 passes` where the plural ends in `es`."""
    return f"{count} {word}{plural * (count != 1)}"

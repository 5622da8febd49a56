"""Lines of the texts that were read, for errors about an op that comes from one of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from os import stat
from pathlib import Path

from ..diagnostics import Position

STDIN_NAME = "<stdin>"
"""The name of standard input in places and errors."""
_MOST = 16
"""Texts that are remembered."""
_LONGEST = 1 << 20
"""The largest number of characters of standard input that are kept."""


@dataclass(frozen=True)
class _File:
    """A file of lines, with its size and time when it was read: a later one has other lines."""

    path: Path
    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> _File | None:
        try:
            facts = stat(path)
        except (OSError, ValueError):
            return None
        return cls(path.absolute(), facts.st_size, facts.st_mtime_ns)

    def line(self, number: int) -> str | None:
        if _File.of(self.path) != self:
            return None
        with open(self.path, encoding="utf-8", errors="replace") as lines:
            return next(islice(lines, number - 1, number), None)


@dataclass(frozen=True)
class _Text:
    """A text of no file."""

    text: str

    def line(self, number: int) -> str | None:
        return next(islice(self.text.split("\n"), number - 1, number), None)


_READ: dict[str, _File | _Text] = {}


def remember(name: str, text: str) -> None:
    """Remember a text that is read, for `source_line`: a file, or standard input.

    A later text of the same name takes its place.
    """
    kept = _Text(text) if name == STDIN_NAME and len(text) <= _LONGEST else _File.of(Path(name))
    _READ.pop(name, None)
    if kept:
        _READ[name] = kept
    for oldest in list(_READ)[:-_MOST]:
        del _READ[oldest]


def source_line(place: Position) -> str | None:
    """Return the line of a place; None where its text was not read here, or has changed since."""
    known = _READ.get(place.file)
    line = known.line(place.line) if known else None
    return None if line is None else line.rstrip("\r\n")

"""The place of a rule in its file: a link to the file, and the lines of the rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent

_LINES = 40
"""The most lines of a rule that are shown."""


def link(where: str) -> str:
    """Return the URL of the file that a rule is in; empty where there is no such file."""
    path = Path(where.rpartition(":")[0])
    return path.resolve().as_uri() if path.is_file() else ""


def source(where: str) -> str:
    """Return the text of a rule, from its line to the bracket that ends it."""
    name, _, number = where.rpartition(":")
    if not number.isdecimal():
        return ""
    return dedent("\n".join(_until_closed(_lines(name)[int(number) - 1 :])))


def _until_closed(lines: tuple[str, ...]) -> Iterator[str]:
    depth = 0
    for line in lines[:_LINES]:
        yield line
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            return


@cache
def _lines(name: str) -> tuple[str, ...]:
    path = Path(name)
    return tuple(path.read_text(errors="replace").splitlines()) if path.is_file() else ()

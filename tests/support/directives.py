"""Checks on filecheck directives that filecheck itself lets pass."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .run_lines import RunLineError

_SUFFIX = r"(-(DAG|COUNT-\d+|NOT|EMPTY|NEXT|SAME|LABEL))?(\{LITERAL\})?:"


def reject_unknown_directives(text: str, prefixes: Sequence[str]) -> None:
    """Raise RunLineError at the first comment that starts as a directive and is none.

    filecheck skips `CHECK-NEX:` or `CHECK-NEXT` without a colon in silence, so that such a line
    checks nothing.
    """
    known = "|".join(map(re.escape, prefixes))
    looks_like_one = re.compile(rf"^\s*//\s*((?:{known})(?![A-Za-z0-9])\S*)")
    is_one = re.compile(rf"(?:{known}){_SUFFIX}")
    for number, line in enumerate(text.splitlines(), start=1):
        match = looks_like_one.match(line)
        if match is not None and not is_one.match(match[1]):
            raise RunLineError(f"line {number}: '{match[1]}' is no directive of filecheck")

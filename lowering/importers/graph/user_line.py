"""The user's line of Python that a node of a model comes from."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, LocationAttr, StringAttr

_FRAME = re.compile(r'File "(.+?)", line (\d+)')
_PYTORCH = re.compile(r"-packages[/\\]torch[/\\]|[/\\]torch[/\\](nn[/\\]|_)")
"""In the path of a file of PyTorch, installed or in its sources; a user may have a folder torch."""


def user_line(trace: str) -> str:
    """Return `file:line` of the innermost frame of a trace that is not PyTorch's; else empty."""
    frames = _FRAME.findall(trace)
    own = [frame for frame in frames if not _PYTORCH.search(frame[0])]
    return ":".join((own or frames)[-1]) if frames else ""


def place(line: str) -> LocationAttr:
    """Return `file:line` as a location; the column is 1, unknown where the text is empty."""
    file, _, number = line.rpartition(":")
    if not file:
        return UNKNOWN_LOC
    return FileLineColLoc(StringAttr(file), IntAttr(int(number)), IntAttr(1))

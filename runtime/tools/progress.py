"""A line on the terminal that says how far a long run is, and that leaves no trace."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

Show = Callable[[str], None]
"""Shows a text in place of the last one; the empty text wipes the line, for other output."""

_STREAM: ContextVar[TextIO | None] = ContextVar("progress", default=None)
"""The stream of the process's standard error, also while a tool holds that back."""
_WIPE = "\r\x1b[K"
_COLUMNS = 80
"""Width of a terminal that does not tell its own, in columns."""


@contextmanager
def progress_on(stream: TextIO) -> Iterator[None]:
    """Show progress on a stream inside the block."""
    token = _STREAM.set(stream)
    try:
        yield
    finally:
        _STREAM.reset(token)


@contextmanager
def progress() -> Iterator[Show]:
    """Give the function that shows progress; where nobody could see the line it does nothing."""
    stream = _STREAM.get()
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda text: None
        return
    terminal = stream

    def show(text: str) -> None:
        terminal.write(_WIPE + text[: _columns(terminal) - 1])
        terminal.flush()

    try:
        yield show
    finally:
        show("")


def _columns(stream: TextIO) -> int:
    """Return the width of a terminal; a line that is longer would leave its first part behind."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    except OSError:
        return _COLUMNS

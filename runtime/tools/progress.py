"""A line on the terminal that says how far a long run is, and that leaves no trace."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import StringIO
from typing import TextIO

Show = Callable[[str], None]
"""Shows a text in place of the last one; the empty text wipes the line, for other output."""

_WIPE = "\r\x1b[K"
_COLUMNS = 80
"""Width of a terminal that does not tell its own, in columns."""


class _Line:
    """The last line of a terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self.terminal = terminal
        self._is_shown = False

    def show(self, text: str) -> None:
        """Show a text in place of the last one."""
        self._is_shown = bool(text)
        self.terminal.write(_WIPE + text[: _columns(self.terminal) - 1])
        self.terminal.flush()

    def wipe(self) -> None:
        """Wipe the line, if it shows anything."""
        if self._is_shown:
            self.show("")


class _Above(StringIO):
    """A terminal's stream for all other text, which wipes the line first."""

    def __init__(self, line: _Line) -> None:
        super().__init__()
        self._line = line

    def write(self, text: str) -> int:
        self._line.wipe()
        count = self._line.terminal.write(text)
        self._line.terminal.flush()
        return count

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._line.terminal.fileno()


_LINE: ContextVar[_Line | None] = ContextVar("progress", default=None)


@contextmanager
def progress_on(stream: TextIO) -> Iterator[TextIO]:
    """Show progress on a stream inside the block; give the stream for all other text on it."""
    can_wipe = stream.isatty() and os.environ.get("TERM") != "dumb"
    line = _Line(stream) if can_wipe else None
    token = _LINE.set(line)
    try:
        yield _Above(line) if line else stream
    finally:
        _LINE.reset(token)


@contextmanager
def progress() -> Iterator[Show]:
    """Give the function that shows progress; where nobody could see the line it does nothing."""
    line = _LINE.get()
    if line is None:
        yield lambda text: None
        return
    try:
        yield line.show
    finally:
        line.show("")


def wipe_progress() -> None:
    """Wipe the line before text on another stream of the same terminal."""
    if line := _LINE.get():
        line.wipe()


def _columns(stream: TextIO) -> int:
    """Return the width of a terminal; a line that is longer would leave its first part behind."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    except OSError:
        return _COLUMNS

"""Facts in the traceback of an error: the line that a user wrote, and the op at hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from types import FrameType

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

_OWN = __name__.partition(".")[0]
_LIBRARIES = frozenset({"numpy", "scipy", "xdsl", "ortools", *sys.stdlib_module_names})


def raised(error: BaseException) -> str:
    """Put what a user's function raised on one line: `ValueError: beta is negative, at my.py:12`.

    The line is the innermost one of the user's code; without any, the innermost of the project's.
    """
    place = user_line(error) or _line(error, _LIBRARIES)
    return f"{described(error)}, at {place}" if place else described(error)


def described(error: BaseException) -> str:
    """Put an error on one line: `ValueError: beta is negative`."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def user_line(error: BaseException) -> str:
    """Return `file:line` of the innermost code that is no library's and not the project's."""
    return _line(error, {_OWN, *_LIBRARIES})


def op_at_hand(error: BaseException) -> Operation | None:
    """Return the op that the innermost call was about: an argument of it, and no whole module."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        for value in _arguments(frame):
            if isinstance(value, Operation) and not isinstance(value, ModuleOp):
                return value
    return None


def _arguments(frame: FrameType) -> Iterator[object]:
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return (frame.f_locals[name] for name in names if name in frame.f_locals)


def _line(error: BaseException, without: frozenset[str] | set[str]) -> str:
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] not in without:
            return f"{_short(Path(frame.f_code.co_filename))}:{line}"
    return ""


def _short(path: Path) -> Path:
    """Write a path from the working directory on, if it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path

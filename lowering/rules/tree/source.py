"""Where in the user's Python file a rule is being written."""

from __future__ import annotations

import inspect
import os

from ....dialects.diagnostics import HtpError, fail

_RULES = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
"""The folder of the rule language, whose frames are passed over."""


def caller() -> str:
    """`file.py:12` of the nearest frame outside the rule language."""
    frame = inspect.currentframe()
    while frame and os.path.abspath(frame.f_code.co_filename).startswith(_RULES):
        frame = frame.f_back
    if frame is None:
        return "unknown place"
    return f"{_short(frame.f_code.co_filename)}:{frame.f_lineno}"


def ill_typed(found: str, remedy: str) -> HtpError:
    """The error for a rule that cannot be right, naming where it is written."""
    return fail(caller(), found, remedy)


def _short(path: str) -> str:
    here = os.getcwd() + os.sep
    return path.removeprefix(here)

"""The place in the user's Python file at which a rule is written."""

import inspect
import os

from ....dialects.diagnostics import HtpError, fail
from ....dialects.locations import shown_path

_RULES = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
"""The folder of the rule language, whose frames are skipped."""


def caller() -> str:
    """Return `/path/file.py:12` of the nearest frame outside the rule language."""
    frame = inspect.currentframe()
    while frame and os.path.abspath(frame.f_code.co_filename).startswith(_RULES):
        frame = frame.f_back
    if frame is None:
        return "unknown place"
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def nth_place(where: str, nth: int) -> str:
    """Return `file:line, 2nd rule`, and for the number 0 of an only rule the line alone."""
    if not nth:
        return where
    teens = nth % 100 in (11, 12, 13)
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(nth % 10, "th")
    return f"{where}, {nth}{ending} rule"


def ill_typed(fault: str, remedy: str) -> HtpError:
    """Return the error of an ill-typed rule, with the place at which it is written."""
    return fail(shown_path(caller()), fault, remedy)

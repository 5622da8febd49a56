"""Errors of argument parsers: the flag or the choice that was meant."""

from __future__ import annotations

import re

from ...dialects.diagnostics import HtpError, fail
from ...dialects.suggestions import did_you_mean, listed

_UNKNOWN = re.compile(r"unrecognized arguments: .*?(--[\w-]+)")
_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")
_FLAG = re.compile(r"--[\w-]+")


def usage_error(tool: str, problem: str, usage: str) -> HtpError:
    """Make the error of a parser; `usage` is its text that lists the flags."""
    remedy = f"see {tool} --help"
    if unknown := _UNKNOWN.search(problem):
        remedy = did_you_mean(unknown[1], _FLAG.findall(usage), remedy)
    elif choice := _CHOICE.search(problem):
        problem = problem[: choice.end(1) + 1]
        remedy = listed(choice[1], [name.strip("' ") for name in choice[2].split(",")])
    return fail(tool, problem, remedy)

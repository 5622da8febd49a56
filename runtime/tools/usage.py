"""Errors of argument parsers: the flag or the choice that was meant."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO

from ...dialects.diagnostics import HtpError, fail
from ...dialects.suggestions import did_you_mean, listed

_UNKNOWN = re.compile(r"unrecognized arguments: .*?(--[\w-]+)")
_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")
_FLAG = re.compile(r"--[\w-]+")
_USAGE_STATUS = 2


@contextmanager
def short_usage() -> Iterator[None]:
    """Raise the error of a foreign parser inside the block as ours, in place of its usage."""
    errors = StringIO()
    try:
        with redirect_stderr(errors):
            yield
    except SystemExit as stop:
        if stop.code != _USAGE_STATUS:
            raise
        usage, _, last = errors.getvalue().strip().rpartition("\n")
        tool, _, problem = last.partition(": error: ")
        errors = StringIO()
        raise usage_error(tool, problem, usage) from None
    finally:
        sys.stderr.write(errors.getvalue())


def usage_error(tool: str, problem: str, usage: str) -> HtpError:
    """Make the error of a parser; `usage` is its text that lists the flags."""
    remedy = f"see {tool} --help"
    if unknown := _UNKNOWN.search(problem):
        remedy = did_you_mean(unknown[1], _FLAG.findall(usage), remedy)
    elif choice := _CHOICE.search(problem):
        problem = problem[: choice.end(1) + 1]
        remedy = listed(choice[1], [name.strip("' ") for name in choice[2].split(",")])
    return fail(tool, problem, remedy)

"""Errors of argument parsers: the flag or the choice that was meant."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.suggestions import did_you_mean, listed

_UNKNOWN = re.compile(r"unrecognized arguments: .*?(--[\w-]+)")
_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")
_FLAG = re.compile(r"--[\w-]+")
_USAGE_STATUS = 2


@contextmanager
def short_usage(help_text: Callable[[], str]) -> Iterator[None]:
    """Raise the error of a foreign parser inside the block as ours, in place of its usage.

    `help_text` gives the text that names all flags.
    """
    errors = StringIO()
    try:
        with redirect_stderr(errors):
            yield
    except SystemExit as stop:
        if stop.code != _USAGE_STATUS:
            raise
        *_, last = errors.getvalue().strip().splitlines()
        tool, _, problem = last.partition(": error: ")
        errors = StringIO()
        raise usage_error(tool, problem, help_text()) from None
    finally:
        sys.stderr.write(errors.getvalue())


def usage_error(tool: str, problem: str, help_text: str) -> HtpError:
    """Make the error of a parser; `help_text` is its text that names the flags."""
    remedy = f"see {tool} --help"
    if unknown := _UNKNOWN.search(problem):
        remedy = did_you_mean(unknown[1], _FLAG.findall(help_text), remedy)
    elif choice := _CHOICE.search(problem):
        problem = problem[: choice.end(1) + 1]
        remedy = listed(choice[1], [name.strip("' ") for name in choice[2].split(",")])
    return fail(tool, problem, remedy)

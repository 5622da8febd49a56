"""Short errors, exit statuses and runs inside this process, for all command-line tools."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple, NoReturn, TextIO

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.excerpts import marked_span
from ...dialects.op_faults import invalid
from ..files.atomic import write_bytes
from .progress import progress_on

Main = Callable[[Sequence[str]], None]
_DEBUG = "--debug"
_USAGE_STATUS = 2


class Outcome(NamedTuple):
    """The exit status of a tool and its two streams."""

    status: int
    out: str
    err: str


class ToolParser(argparse.ArgumentParser):
    """An argument parser whose errors are two lines like all others."""

    def error(self, message: str) -> NoReturn:
        """Raise the fault instead of printing the usage."""
        raise fail(self.prog, message, f"see {self.prog} --help")


@dataclass(frozen=True)
class Tool:
    """A command: to call it is to run it on this process's arguments and to exit."""

    run_arguments: Main

    def __call__(self) -> None:
        sys.exit(run_tool(self.run_arguments, sys.argv[1:]))

    def run(self, argv: Sequence[str], stdin: str | None = None) -> Outcome:
        """Run the command in this process: exit status, stdout and stderr."""
        return run_in_process(self.run_arguments, argv, stdin)


def run_tool(main: Main, argv: Sequence[str]) -> int:
    """Run a tool's main function; give its exit status: 0, or 1 with two lines on stderr.

    `--debug` among the arguments shows the traceback. stderr is held back until the end, so that
    a usage message can be shortened too; progress is shown at once.
    """
    errors = StringIO()
    try:
        with progress_on(sys.stderr), redirect_stderr(errors):
            main(argv)
        status = 0
    except SystemExit as stop:
        status = _exit_status(stop, errors)
    except BrokenPipeError:
        return _quiet()
    except KeyboardInterrupt:
        return 130
    except BaseException as error:
        errors.write(report(error, explain(error), _DEBUG in argv))
        status = 1
    sys.stderr.write(errors.getvalue())
    return status


def report(error: BaseException, told: HtpError, debug: bool) -> str:
    """Write what is told about an error, behind its traceback if that is asked for."""
    shown = traceback.format_exception(error) if debug else []
    return "".join([*shown, *(f"{line}\n" for line in told.lines())])


def run_in_process(main: Main, argv: Sequence[str], stdin: str | None = None) -> Outcome:
    """Run a tool's main function on its own streams; for tests."""
    out, err = StringIO(), StringIO()
    with ExitStack() as stack:
        source = TextIOWrapper(BytesIO((stdin or "").encode()), encoding="utf-8")
        stack.enter_context(_stdin(source))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        status = run_tool(main, argv)
    return Outcome(status, out.getvalue(), err.getvalue())


@contextmanager
def _stdin(source: TextIO) -> Iterator[None]:
    before, sys.stdin = sys.stdin, source
    try:
        yield
    finally:
        sys.stdin = before


def write_text(path: str | Path, text: str) -> None:
    """Write a file whole or not at all; `-` is stdout."""
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        write_bytes(path, text.encode())


def explain(error: BaseException, where: str = "error") -> HtpError:
    """Turn any exception into an error to show, never longer than two lines."""
    match error:
        case HtpError():
            return error
        case ParseError():
            return parse_fault(error)
        case ArgSpecParseError():
            return fail("target", _message(error), "write -t name{option=value}")
        case DiagnosticException():
            return invalid(error, where, "correct the module or the passes before")
        case OSError():
            return fail(str(error.filename or where), error.strerror or _message(error))
        case UnicodeDecodeError():
            return fail(where, "is no UTF-8 text", "give text, or name the format by its suffix")
        case RecursionError():
            return fail(where, "is nested too deeply", "flatten it")
        case MemoryError():
            return fail(where, "does not fit into memory", "use smaller constants or tensors")
        case _:
            problem = f"{type(error).__name__}: {_message(error)}"
            return fail("internal error", problem, f"run with {_DEBUG} to see where")


def parse_fault(error: ParseError) -> HtpError:
    """Turn a parser's error into one with file, line and column."""
    where, excerpt = str(error.span.get_location()), marked_span(error.span)
    return HtpError(Fault(where, _one_line(error.msg), "correct the text", excerpt))


def _message(error: BaseException) -> str:
    return _one_line(str(error)) or type(error).__name__


def _one_line(text: str) -> str:
    """The first lines of a text joined, cut where they are long."""
    joined = " ".join(text.strip().splitlines()[:3])
    return joined if len(joined) <= 300 else joined[:297] + "..."


def _exit_status(stop: SystemExit, errors: StringIO) -> int:
    """The status of an exit; a usage message is cut to two lines."""
    if stop.code in (None, 0):
        return 0
    if stop.code == _USAGE_STATUS:
        last = (errors.getvalue().strip().splitlines() or ["wrong arguments"])[-1]
        errors.seek(0)
        errors.truncate()
        errors.write(f"{last}\n  see --help\n")
    elif isinstance(stop.code, str):
        errors.write(f"{_one_line(stop.code)}\n")
    return 1


def _quiet() -> int:
    """End after the reader of stdout has gone: nothing more is to be written."""
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(sink)
    return 1

"""Short errors: any exception in two lines, and an excerpt where it has a place."""

from __future__ import annotations

import traceback

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from ...dialects.diagnostics import CHECK_PATH, DEBUG, Fault, HtpError, fail, one_line
from ...dialects.faults.excerpts import marked_span
from ...dialects.faults.op_faults import invalid


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
            return fail(str(error.filename or where), error.strerror or _message(error), CHECK_PATH)
        case UnicodeEncodeError():
            return fail(where, "a name in it is no UTF-8 text", "rename what has this name")
        case UnicodeDecodeError():
            return fail(where, "is no UTF-8 text", "give text, or name the format by its suffix")
        case RecursionError():
            return fail(where, "is nested too deeply", "flatten it")
        case MemoryError():
            return fail(where, "does not fit into memory", "use smaller constants or tensors")
        case _:
            problem = f"{type(error).__name__}: {_message(error)}"
            return fail("internal error", problem, f"run with {DEBUG} to see where")


def parse_fault(error: ParseError) -> HtpError:
    """Turn a parser's error into one with file, line and column."""
    where, excerpt = str(error.span.get_location()), marked_span(error.span)
    return HtpError(Fault(where, one_line(error.msg), "correct the text", excerpt))


def report(error: BaseException, told: HtpError, debug: bool) -> str:
    """Write the lines of an error, behind its traceback if that is asked for."""
    shown = traceback.format_exception(error) if debug else []
    return "".join([*shown, *(f"{line}\n" for line in told.lines())])


def _message(error: BaseException) -> str:
    return one_line(str(error)) or type(error).__name__

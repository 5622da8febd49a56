"""Short errors: any exception in two lines."""

from __future__ import annotations

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from ...dialects.diagnostics import HtpError, fail
from .tool import DEBUG, one_line


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
            return fail(where, _message(error), "correct the module or the passes before")
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
            return fail("internal error", problem, f"run with {DEBUG} to see where")


def parse_fault(error: ParseError) -> HtpError:
    """Turn a parser's error into one with file, line and column."""
    return fail(str(error.span.get_location()), one_line(error.msg), "correct the text")


def _message(error: BaseException) -> str:
    return one_line(str(error)) or type(error).__name__

"""Short errors: any exception in two lines, and an excerpt where it has a place."""

import json
import re
import traceback

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from ...dialects.diagnostics import CHECK_PATH, DEBUG, Fault, HtpError, fail, one_line, proposals
from ...dialects.faults.op_faults import invalid, marked_span


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
            name = repr(re.split('[":]', error.object[error.start :])[0][:80])
            return fail(where, f"a name in it has {name}, which is no UTF-8 text", "rename it")
        case UnicodeDecodeError():
            return fail(where, "is no UTF-8 text", "give text, or name the format by its suffix")
        case ValueError() if "integer string conversion" in str(error):
            return fail(where, "a number has too many digits", "give a smaller one")
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


def report(error: BaseException, explained: HtpError, debug: bool, as_json: bool = False) -> str:
    """Write an error, as lines or a JSON object a fault, behind its traceback if that is wanted."""
    if as_json:
        return "".join(record(fault, "error") for fault in explained.faults)
    shown = traceback.format_exception(error) if debug else []
    return "".join([*shown, *(f"{line}\n" for line in explained.lines())])


def record(fault: Fault, severity: str) -> str:
    """Write a fault as a JSON object on a line, as `--diagnostics=json` prints it.

    Lines and columns count from 1, `end_column` is behind the last character; they are null where
    the fault is not in a text. `replacements` are names for what stands there.
    """
    place = fault.place
    fields = {
        "severity": severity,
        "where": fault.where,
        "file": place and place.file,
        "line": place and place.line,
        "column": place and place.column,
        "end_column": place and place.column + fault.width,
        "problem": fault.problem,
        "remedy": fault.remedy,
        "replacements": proposals(f"{fault.remedy} {fault.problem}"),
    }
    return f"{json.dumps(fields)}\n"


def _message(error: BaseException) -> str:
    return one_line(str(error)) or type(error).__name__

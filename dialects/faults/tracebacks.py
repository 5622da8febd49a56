"""Facts in the traceback of an error: the line that a user wrote, and the op at hand."""

import sys
from collections.abc import Container, Iterable
from traceback import walk_tb

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..locations import shown_path

_OWN = __name__.partition(".")[0]
_LIBRARIES = frozenset({"numpy", "scipy", "xdsl", *sys.stdlib_module_names})


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
    """Return `file:line` of the innermost code that is not a library's and not the project's."""
    return _line(error, {_OWN, *_LIBRARIES})


def op_at_hand(error: BaseException, modules: Container[Operation] = ()) -> Operation | None:
    """Return the op that the innermost call was about; a whole module only if it is one of these.

    It is an argument of the call, or the only op among its variables.
    """

    def ops(values: Iterable[object]) -> list[Operation]:
        every = (value for value in values if isinstance(value, Operation))
        known = (op for op in every if op in modules or not isinstance(op, ModuleOp))
        return list(dict.fromkeys(known))

    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        code, values = frame.f_code, frame.f_locals
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        arguments = ops(values[name] for name in names if name in values)
        known = arguments[:1] or ops(values.values())
        if len(known) == 1:
            return known[0]
    return None


def _line(error: BaseException, without: frozenset[str] | set[str]) -> str:
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] not in without:
            return f"{shown_path(frame.f_code.co_filename)}:{line}"
    return ""

"""Reasons why a constraint does not hold, with the values that it saw."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects.checks import text
from ....dialects.diagnostics import HtpError
from ....dialects.value.dtypes import DType
from ..graph.env import Env
from ..graph.graph import Node
from ..graph.types import EvaluationError, ExprKind, Value, common_kind
from ..language.arithmetic import number
from ..language.derived import MESSAGE_IF, MESSAGE_IFNOT
from ..language.operators import AND, EQ, GE, GT, LE, LT, NE, NOT, OR, SELECT
from ..tree.expr import Expr, External, Literal, Text
from ..tree.function import Call, Function
from .near_miss import Naming


def constraint_reason(expr: Expr, env: Env, named: Naming) -> str | None:
    """Return the first part of a constraint that does not hold, with its values; else None."""
    try:
        if expr.evaluate(env):
            return None
        return _refusal(expr, env, named)
    except EvaluationError as error:
        return _without_value(expr, env, error)
    except HtpError as error:
        return error.faults[0].line()


def _refusal(expr: Expr, env: Env, named: Naming) -> str:
    """Say why an expression is false."""
    if not isinstance(expr, Call):
        return f"{expr}: it never holds"
    function, args = expr.function, expr.args
    if function is AND:
        reasons = (constraint_reason(arg, env, named) for arg in args)
        return next(reason for reason in reasons if reason is not None)
    if function is OR:
        return " and ".join(constraint_reason(arg, env, named) or str(arg) for arg in args)
    if function in (MESSAGE_IF, MESSAGE_IFNOT):
        return _refusal(args[0], env, named)
    if function is NOT and isinstance(args[0], Call):
        return f"{expr}: {_seen(args[0], env, named) or 'it holds'}"
    if isinstance(args[0], External):
        # The meaning of a user's function is the first line of its docstring.
        lines = (args[0].resolve(env).function.__doc__ or "false").strip().splitlines()
        return f"{expr}: {_seen(expr, env, named)}; {args[0].name}: {lines[0]}"
    return f"{expr}: {_seen(expr, env, named) or 'false'}"


_SIGNS: dict[Function, tuple[str, str]] = {
    EQ: ("==", "!="),
    NE: ("!=", "=="),
    LT: ("<", ">="),
    GT: (">", "<="),
    LE: ("<=", ">"),
    GE: (">=", "<"),
}
"""The sign between two values where the comparison holds, and where it does not."""


def _seen(call: Call, env: Env, named: Naming) -> str:
    """Say the values that a call computes with."""
    if call.function in _SIGNS:
        signs = _SIGNS[call.function]
        left, right = (_operand(call, index, env, named) for index in range(2))
        return f"{left} {signs[0 if call.evaluate(env) else 1]} {right}"
    read = [arg for arg in call.args if not isinstance(arg, Literal | Text | External)]
    shown = (f"{arg} is {_shown(arg.evaluate(env), named)}" for arg in read)
    return ", ".join(dict.fromkeys(shown))


def _operand(call: Call, index: int, env: Env, named: Naming) -> str:
    if call.args[index].kind is ExprKind.DTYPE:
        return _shown(call.args[index].evaluate(env), named)
    return _shown(number(env, call, index, common_kind(arg.kind for arg in call.args)), named)


def _shown(value: Value, named: Naming) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case DType():
            return value.name
        case Node():
            dtype = "shape" if value.is_shape else value.spec.dtype.name
            array = value.constant
            number = f" of {array.item():g}" if array is not None and array.size == 1 else ""
            return f"{named(value.value)} {value.name} {text(value.shape)} {dtype}{number}"
        case tuple():
            return text(value)
        case _:
            return str(value)


def _evaluated(expr: Expr, env: Env) -> Sequence[Expr]:
    """Return the parts that are evaluated: of a choice, the condition and the chosen operand."""
    parts = expr.parts()
    if not isinstance(expr, Call) or expr.function is not SELECT:
        return parts
    try:
        return (parts[0], parts[1 if parts[0].evaluate(env) else 2])
    except EvaluationError:
        return parts[:1]


def _without_value(expr: Expr, env: Env, error: EvaluationError) -> str:
    """Say the innermost part without a value."""
    for part in _evaluated(expr, env):
        try:
            part.evaluate(env)
        except EvaluationError as inner:
            return _without_value(part, env, inner)
        except TypeError:
            continue
    return f"{expr}: {error}"

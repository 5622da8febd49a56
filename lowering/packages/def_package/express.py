"""Expressions of the rule language as C++ text."""

import math

from ....dialects.diagnostics import fail
from ....dialects.value import DType
from ...rules import TCM_MAXTENSOR_SIZE, TILE_HEIGHT
from ...rules.graph.graph import ExprKind
from ...rules.tree.expr import Expr, External, Let, Literal, OpForm, Tag, Text
from ...rules.tree.function import Call
from ..cpp.layout import CallText

_SHORTHANDS: tuple[tuple[Expr, str], ...] = (
    (TCM_MAXTENSOR_SIZE, "TCM_MAXTENSOR_SIZE"),
    (TILE_HEIGHT, "TILE_HEIGHT"),
)
PYTHON_ONLY = frozenset(
    {
        *("ALSO_REPLACE", "gen_ConstFrom"),
        *("gen_ConstScaled", "gen_ConstTurned", "gen_ConstTurnedCodes"),
    }
)
"""Functions that C++ text has no word for, to read or to write."""
_DEFAULT = "q::"
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "?": "\\?"}


def written(expr: Expr) -> CallText | str:
    """Return an expression as the text that represents it."""
    match expr:
        case Literal():
            return _literal(expr)
        case Tag(name):
            return quoted(name)
        case OpForm(any_output=True):
            raise fail(str(expr), "OpAnyOutput has no form in C++", "keep the rule in Python")
        case OpForm(name, inputs, at_least):
            word = "OpVarIn" if at_least else "Op"
            return CallText(word, [_op_name(name), *map(written, inputs)])
        case Let(tag, op):
            return CallText("LET", [quoted(tag), written(op)])
        case External(name):
            return f"({name})" if "<" in name else name
        case Text(text):
            return quoted(text)
        case Call():
            return _call(expr)
    raise fail(str(expr), "has no form in C++", "use what the rule language has")


def quoted(text: str) -> str:
    """Return a string without escapes; HtpError for one that would need them."""
    if not text.isprintable() or '"' in text or "\\" in text or "??" in text:
        raise fail(repr(text), "cannot be written without escapes", "take letters and digits")
    return f'"{text}"'


def _call(call: Call) -> CallText | str:
    for shorthand, name in _SHORTHANDS:
        if call == shorthand:
            return name
    name = call.function.name
    if name in PYTHON_ONLY:
        raise fail(name, f"{name} has no form in C++", "keep the rule in Python")
    if name.startswith("MESSAGE"):
        return CallText(name, [_message(arg) for arg in call.args])
    if name == "LAYOUT_CHUNKSIZE" and isinstance(call.args[0], Text):
        return CallText(name, [call.args[0].text, *map(written, call.args[1:])])
    return CallText(name, [written(arg) for arg in call.args])


def _message(arg: Expr) -> CallText | str:
    if not isinstance(arg, Text):
        return written(arg)
    escaped = (_ESCAPES.get(c, c) if c.isascii() else f"\\U{ord(c):08x}" for c in arg.text)
    return f'"{"".join(escaped)}"'


def _op_name(name: str) -> str:
    if name.startswith(_DEFAULT):
        return f"FROM_DEFAULT_PACKAGE({quoted(name.removeprefix(_DEFAULT))})"
    return quoted(name)


def _literal(literal: Literal) -> str:
    match literal.value:
        case bool():
            return "true" if literal.value else "false"
        case DType():
            return f"DType::{literal.value.name}"
        case float(value) if math.isnan(value):
            raise fail("NaN", "has no form in a rule", "take a number")
        case float(value) if math.isinf(value):
            return "INF" if value > 0 else "NEG_INF"
        case float(value):
            return repr(value)
    if literal.kind is ExprKind.SIZE:
        return f"{literal.value}U"
    return str(literal.value)

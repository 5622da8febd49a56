"""Walks through the tree of a rule."""

from collections.abc import Iterator

from .expr import Expr, Let, OneOf, OpForm, Tag, Text
from .function import Call

_OPTIONS = ("OPTION_INT", "OPTION_UINT", "OPTION_BOOL", "OPTION_FLOAT")


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all inside it, outer ones first."""
    ahead = [expr]
    while ahead:
        yield (part := ahead.pop())
        ahead.extend(reversed(part.parts()))


def calls_in(expr: Expr, *names: str) -> Iterator[Call]:
    """Yield all calls of some functions of the language."""
    calls = (part for part in walk(expr) if isinstance(part, Call))
    return (call for call in calls if call.function.name in names)


def forms_in(expr: Expr) -> Iterator[OpForm]:
    """Yield all ops."""
    return (part for part in walk(expr) if isinstance(part, OpForm))


def required_forms(expr: Expr) -> Iterator[OpForm]:
    """Yield the ops that every match has: those outside of alternatives."""
    if isinstance(expr, OneOf):
        return
    if isinstance(expr, OpForm):
        yield expr
    for part in expr.parts():
        yield from required_forms(part)


def tags_in(expr: Expr) -> Iterator[str]:
    """Yield all tags, as often as they occur, including those of LETs."""
    for part in walk(expr):
        if isinstance(part, Tag):
            yield part.name
        elif isinstance(part, Let):
            yield part.tag


def text_of(expr: Expr) -> str:
    """Return the text of a string operand; empty for another operand."""
    return expr.text if isinstance(expr, Text) else ""


def options_in(expr: Expr) -> set[str]:
    """Return the graph options that an expression reads."""
    return {text_of(call.args[0]) for call in calls_in(expr, *_OPTIONS)}


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """Yield the parts of an AND and of the ANDs in it; all must hold."""
    if isinstance(expr, Call) and expr.function.name == "AND":
        for part in expr.args:
            yield from conjuncts(part)
    else:
        yield expr

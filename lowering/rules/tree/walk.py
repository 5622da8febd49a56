"""Going through the tree of a rule."""

from __future__ import annotations

from collections.abc import Iterator

from .expr import Expr, Let, Tag, Text
from .function import Call

_OPTIONS = ("OPTION_INT", "OPTION_UINT", "OPTION_BOOL", "OPTION_FLOAT")


def walk(expr: Expr) -> Iterator[Expr]:
    """An expression and all that it holds, outer ones first."""
    yield expr
    for part in expr.parts():
        yield from walk(part)


def calls_in(expr: Expr, *names: str) -> Iterator[Call]:
    """All calls of some functions of the language."""
    return (
        found for found in walk(expr) if isinstance(found, Call) and found.function.name in names
    )


def tags_in(expr: Expr) -> Iterator[str]:
    """All tags, as often as they occur; a LET's own too."""
    for found in walk(expr):
        if isinstance(found, Tag):
            yield found.name
        elif isinstance(found, Let):
            yield found.tag


def text_of(expr: Expr) -> str:
    """What a string operand says; nothing where the operand is none."""
    return expr.text if isinstance(expr, Text) else ""


def options_in(expr: Expr) -> set[str]:
    """The graph options that are asked for."""
    return {text_of(call.args[0]) for call in calls_in(expr, *_OPTIONS)}


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """The parts of an AND, and of the ANDs in it; all of them must hold."""
    if isinstance(expr, Call) and expr.function.name == "AND":
        for part in expr.args:
            yield from conjuncts(part)
    else:
        yield expr

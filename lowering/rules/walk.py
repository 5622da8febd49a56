"""Going through the tree of a rule."""

from __future__ import annotations

from collections.abc import Iterator

from .expr import Call, Expr, Let, Tag


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


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """The parts of an AND, and of the ANDs in it; all of them must hold."""
    if isinstance(expr, Call) and expr.function.name == "AND":
        for part in expr.args:
            yield from conjuncts(part)
    else:
        yield expr

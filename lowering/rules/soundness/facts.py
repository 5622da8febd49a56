"""Facts of a rule that all of its cases share."""

from __future__ import annotations

from dataclasses import dataclass

from ..definition.rule import Rule
from ..tree.expr import Expr, Literal
from ..tree.function import Call
from ..tree.walk import options_in, walk

_LARGEST_BOUNDARY = 4096
"""Boundary values above this are not drawn."""
_CONSTANTS = (
    *("CONSTVAL_INT", "CONSTVAL_FLOAT", "CONSTVAL_INT_VALID", "CONSTVAL_FLOAT_VALID"),
    "CONSTVAL_IS",
)


@dataclass(frozen=True)
class RuleFacts:
    """A rule with its boundary values, options and the nodes whose elements it reads.

    Boundary values are the integers that the rule mentions and their neighbours. `external`: a
    Python function makes the replacement.
    """

    rule: Rule
    boundary_values: tuple[int, ...]
    read: tuple[Expr, ...]
    options: tuple[str, ...]
    external: bool


def facts_of(rule: Rule) -> RuleFacts:
    """Read the constraint and the replacement of a rule."""
    parts = (rule.constraint, rule.replacement)
    exprs = [expr for part in parts for expr in walk(part)]
    calls = [expr for expr in exprs if isinstance(expr, Call)]
    return RuleFacts(
        rule,
        _boundary_values(exprs),
        tuple(call.args[0] for call in calls if call.function.name in _CONSTANTS),
        tuple(sorted({name for part in parts for name in options_in(part)})),
        any(call.function.name == "EXTERNAL_REPLACE" for call in calls),
    )


def _boundary_values(exprs: list[Expr]) -> tuple[int, ...]:
    values = {
        int(expr.value) + near
        for expr in exprs
        if isinstance(expr, Literal) and isinstance(expr.value, int) and expr.value > 1
        for near in (-1, 0, 1)
    }
    return tuple(sorted(value for value in values if value <= _LARGEST_BOUNDARY))

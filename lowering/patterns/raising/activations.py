"""Gelu and HardSwish, in the orders in which their factors are multiplied."""

from __future__ import annotations

from math import sqrt

from ...rules import AND, OPCONST, PRE_TRANSLATE, Op, rule, rules
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .parts import IS_REAL, alone, is_scalar, over, plus, times

_HALF, _ONE = OPCONST("Half"), OPCONST("One")


def _products(a: Expr | str, b: Expr, c: Expr) -> tuple[OpForm, ...]:
    """The products of three factors, each in any order."""
    return times(times(a, b), c), times(times(a, c), b), times(a, times(b, c))


_ARGUMENTS = (
    (over("X", OPCONST("Root")), sqrt(2)),
    (times("X", OPCONST("Root")), sqrt(0.5)),
)
"""x / sqrt(2), and the value of its constant."""

GELUS = rules(
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(
                *(IS_REAL, is_scalar("Half", 0.5), is_scalar("One", 1.0)),
                *(is_scalar("Root", value), alone("X")),
            ),
            Op("Gelu", "X"),
            name="gelu",
        )
        for argument, value in _ARGUMENTS
        for match in _products("X", _HALF, plus(Op("ElementWiseErf", argument), _ONE))
    ),
    package=GRAPH,
)

_SIXTHS = Op("ReluMinMax", plus(times("X", OPCONST("Sixth")), _HALF), "Low", "High")
_SIX = Op("ReluMinMax", plus("X", OPCONST("Three")), "Low", "High")

HARD_SWISHES = rules(
    rule(
        PRE_TRANSLATE + 1,
        times("X", _SIXTHS),
        AND(
            *(IS_REAL, is_scalar("Sixth", 1 / 6), is_scalar("Half", 0.5)),
            *(is_scalar("Low", 0.0), is_scalar("High", 1.0), alone("X")),
        ),
        Op("HardSwish", "X"),
        name="hard swish",
    ),
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(
                *(IS_REAL, is_scalar("Three", 3.0), is_scalar("Scale", value)),
                *(is_scalar("Low", 0.0), is_scalar("High", 6.0), alone("X")),
            ),
            Op("HardSwish", "X"),
            name="hard swish",
        )
        for match, value in (
            (over(times("X", _SIX), OPCONST("Scale")), 6.0),
            (times("X", over(_SIX, OPCONST("Scale"))), 6.0),
            *((product, 1 / 6) for product in _products("X", _SIX, OPCONST("Scale"))),
        )
    ),
    package=GRAPH,
)

ACTIVATIONS = GELUS + HARD_SWISHES
"""Activations that have one op."""

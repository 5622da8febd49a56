"""Gelu in both forms, Swish and HardSwish, in the orders in which their factors are multiplied."""

from __future__ import annotations

from math import sqrt

from ...rules import (
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    EXTERNAL_CONSTRAINT,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SELECT,
    Op,
    gen_ConstScalar_f32,
    rule,
    rules,
)
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .parts import IS_REAL, alone, if_bound, is_factor, is_scalar, over, plus, times
from .polynomials import bends_as_gelu

_HALF, _ONE = OPCONST("Half"), OPCONST("One")


def _products(a: Expr | str, b: Expr, c: Expr) -> tuple[OpForm, ...]:
    """The products of three factors, each in any order."""
    return times(times(a, b), c), times(times(a, c), b), times(a, times(b, c))


_ARGUMENT = ONE_OF(over("X", OPCONST("Root")), times("X", OPCONST("Share")))
"""x / sqrt(2)."""

GELUS = rules(
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(
                *(IS_REAL, is_scalar("Half", 0.5), is_scalar("One", 1.0)),
                if_bound("Root", is_scalar("Root", sqrt(2))),
                if_bound("Share", is_scalar("Share", sqrt(0.5))),
                alone("X"),
            ),
            Op("Gelu", "X"),
            name="gelu",
        )
        for match in _products("X", _HALF, plus(Op("ElementWiseErf", _ARGUMENT), _ONE))
    ),
    package=GRAPH,
)

GELU_TANHS = rules(
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(
                *(IS_REAL, is_scalar("Half", 0.5), is_scalar("One", 1.0)),
                *(EXTERNAL_CONSTRAINT(bends_as_gelu, "Bend", "X"), alone("X")),
            ),
            Op("GeluTanh", "X"),
            name="gelu of tanh",
        )
        for match in _products("X", _HALF, plus(Op("Tanh", "Bend"), _ONE))
    ),
    package=GRAPH,
)

_ALPHA = SELECT(BOUND("Alpha"), CONSTVAL_FLOAT("Alpha", 0), 1.0)
SWISHES = rules(
    rule(
        PRE_TRANSLATE + 1,
        times("X", Op("Sigmoid", ONE_OF("X", times("X", OPCONST("Alpha"))))),
        AND(IS_REAL, if_bound("Alpha", is_factor("Alpha")), alone("X")),
        Op("Swish", "X", gen_ConstScalar_f32(_ALPHA)),
        name="swish",
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

ACTIVATIONS = GELUS + GELU_TANHS + SWISHES + HARD_SWISHES
"""Activations that have one op."""

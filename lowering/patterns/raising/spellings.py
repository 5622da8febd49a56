"""Spellings of one function that become one of them, so that the other rules know one."""

from __future__ import annotations

from ...rules import AND, OPCONST, PRE_TRANSLATE, Op, rule, rules
from ...rules.graph.names import GRAPH
from .parts import IS_REAL, alone, is_scalar, over, root, rsqrt

SPELLINGS = rules(
    rule(
        PRE_TRANSLATE,
        Op("ElementWisePower", "X", OPCONST("Two")),
        AND(IS_REAL, is_scalar("Two", 2.0)),
        Op("ElementWiseMultiply", "X", "X"),
        name="square",
    ),
    rule(
        PRE_TRANSLATE,
        Op("ElementWiseReciprocal", root("X")),
        AND(IS_REAL, alone("X")),
        rsqrt("X"),
        name="reciprocal of a root",
    ),
    rule(
        PRE_TRANSLATE,
        over(OPCONST("One"), root("X")),
        AND(IS_REAL, is_scalar("One", 1.0), alone("X")),
        rsqrt("X"),
        name="one over a root",
    ),
    package=GRAPH,
)
"""A square is a product, and 1 / sqrt(x) is one op."""

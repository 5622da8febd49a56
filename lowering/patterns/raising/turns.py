"""Transpositions that undo each other, or join: those of keys, which stand turned in a product."""

from __future__ import annotations

from ...rules import (
    AND,
    EXTERNAL_CONSTRAINT,
    LET,
    NOT,
    PRE_TRANSLATE,
    SAME_SHAPE,
    Op,
    external_constraint,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from .parts import alone
from .views import JOINED, RETAKEN, TURNED_RESHAPE, joined_order, numbers, turn_of


@external_constraint("undoes")
def undoes(data: Node, outer: Node, inner: Node) -> bool:
    """Two transpositions of the data leave every dim in its place."""
    return joined_order(data, outer, inner) == tuple(range(len(data.shape)))


@external_constraint("turns_only")
def turns_only(out: Node, data: Node, order: Node) -> bool:
    """The last two dims are exchanged, no others, and they are the last two of the data."""
    return numbers(order) == turn_of(out) and out.shape[-2:] == data.shape[-2:][::-1]


@external_constraint("keeps_order")
def keeps_order(data: Node, order: Node) -> bool:
    """A transposition leaves every dim in its place."""
    return numbers(order) == tuple(range(len(data.shape)))


_TWICE = Op("Transpose", Op("Transpose", "X", "Inner"), "Outer")
_NOTHING = EXTERNAL_CONSTRAINT(undoes, "X", "Outer", "Inner")

TURNS = rules(
    rule(
        PRE_TRANSLATE + 4,
        Op("Transpose", "X", "Order"),
        EXTERNAL_CONSTRAINT(keeps_order, "X", "Order"),
        "X",
        name="not turned",
    ),
    rule(PRE_TRANSLATE + 4, _TWICE, _NOTHING, "X", name="turned and back"),
    rule(
        PRE_TRANSLATE + 4,
        _TWICE,
        AND(NOT(_NOTHING), alone("X")),
        JOINED.of("X", "X", "Outer", "Inner"),
        name="turned twice",
    ),
    rule(
        PRE_TRANSLATE + 4,
        Op("Transpose", Op("Reshape", LET("T", Op("Transpose", "X", "Inner")), "Dims"), "Outer"),
        AND(EXTERNAL_CONSTRAINT(turns_only, "*", "T", "Outer"), alone("X")),
        TURNED_RESHAPE.of(RETAKEN.of("X", "T", "Inner"), "Dims"),
        name="turned around a Reshape",
    ),
    rule(
        PRE_TRANSLATE + 4,
        Op("Reshape", Op("Reshape", "X", "Inner"), "Outer"),
        alone("X"),
        Op("Reshape", "X", "Outer"),
        name="reshaped twice",
    ),
    rule(
        PRE_TRANSLATE + 4,
        Op("Reshape", "X", "Dims"),
        SAME_SHAPE("*", "X"),
        "X",
        name="reshaped to its own shape",
    ),
    package=GRAPH,
)
"""One transposition or Reshape, or none, in the place of two."""

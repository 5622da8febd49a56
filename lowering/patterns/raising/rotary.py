"""RotaryEmbedding, by halves and by neighbours."""

import numpy as np

from ....dialects.dense import Array
from ...rules import (
    AND,
    EXTERNAL_CONSTRAINT,
    LET,
    OPCONST,
    PRE_TRANSLATE,
    Op,
    Rule,
    external_constraint,
    gen_ConstFrom,
    gen_ConstScalar_i32,
    rule,
    rules,
    shape_function,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .arithmetic import IS_REAL, alone, minus, plus, times
from .gates import part_of, span
from .views import numbers


@external_constraint("are_halves")
def are_halves(data: Node, first: Node, second: Node, axis: Node) -> bool:
    """Two parts are the halves of the data's last dim, which the axis is."""
    depth = data.shape[-1]
    last = [each % len(data.shape) for each in numbers(axis)] == [len(data.shape) - 1]
    halves = (0, depth // 2), (depth // 2, depth)
    return last and depth % 2 == 0 and (span(first), span(second)) == halves


@external_constraint("are_rows_of")
def are_rows_of(node: Node, other: Node) -> bool:
    """The last dims of two views of one tensor are equal: both have the same rows."""
    return node.shape[-1:] == other.shape[-1:]


@external_constraint("are_neighbours")
def are_neighbours(data: Node, even: Node, odd: Node, pairs: Node, *angles: Node) -> bool:
    """Two slices are the even and the odd numbers of the data's last dim, and join as pairs.

    There is an angle for each pair.
    """
    *front, depth = data.shape
    if depth % 2 or any(angle.shape[-1:] != (depth // 2,) for angle in angles):
        return False
    whole = tuple(number for extent in front for number in (0, extent, 1))
    ranges = [numbers(part.inputs[1]) for part in (even, odd)]
    starts = [(*range_[:-2], range_[-1]) for range_ in ranges]
    joined = [pairs.inputs[0].shape, pairs.shape]
    return starts == [(*whole, start, 2) for start in (0, 1)] and (
        joined == [(*front, depth // 2, count) for count in (1, 2)]
    )


@shape_function("each_twice")
def each_twice(angles: Node) -> Array:
    """Return a constant with each number of its last dim twice in a row."""
    if angles.constant is None:
        raise TypeError(f"{angles.name} is no constant")
    return np.repeat(angles.constant, 2, axis=-1)


def _turned(data: str, source: Expr | str) -> OpForm:
    """Match the halves of the last dim exchanged, the one that comes first times -1."""
    negative = Op("ElementWiseNeg", LET("Second", part_of(source, "second")))
    return Op("Concat", negative, LET("First", part_of(data, "first")), "Axis")


def _halves(data: Expr | str, turned: Expr, source: str, asks: Expr) -> Rule:
    return rule(
        PRE_TRANSLATE + 1,
        plus(times(data, "Cos"), times(turned, "Sin")),
        AND(IS_REAL, EXTERNAL_CONSTRAINT(are_halves, source, "First", "Second", "Axis"), asks),
        Op("RotaryEmbedding", "X", "Cos", "Sin", gen_ConstScalar_i32(0)),
        name="rotary embedding",
    )


_VIEWS = {name: LET(name, Op("Reshape", "In", f"_{name}")) for name in ("X", "Y")}
"""The data where dims of one moved: each product has a Reshape of its own."""
_TURNED_VIEW = Op("Reshape", _turned("Y", _VIEWS["Y"]), "_back")
_EVEN, _ODD = (LET(name, Op("StridedSlice", "X", f"_{name}")) for name in ("Even", "Odd"))
_REAL = minus(times(_EVEN, OPCONST("Cos")), times(_ODD, OPCONST("Sin")))
_IMAGINARY = plus(times("Even", "Sin"), times("Odd", "Cos"))
_PAIRS = Op("Concat", Op("Reshape", _REAL, "_real"), Op("Reshape", _IMAGINARY, "_turned"), "_axis")

ROTARIES = rules(
    _halves("X", _turned("X", "X"), "X", alone("X", "Cos", "Sin")),
    _halves(
        _VIEWS["X"],
        _TURNED_VIEW,
        "Y",
        AND(EXTERNAL_CONSTRAINT(are_rows_of, "X", "Y"), alone("In", "Cos", "Sin")),
    ),
    rule(
        PRE_TRANSLATE + 1,
        Op("Reshape", LET("Pairs", _PAIRS), "_dims"),
        AND(
            IS_REAL,
            EXTERNAL_CONSTRAINT(are_neighbours, "X", "Even", "Odd", "Pairs", "Cos", "Sin"),
            alone("X"),
        ),
        Op(
            "RotaryEmbedding",
            "X",
            *(gen_ConstFrom(each_twice, angle) for angle in ("Cos", "Sin")),
            gen_ConstScalar_i32(1),
        ),
        name="rotary embedding of neighbours",
    ),
    package=GRAPH,
)
"""Rotations of pairs of numbers, as language models turn queries and keys."""

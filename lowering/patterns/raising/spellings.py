"""Rules that bring the spellings of a function to one, the only one that the other rules know.

Transpositions that undo each other go, and those that join are one.
"""

from ...rules import (
    AND,
    CONSTVAL_INT,
    EQ,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT16,
    IS_FLOAT32,
    LET,
    OPCONST,
    OR,
    PRE_TRANSLATE,
    SAME_SHAPE,
    SELECT,
    SUB,
    Op,
    external_constraint,
    gen_ConstScalar_i32,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from .arithmetic import IS_REAL, alone, any_op, is_scalar, over, root, rsqrt, same_op
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
    rule(
        PRE_TRANSLATE + 4,
        _TWICE,
        OR(_NOTHING, alone("X")),
        SELECT(_NOTHING, "X", JOINED.of("X", "X", "Outer", "Inner")),
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
"""One transposition or Reshape, or none, instead of two."""


@external_constraint("puts_back")
def puts_back(out: Node, data: Node, axes: Node) -> bool:
    """A Reshape of a reduction gives the axes back as ones."""
    rank = len(data.shape)
    gone = {axis % rank for axis in numbers(axes)}
    return out.shape == tuple(1 if dim in gone else n for dim, n in enumerate(data.shape))


@external_constraint("takes_out")
def takes_out(out: Node, data: Node, axes: Node) -> bool:
    """A Reshape of a reduction has none of the axes."""
    rank = len(data.shape)
    gone = {axis % rank for axis in numbers(axes)}
    return out.shape == tuple(n for dim, n in enumerate(data.shape) if dim not in gone)


@external_constraint("takes_all")
def takes_all(data: Node, places: Node, axis: Node) -> bool:
    """The places are all of an axis, in order."""
    (number,) = numbers(axis)
    return len(places.shape) == 1 and numbers(places) == tuple(range(data.shape[number]))


@external_constraint("always")
def always(known: Node, number: int, left: Node, right: Node) -> bool:
    """The truth values are all this one; a choice between a value and itself marks a body."""
    is_choice = left.value is not right.value
    return is_choice and known.constant is not None and bool((known.constant == number).all())


_ALWAYS = {
    kept: EXTERNAL_CONSTRAINT(always, "Known", number, "X", "Y")
    for kept, number in (("X", 1), ("Y", 0))
}
_REDUCTIONS = ("ReduceMean", "ReduceSum", "ReduceMax")

SPELLINGS = rules(
    rule(
        PRE_TRANSLATE,
        Op("Gather", "X", OPCONST("Places"), "Axis"),
        EXTERNAL_CONSTRAINT(takes_all, "X", "Places", "Axis"),
        "X",
        name="all of an axis",
    ),
    rule(
        PRE_TRANSLATE,
        Op("ElementWiseSelect", OPCONST("Known"), "X", "Y"),
        AND(
            OR(IS_FLOAT32("*"), IS_FLOAT16("*")),
            OR(*(AND(SAME_SHAPE("*", kept), is_always) for kept, is_always in _ALWAYS.items())),
        ),
        SELECT(_ALWAYS["X"], "X", "Y"),
        name="choice that is known",
    ),
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
    rule(
        PRE_TRANSLATE,
        Op("Cast", LET("W", Op("Cast", "X"))),
        AND(IS_FLOAT16("*"), IS_FLOAT32("W"), IS_FLOAT16("X")),
        "X",
        name="wide and back",
    ),
    rule(
        PRE_TRANSLATE,
        Op("Reshape", any_op(dict.fromkeys(_REDUCTIONS, ("X", "Axes", "Keep"))), "Dims"),
        AND(
            SELECT(
                EQ(CONSTVAL_INT("Keep", 0), 0),
                EXTERNAL_CONSTRAINT(puts_back, "*", "X", "Axes"),
                EXTERNAL_CONSTRAINT(takes_out, "*", "X", "Axes"),
            ),
            alone("X"),
        ),
        same_op(
            dict.fromkeys(
                _REDUCTIONS,
                ("X", "Axes", gen_ConstScalar_i32(SUB(1, CONSTVAL_INT("Keep", 0)))),
            )
        ),
        name="dims behind a reduction",
    ),
    package=GRAPH,
)
"""A square is a product, 1 / sqrt(x) is one op, and a choice that is known is none."""

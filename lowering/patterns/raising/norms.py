"""LayerNorm and RmsNorm, found by their core; then their factor and summand move into them."""

from __future__ import annotations

from ...rules import (
    AND,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    GE,
    IS_FLOAT16,
    IS_FLOAT32,
    IS_SCALAR,
    LET,
    OPCONST,
    PRE_TRANSLATE,
    SAME_SHAPE,
    SHAPEFN_APPLY,
    Op,
    gen_ConstLike,
    gen_ShapeOf,
    rule,
    rules,
)
from ...rules.tree.expr import Expr, OpForm
from .parts import (
    EXTENTS,
    GRAPH,
    IS_REAL,
    alone,
    fits,
    last_dims,
    minus,
    over,
    plus,
    root,
    rsqrt,
    times,
)

_MEAN = LET("M", Op("ReduceMean", "X", "Axes", "Keep"))
_CENTRED = LET("D", minus("X", _MEAN))
_KEPT = AND(EQ(CONSTVAL_INT("Keep", 0), 1), IS_SCALAR("E"), GE(CONSTVAL_FLOAT("E", 0), 0.0))


def _stable(square: Expr) -> OpForm:
    """The mean of squares and epsilon."""
    return plus(Op("ReduceMean", square, "Axes", "Keep"), OPCONST("E"))


def _full(number: float) -> Expr:
    """A constant of one number with the extents of the axes."""
    return gen_ConstLike(number, "X", SHAPEFN_APPLY(EXTENTS, "X", "Axes"))


_SQUARED = times("D", "D")
_DIFFERENCE = Op("ElementWiseSquaredDifference", "X", "M")

LAYER_NORMS = rules(
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(IS_REAL, _KEPT, fits("X", "Axes"), alone("X")),
            Op("LayerNorm", "X", _full(1.0), _full(0.0), "Axes", "E"),
            name="layer norm",
        )
        for match in (
            over(_CENTRED, root(_stable(_SQUARED))),
            times(_CENTRED, rsqrt(_stable(_SQUARED))),
            over(_CENTRED, root(_stable(_DIFFERENCE))),
            times(_CENTRED, rsqrt(_stable(_DIFFERENCE))),
        )
    ),
    rule(
        PRE_TRANSLATE + 1,
        over(times(_CENTRED, OPCONST("F")), root(_stable(_SQUARED))),
        AND(IS_REAL, _KEPT, fits("X", "Axes"), alone("X")),
        times(Op("LayerNorm", "X", _full(1.0), _full(0.0), "Axes", "E"), "F"),
        name="layer norm with its factor inside",
    ),
    package=GRAPH,
)

RMS_NORMS = rules(
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(IS_REAL, _KEPT, fits("X", "Axes"), alone("X")),
            Op("RmsNorm", "X", _full(1.0), _full(0.0), "Axes", "E"),
            name="RMS norm",
        )
        for match in (
            over("X", root(_stable(times("X", "X")))),
            times("X", rsqrt(_stable(times("X", "X")))),
        )
    ),
    package=GRAPH,
)

_NORMS = ("LayerNorm", "RmsNorm")


def _like(number: float) -> Expr:
    """A constant of one number with the shape of G and the type of X."""
    return gen_ConstLike(number, "X", gen_ShapeOf("G"))


NARROW = rules(
    *(
        rule(
            PRE_TRANSLATE + 2,
            Op(
                "Cast",
                LET("N", Op(norm, Op("Cast", "X"), OPCONST("G"), OPCONST("B"), "Axes", "E")),
            ),
            AND(
                *(IS_FLOAT16("*"), IS_FLOAT16("X"), IS_FLOAT32("N"), alone("X")),
                *(CONSTVAL_IS("G", 1.0), CONSTVAL_IS("B", 0.0)),
            ),
            Op(norm, "X", _like(1.0), _like(0.0), "Axes", "E"),
            name="norm between casts",
        )
        for norm in _NORMS
    ),
    package=GRAPH,
)
"""A norm of f16 computes in f32 and rounds once, so casts around it change nothing."""

AFFINE = rules(
    *(
        rule(
            PRE_TRANSLATE + 2,
            times(LET("N", Op(norm, "X", OPCONST("G"), OPCONST("B"), "Axes", "E")), OPCONST("F")),
            AND(
                *(IS_REAL, CONSTVAL_IS("G", 1.0), CONSTVAL_IS("B", 0.0)),
                *(SAME_SHAPE("F", "G"), last_dims("X", "Axes"), alone("X")),
            ),
            Op(norm, "X", "F", "B", "Axes", "E"),
            name="factor of a norm",
        )
        for norm in _NORMS
    ),
    *(
        rule(
            PRE_TRANSLATE + 2,
            plus(LET("N", Op(norm, "X", OPCONST("G"), OPCONST("B"), "Axes", "E")), OPCONST("S")),
            AND(
                *(IS_REAL, CONSTVAL_IS("B", 0.0)),
                *(SAME_SHAPE("S", "B"), last_dims("X", "Axes"), alone("X")),
            ),
            Op(norm, "X", "G", "S", "Axes", "E"),
            name="summand of a norm",
        )
        for norm in _NORMS
    ),
    package=GRAPH,
)

NORMS = LAYER_NORMS + RMS_NORMS + NARROW + AFFINE
"""The core of a norm has the factor 1 and the summand 0."""

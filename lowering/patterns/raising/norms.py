"""Softmax, LogSoftmax, LayerNorm and RmsNorm, found by their cores.

Then the factor and the summand of a norm move into it.
"""

from ...rules import (
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    GE,
    IS_FLOAT16,
    IS_FLOAT32,
    IS_SCALAR,
    LET,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SAME_SHAPE,
    SELECT,
    SHAPEFN_APPLY,
    Op,
    gen_ConstLike,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_ShapeOf,
    rule,
    rules,
)
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import Expr, OpForm
from .arithmetic import (
    EXTENTS,
    IS_REAL,
    alone,
    any_op,
    fits,
    last_dims,
    minus,
    one_axis,
    over,
    plus,
    root,
    rsqrt,
    same_op,
    times,
)

_BELOW = minus("X", Op("ReduceMax", "X", "Axes", "Keep"))
_POWER = Op("ElementWiseExp", ONE_OF(_BELOW, "X"))
_ONE = gen_ConstScalar_f32(1.0)
_AXIS = gen_ConstScalar_i32(CONSTVAL_INT("Axes", 0))
_ALONG_ONE = AND(
    *(IS_REAL, EQ(CONSTVAL_INT("Keep", 0), 1), one_axis("Axes"), fits("X", "Axes"), alone("X"))
)

SOFTMAXES = rules(
    rule(
        PRE_TRANSLATE + 1,
        over(LET("P", _POWER), Op("ReduceSum", "P", "Axes", "Keep")),
        _ALONG_ONE,
        Op("Softmax", "X", _AXIS, _ONE),
        name="softmax",
    ),
    rule(
        PRE_TRANSLATE + 1,
        minus(
            LET("Z", _BELOW),
            Op("ElementWiseLog", Op("ReduceSum", Op("ElementWiseExp", "Z"), "Axes", "Keep")),
        ),
        _ALONG_ONE,
        Op("LogSoftmax", "X", _AXIS, _ONE),
        name="log softmax",
    ),
    rule(
        PRE_TRANSLATE + 2,
        Op("ElementWiseLog", Op("Softmax", "X", "Axis", "Beta")),
        AND(IS_REAL, alone("X")),
        Op("LogSoftmax", "X", "Axis", "Beta"),
        name="log of softmax",
    ),
    rule(
        PRE_TRANSLATE + 2,
        Op("Cast", LET("P", Op("Softmax", Op("Cast", "X"), "Axis", "Beta"))),
        AND(IS_FLOAT16("*"), IS_FLOAT16("X"), IS_FLOAT32("P"), alone("X")),
        Op("Softmax", "X", "Axis", "Beta"),
        name="softmax between casts",
    ),
    package=GRAPH,
)
"""Taking the maximum away first changes no result but those that overflow without it."""


_MEAN = Op("ReduceMean", "X", "Axes", "Keep")
_IS_NORM = AND(
    *(IS_REAL, EQ(CONSTVAL_INT("Keep", 0), 1), IS_SCALAR("E"), GE(CONSTVAL_FLOAT("E", 0), 0.0)),
    *(fits("X", "Axes"), alone("X")),
)


def _stable(squares: Expr) -> OpForm:
    """Match the mean of squares and epsilon."""
    return plus(Op("ReduceMean", squares, "Axes", "Keep"), OPCONST("E"))


def _core(norm: str) -> OpForm:
    """Build a norm with the factor 1 and the summand 0."""
    extents = SHAPEFN_APPLY(EXTENTS, "X", "Axes")
    return Op(norm, "X", *(gen_ConstLike(n, "X", extents) for n in (1.0, 0.0)), "Axes", "E")


_DEVIATION = LET("D", minus("X", LET("M", _MEAN)))
_SQUARES = ONE_OF(times("D", "D"), Op("ElementWiseSquaredDifference", "X", "M"))
_CORES: tuple[tuple[str, Expr | str, Expr], ...] = (
    ("LayerNorm", _DEVIATION, _stable(_SQUARES)),
    ("RmsNorm", "X", _stable(times("X", "X"))),
)
"""A norm, its dividend, and the square of its divisor."""

CORES = rules(
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            _IS_NORM,
            core,
            name=f"core of {norm}",
        )
        for norm, data, stable in _CORES
        for match, core in (
            (
                over(ONE_OF(data, times(data, OPCONST("F"))), root(stable)),
                SELECT(BOUND("F"), times(_core(norm), "F"), _core(norm)),
            ),
            (times(data, rsqrt(stable)), _core(norm)),
        )
    ),
    package=GRAPH,
)

SQUARES = rules(
    rule(
        PRE_TRANSLATE + 2,
        times(LET("D", minus("X", "M")), "D"),
        AND(IS_REAL, SAME_SHAPE("D", "X")),
        Op("ElementWiseSquaredDifference", "X", "M"),
        name="square of a difference",
    ),
    package=GRAPH,
)
"""Rules for squares of deviations: other readers of these have their own, and none are kept."""

_NORMS = ("LayerNorm", "RmsNorm")


def _norm(data: Expr | str) -> Expr:
    """Match a norm with its constants."""
    return any_op(dict.fromkeys(_NORMS, (data, OPCONST("G"), OPCONST("B"), "Axes", "E")))


def _same_norm(factor: Expr | str, summand: Expr | str) -> Expr:
    """Build the norm with other constants."""
    return same_op(dict.fromkeys(_NORMS, ("X", factor, summand, "Axes", "E")))


def _like(number: float) -> Expr:
    """Build a constant of one number with the shape of G and the type of X."""
    return gen_ConstLike(number, "X", gen_ShapeOf("G"))


_NO_FACTOR, _NO_SUMMAND = CONSTVAL_IS("G", 1.0), CONSTVAL_IS("B", 0.0)
_LAST = last_dims("X", "Axes")

CASTS = rules(
    rule(
        PRE_TRANSLATE + 2,
        Op("Cast", LET("N", _norm(Op("Cast", "X")))),
        AND(
            *(IS_FLOAT16("*"), IS_FLOAT16("X"), IS_FLOAT32("N")),
            *(_NO_FACTOR, _NO_SUMMAND, alone("X")),
        ),
        _same_norm(_like(1.0), _like(0.0)),
        name="norm between casts",
    ),
    package=GRAPH,
)
"""A norm of f16 computes in f32 and rounds once, so casts around it change nothing."""

AFFINE = rules(
    rule(
        PRE_TRANSLATE + 2,
        times(_norm("X"), OPCONST("F")),
        AND(IS_REAL, _NO_FACTOR, _NO_SUMMAND, SAME_SHAPE("F", "G"), _LAST, alone("X")),
        _same_norm("F", "B"),
        name="factor of a norm",
    ),
    rule(
        PRE_TRANSLATE + 2,
        plus(_norm("X"), OPCONST("S")),
        AND(IS_REAL, _NO_SUMMAND, SAME_SHAPE("S", "B"), _LAST, alone("X")),
        _same_norm("G", "S"),
        name="summand of a norm",
    ),
    package=GRAPH,
)

NORMS = CORES + SQUARES + CASTS + AFFINE
"""A norm is found first; what stands around it moves in afterwards."""

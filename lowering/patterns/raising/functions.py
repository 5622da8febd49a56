"""Functions found by their cores: softmaxes and norms, Gelu in both forms, Swish and HardSwish.

The factor and the summand of a norm move into it. Factors of an activation come in any order; the
argument of the tanh in a GeluTanh is a polynomial, however its sums and products are written.
"""

from collections.abc import Callable
from math import pi, sqrt

import numpy as np
from numpy.polynomial import Polynomial

from ....dialects.value import DType
from ...rules import (
    AND,
    BOUND,
    CONSTVAL_FLOAT,
    CONSTVAL_INT,
    CONSTVAL_IS,
    EQ,
    EXTERNAL_CONSTRAINT,
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
    external_constraint,
    gen_ConstLike,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    gen_ShapeOf,
    rule,
    rules,
)
from ...rules.graph.graph import GRAPH, Node
from ...rules.tree.expr import Expr, OpForm
from .spellings import (
    EXTENTS,
    IS_REAL,
    alone,
    any_op,
    fits,
    if_bound,
    is_factor,
    is_scalar,
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
_BETA = gen_ConstScalar_f32(1.0)
_AXIS = gen_ConstScalar_i32(CONSTVAL_INT("Axes", 0))
_ALONG_ONE = AND(
    *(IS_REAL, EQ(CONSTVAL_INT("Keep", 0), 1), one_axis("Axes"), fits("X", "Axes"), alone("X"))
)

SOFTMAXES = rules(
    rule(
        PRE_TRANSLATE + 1,
        over(LET("P", _POWER), Op("ReduceSum", "P", "Axes", "Keep")),
        _ALONG_ONE,
        Op("Softmax", "X", _AXIS, _BETA),
        name="softmax",
    ),
    rule(
        PRE_TRANSLATE + 1,
        minus(
            LET("Z", _BELOW),
            Op("ElementWiseLog", Op("ReduceSum", Op("ElementWiseExp", "Z"), "Axes", "Keep")),
        ),
        _ALONG_ONE,
        Op("LogSoftmax", "X", _AXIS, _BETA),
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


_GELU = sqrt(2 / pi) * np.array([0.0, 1.0, 0.0, 0.044715])
"""The coefficients of the argument of tanh in GeluTanh."""
_ROUNDING = {DType.Float32: 1e-6, DType.Float16: 3e-3}
"""The relative error that rounded constants leave in a coefficient."""
_MOST = 8
"""Ops between a polynomial and its variable that may follow each other, and its degree, at most."""


@external_constraint("bends_as_gelu")
def bends_as_gelu(node: Node, variable: Node) -> bool:
    """The argument is sqrt(2 / pi) * (x + 0.044715 * x * x * x)."""
    polynomial = polynomial_of(node, variable)
    rounding = _ROUNDING.get(node.spec.dtype)
    if polynomial is None or rounding is None:
        return False
    coefficients = polynomial.trim().coef
    same = coefficients.shape == _GELU.shape
    return same and bool(np.allclose(coefficients, _GELU, rtol=rounding, atol=0))


def polynomial_of(node: Node, variable: Node, depth: int = _MOST) -> Polynomial | None:
    """Return a value as a polynomial of a variable; None where it is none of a low degree."""
    if node == variable:
        return Polynomial([0.0, 1.0])
    if node.constant is not None:
        return Polynomial([float(node.constant.item())]) if node.constant.size == 1 else None
    combined = _OPS.get(node.name.partition(".")[2])
    if combined is None or not depth:
        return None
    parts = [polynomial_of(part, variable, depth - 1) for part in node.inputs]
    known = [part for part in parts if part is not None and part.degree() <= _MOST]
    return combined(*known) if len(known) == len(parts) else None


def _power(base: Polynomial, exponent: Polynomial) -> Polynomial | None:
    number = float(exponent.coef[0])
    whole = exponent.degree() == 0 and number.is_integer() and 0 <= number <= _MOST
    return base ** int(number) if whole else None


def _quotient(above: Polynomial, below: Polynomial) -> Polynomial | None:
    return above / float(below.coef[0]) if below.degree() == 0 and below.coef[0] else None


_OPS: dict[str, Callable[..., Polynomial | None]] = {
    "ElementWiseAdd": lambda a, b: a + b,
    "ElementWiseDivide": _quotient,
    "ElementWiseMultiply": lambda a, b: a * b,
    "ElementWiseNeg": lambda a: -a,
    "ElementWisePower": _power,
    "ElementWiseSubtract": lambda a, b: a - b,
}
"""The ops that make polynomials of polynomials."""


_HALF, _ONE = OPCONST("Half"), OPCONST("One")
_ARGUMENT = ONE_OF(over("X", OPCONST("Root")), times("X", OPCONST("Share")))
"""x / sqrt(2)."""


def _products(factor: OpForm) -> tuple[OpForm, ...]:
    """Match the products of x, a half and a factor with `One`, in any order."""
    either = ONE_OF(_HALF, factor)
    return times(times("X", either), either), times("X", times(_HALF, factor))


_IS_GELU = AND(
    *(BOUND("Half"), BOUND("One"), IS_REAL, alone("X")),
    *(is_scalar("Half", 0.5), is_scalar("One", 1.0)),
)
"""Each of both factors is taken once."""

GELUS = rules(
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(
                _IS_GELU,
                if_bound("Root", is_scalar("Root", sqrt(2))),
                if_bound("Share", is_scalar("Share", sqrt(0.5))),
            ),
            Op("Gelu", "X"),
            name="gelu",
        )
        for match in _products(plus(Op("ElementWiseErf", _ARGUMENT), _ONE))
    ),
    *(
        rule(
            PRE_TRANSLATE + 1,
            match,
            AND(_IS_GELU, EXTERNAL_CONSTRAINT(bends_as_gelu, "Bend", "X")),
            Op("GeluTanh", "X"),
            name="gelu of tanh",
        )
        for match in _products(plus(Op("Tanh", "Bend"), _ONE))
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

_SIXTH = OPCONST("Sixth")
_SIXTHS = Op("ReluMinMax", plus(times("X", _SIXTH), _HALF), "Low", "High")
_SIX = Op("ReluMinMax", plus("X", OPCONST("Three")), "Low", "High")

_IS_HARD = AND(IS_REAL, is_scalar("Low", 0.0), alone("X"))
_IS_SIX = AND(is_scalar("Three", 3.0), is_scalar("High", 6.0))
_SHARE = ONE_OF(_SIXTHS, times(_SIX, _SIXTH), over(_SIX, OPCONST("Six")))
"""The factor of x, from 0 to 1."""

HARD_SWISHES = rules(
    rule(
        PRE_TRANSLATE + 1,
        times("X", _SHARE),
        AND(
            *(_IS_HARD, if_bound("Three", _IS_SIX)),
            if_bound("Half", AND(is_scalar("Half", 0.5), is_scalar("High", 1.0))),
            *(if_bound("Sixth", is_scalar("Sixth", 1 / 6)), if_bound("Six", is_scalar("Six", 6.0))),
        ),
        Op("HardSwish", "X"),
        name="hard swish",
    ),
    rule(
        PRE_TRANSLATE + 1,
        times(times("X", ONE_OF(_SIX, _SIXTH)), ONE_OF(_SIXTH, _SIX)),
        AND(BOUND("Three"), BOUND("Sixth"), _IS_HARD, _IS_SIX, is_scalar("Sixth", 1 / 6)),
        Op("HardSwish", "X"),
        name="hard swish",
    ),
    rule(
        PRE_TRANSLATE + 1,
        over(times("X", _SIX), OPCONST("Six")),
        AND(_IS_HARD, _IS_SIX, is_scalar("Six", 6.0)),
        Op("HardSwish", "X"),
        name="hard swish",
    ),
    package=GRAPH,
)

ACTIVATIONS = GELUS + SWISHES + HARD_SWISHES
"""Activations that have one op."""

"""Rules that find Gelu in both forms, Swish and HardSwish, in any order of their factors.

The argument of the tanh in a GeluTanh is a polynomial, however its sums and products are written.
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
    EXTERNAL_CONSTRAINT,
    ONE_OF,
    OPCONST,
    PRE_TRANSLATE,
    SELECT,
    Op,
    external_constraint,
    gen_ConstScalar_f32,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH
from ...rules.tree.expr import OpForm
from .arithmetic import IS_REAL, alone, if_bound, is_factor, is_scalar, over, plus, times

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

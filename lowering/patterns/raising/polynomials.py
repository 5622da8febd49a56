"""Values that are polynomials of another, however their sums and products are written."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

import numpy as np
from numpy.polynomial import Polynomial

from ....dialects.value.dtypes import DType
from ...rules import external_constraint
from ...rules.graph.graph import Node

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

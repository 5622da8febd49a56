"""The trigonometric and hyperbolic functions that graph IR spells out in simpler ops.

Each keeps its digits near 0, where the textbook form would cancel: e to the power of x, less 1, is
Elu of a negative number, and log(1 + x) is the softplus of log x. None overflows before its result.
"""

from __future__ import annotations

from collections.abc import Callable

from ...graph.value import Value
from ..support.registry import ImporterSet

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Tan", folds=True)
def tan(x: Value) -> Value:
    return x.sin() / x.cos()


@ONNX.importer("Acos", folds=True)
def acos(x: Value) -> Value:
    """2 atan(sqrt((1 - x) / (1 + x)))."""
    one = x.like(1)
    return ((one - x) / (one + x)).sqrt().atan() * 2


@ONNX.importer("Cosh", folds=True)
def cosh(x: Value) -> Value:
    """(a a + b b) / 2, where a and b are e to the power of x / 2 and of -x / 2."""
    rising, falling = (x * 0.5).exp(), (x * -0.5).exp()
    return rising * 0.5 * rising + falling * 0.5 * falling


@ONNX.importer("Acosh", folds=True)
def acosh(x: Value) -> Value:
    """log(1 + d + sqrt(d) sqrt(d + 2)), where d is x - 1."""
    above = x - 1
    return _log_one_plus(above + above.sqrt() * (x + 1).sqrt())


def _sinh(x: Value) -> Value:
    """(1 - e to the power of -2 x) / 2, times that of x / 2 twice."""
    root = (x * 0.5).exp()
    return (x * -2).op("Elu") * -0.5 * root * root


def _asinh(x: Value) -> Value:
    """log(1 + x + x / (u + sqrt(u u + 1))), where u is 1 / x."""
    inverse = x.reciprocal()
    square = inverse * inverse + 1
    return _log_one_plus(x + x / (inverse + square.sqrt()))


def _atanh(x: Value) -> Value:
    """log(1 + 2 x / (1 - x)) / 2."""
    rest = 1 - x
    return _log_one_plus(x * 2 / rest) * 0.5


def _log_one_plus(x: Value) -> Value:
    return x.log().softplus()


def _odd(op: str, function: Callable[[Value], Value]) -> None:
    """Declare f(-x) = -f(x), from the function of numbers >= 0."""
    ONNX.importer(op, folds=True)(lambda x: function(x.abs()) * x.sign())


for _op, _function in {"Sinh": _sinh, "Asinh": _asinh, "Atanh": _atanh}.items():
    _odd(_op, _function)

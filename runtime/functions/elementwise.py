"""Element-wise ops. Source: QNN op definitions ElementWise*, ONNX operator spec.

f16 is computed in f32 and rounded once; infinities and NaN follow IEEE and never warn.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ...dialects.value.dtypes import integer_bounds
from .support.arrays import Array, Bools, Floats, in_pieces, narrow, widen
from .support.erf import erf, erfc

UnaryFunction: TypeAlias = Callable[[Array], Array]
BinaryFunction: TypeAlias = Callable[[Array, Array], Array]


def _keeping(function: Callable[[Array], Array]) -> UnaryFunction:
    """A unary function with the dtype of its input; f16 passes through f32."""

    def on(x: Array) -> Array:
        return narrow(function(widen(x) if x.dtype.kind == "f" else x), x.dtype)

    return _piecewise(on)


def _real(function: Callable[[Floats], Floats]) -> UnaryFunction:
    """As `_keeping`, for functions of real numbers."""
    return _piecewise(lambda x: narrow(function(widen(x)), x.dtype))


def _piecewise(function: UnaryFunction) -> UnaryFunction:
    def apply(x: Array) -> Array:
        with np.errstate(all="ignore"):
            return in_pieces(function, x)

    return apply


def _sigmoid(x: Floats) -> Floats:
    # exp of a negative number only: no overflow, and small results keep their digits.
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))


def _gelu(x: Floats) -> Floats:
    wide = x.astype(np.float64)
    return np.where(np.isneginf(wide), 0.0, 0.5 * wide * erfc(-wide * math.sqrt(0.5)))


def _gelu_tanh(x: Floats) -> Floats:
    wide = x.astype(np.float64)
    bend = np.tanh(math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3))
    return np.where(np.isneginf(wide), 0.0, 0.5 * wide * (1 + bend))


def _inverted(x: Array) -> Array:
    return np.asarray(np.bitwise_not(x))


NUMBER_UFUNCS: dict[str, np.ufunc] = {
    "Abs": np.absolute,
    "Neg": np.negative,
    "Floor": np.floor,
    "Ceil": np.ceil,
    "Round": np.rint,
    "Sign": np.sign,
}
"""Functions of one number that are one call of numpy, for integers too."""

REAL_UFUNCS: dict[str, np.ufunc] = {
    "Exp": np.exp,
    "Log": np.log,
    "Sqrt": np.sqrt,
    "Sin": np.sin,
    "Cos": np.cos,
    "Asin": np.arcsin,
    "Atan": np.arctan,
    "Reciprocal": np.reciprocal,
    "Tanh": np.tanh,
}
"""Functions of one real number that are one call of numpy."""

UNARY: dict[str, UnaryFunction] = {
    **{name: _keeping(ufunc) for name, ufunc in NUMBER_UFUNCS.items()},
    **{name: _real(ufunc) for name, ufunc in REAL_UFUNCS.items()},
    "Rsqrt": _real(lambda x: 1 / np.sqrt(x)),
    "Relu": _keeping(lambda x: np.maximum(x, np.zeros((), x.dtype))),
    "Sigmoid": _real(_sigmoid),
    "HardSwish": _real(lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "Gelu": _real(_gelu),
    "GeluTanh": _real(_gelu_tanh),
    "Softplus": _real(lambda x: np.logaddexp(x, np.zeros((), x.dtype))),
    "Erf": _real(lambda x: erf(x.astype(np.float64))),
    "Not": _inverted,
}


def _joined(function: Callable[[Array, Array], Array]) -> BinaryFunction:
    """A binary function with the dtype of its first input; f16 passes through f32."""

    def apply(a: Array, b: Array) -> Array:
        with np.errstate(all="ignore"):
            if a.dtype.kind == "f":
                return narrow(function(widen(a), widen(b)), a.dtype)
            return narrow(function(a, b), a.dtype)

    return apply


def _test(function: Callable[[Array, Array], Array]) -> BinaryFunction:
    """A comparison or a logical function: the result is bool."""

    def apply(a: Array, b: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(function(a, b))

    return apply


def _divide(a: Array, b: Array) -> Array:
    """Quotient; of integers truncated towards zero, and 0 where the divisor is 0."""
    if a.dtype.kind == "f":
        return np.divide(a, b)
    return np.floor_divide(np.subtract(a, np.fmod(a, b)), b)


def _power(a: Array, b: Array) -> Array:
    """Power; of integers truncated towards zero, and 0 for 0 to a negative power."""
    if a.dtype.kind == "f" or b.dtype.kind == "u":
        return np.power(a, b)
    if b.dtype.kind == "f":
        return np.power(a.astype(np.float64), b)
    odd = np.where(np.remainder(b, 2) == 1, a, np.multiply(a, a))
    unit = np.equal(np.abs(a), 1)
    return np.where(np.less(b, 0), np.where(unit, odd, 0), np.power(a, np.maximum(b, 0)))


JOINING_UFUNCS: dict[str, np.ufunc] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "Mod": np.remainder,
}
"""Functions of two numbers that are one call of numpy, for integers too."""

COMPARING_UFUNCS: dict[str, np.ufunc] = {
    "Less": np.less,
    "LessEqual": np.less_equal,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal,
    "Equal": np.equal,
    "NotEqual": np.not_equal,
}
"""Comparisons of two numbers."""

LOGIC_UFUNCS: dict[str, np.ufunc] = {
    "And": np.bitwise_and,
    "Or": np.bitwise_or,
    "Xor": np.bitwise_xor,
}
"""Functions of two truth values, or of the bits of two integers."""

BINARY: dict[str, BinaryFunction] = {
    **{name: _joined(ufunc) for name, ufunc in JOINING_UFUNCS.items()},
    **{name: _test(ufunc) for name, ufunc in (COMPARING_UFUNCS | LOGIC_UFUNCS).items()},
    "Div": _joined(_divide),
    "Pow": _joined(_power),
    "SquaredDifference": _joined(lambda a, b: np.square(np.subtract(a, b))),
}


def select(condition: Bools, a: Array, b: Array) -> Array:
    """`a` where the condition holds, else `b`; the three broadcast together."""
    return np.where(condition, a, b)


def _bounds(x: Array, low: float, high: float) -> tuple[Array, Array]:
    """The bounds as scalars of x's dtype; for integers the nearest ones inside [low, high]."""
    if x.dtype.kind == "f":
        return narrow(np.asarray(low), x.dtype), narrow(np.asarray(high), x.dtype)
    least, most = integer_bounds(x.dtype)
    lower = math.ceil(min(max(low, least), most))
    upper = math.floor(min(max(high, least), most))
    return np.asarray(lower, x.dtype), np.asarray(upper, x.dtype)


def clamp(x: Array, low: float, high: float) -> Array:
    """min(max(x, low), high); NaN stays."""
    lower, upper = _bounds(x, low, high)
    larger = np.asarray(np.maximum(x, lower))
    return np.asarray(np.minimum(larger, upper, out=larger))


def elu(x: Array, alpha: float) -> Array:
    """x, or alpha * (exp(x) - 1) where x is negative."""
    return _real(lambda v: np.where(v < 0, alpha * np.expm1(np.minimum(v, 0)), v))(x)


def swish(x: Array, alpha: float) -> Array:
    """x times the sigmoid of alpha * x."""
    wide = widen(x)
    with np.errstate(all="ignore"):
        return narrow(wide * _sigmoid(wide * np.float32(alpha)), x.dtype)


def leaky_relu(x: Array, alpha: float) -> Array:
    """x, or alpha * x where x is negative."""
    return _real(lambda v: np.where(v < 0, alpha * v, v))(x)


def prelu(x: Array, slope: Array) -> Array:
    """x, or slope * x where x is negative; slope broadcasts to x."""
    return _real(lambda v: np.where(v < 0, widen(slope) * v, v))(x)

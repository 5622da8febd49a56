"""Element-wise ops. Source: QNN op definitions ElementWise*, ONNX operator spec.

f16 is computed in f32 and rounded once; infinities and NaN follow IEEE and never warn.

Source of erf: W. J. Cody, "Rational Chebyshev approximations for the error function", Mathematics
of Computation 23 (1969); the error is about one unit in the last place.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...dialects.value import integer_bounds
from .support.arrays import Array, Bools, Floats, in_pieces, narrow, widen

Float64s = NDArray[np.float64]

_SMALL = 0.46875
_LARGE = 4.0
_ERFC_UNDERFLOW = 30.0
_INVERSE_SQRT_PI = 0.56418958354775628695

# Coefficients of the numerators and denominators, highest power first.
_SMALL_P = (
    1.85777706184603153e-1,
    3.16112374387056560e0,
    1.13864154151050156e2,
    3.77485237685302021e2,
    3.20937758913846947e3,
)
_SMALL_Q = (
    1.0,
    2.36012909523441209e1,
    2.44024637934444173e2,
    1.28261652607737228e3,
    2.84423683343917062e3,
)
_MIDDLE_P = (
    2.15311535474403846e-8,
    5.64188496988670089e-1,
    8.88314979438837594e0,
    6.61191906371416295e1,
    2.98635138197400131e2,
    8.81952221241769090e2,
    1.71204761263407058e3,
    2.05107837782607147e3,
    1.23033935479799725e3,
)
_MIDDLE_Q = (
    1.0,
    1.57449261107098347e1,
    1.17693950891312499e2,
    5.37181101862009858e2,
    1.62138957456669019e3,
    3.29079923573345963e3,
    4.36261909014324716e3,
    3.43936767414372164e3,
    1.23033935480374942e3,
)
_LARGE_P = (
    1.63153871373020978e-2,
    3.05326634961232344e-1,
    3.60344899949804439e-1,
    1.25781726111229246e-1,
    1.60837851487422766e-2,
    6.58749161529837803e-4,
)
_LARGE_Q = (
    1.0,
    2.56852019228982242e0,
    1.87295284992346725e0,
    5.27905102951428412e-1,
    6.05183413124413191e-2,
    2.33520497626869185e-3,
)


def _ratio(p: tuple[float, ...], q: tuple[float, ...], x: Float64s) -> Float64s:
    above, below = np.full_like(x, p[0]), np.full_like(x, q[0])
    for coefficient in p[1:]:
        above = above * x + coefficient
    for coefficient in q[1:]:
        below = below * x + coefficient
    return above / below


def _erf_small(x: Float64s) -> Float64s:
    return x * _ratio(_SMALL_P, _SMALL_Q, x * x)


def _erfc_positive(y: Float64s) -> Float64s:
    """erfc for y >= the small limit; y * y is split so that its rounding does not show."""
    y = np.minimum(y, _ERFC_UNDERFLOW)
    inverse_square = 1.0 / (y * y)
    tail = inverse_square * _ratio(_LARGE_P, _LARGE_Q, inverse_square)
    far = (_INVERSE_SQRT_PI - tail) / y
    near = _ratio(_MIDDLE_P, _MIDDLE_Q, np.minimum(y, _LARGE))
    head = np.trunc(y * 16.0) / 16.0
    decay = np.exp(-head * head) * np.exp(-(y - head) * (y + head))
    scaled: Float64s = np.where(y <= _LARGE, near, far) * decay
    return scaled


def erf(x: Float64s) -> Float64s:
    """2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x."""
    size = np.abs(x)
    inner = _erf_small(np.clip(x, -_SMALL, _SMALL))
    outer = np.copysign(1.0 - _erfc_positive(np.maximum(size, _SMALL)), x)
    return np.where(size <= _SMALL, inner, outer)


def erfc(x: Float64s) -> Float64s:
    """1 - erf(x), without the cancellation for large x."""
    size = np.abs(x)
    inner = 1.0 - _erf_small(np.clip(x, -_SMALL, _SMALL))
    tail = _erfc_positive(np.maximum(size, _SMALL))
    return np.where(size <= _SMALL, inner, np.where(x > 0, tail, 2.0 - tail))


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

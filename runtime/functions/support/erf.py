"""The error function in float64.

Source: W. J. Cody, "Rational Chebyshev approximations for the error function",
Mathematics of Computation 23 (1969); the error is about one unit in the last place.
"""

import numpy as np
from numpy.typing import NDArray

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

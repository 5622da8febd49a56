"""Functions of one f32 array as rows of in-place numpy calls.

`bound(name, x, out)` gives the calls; x and out are contiguous, of one size, and may be the same.
Results agree with the reference functions to a few units of f32, Gelu to 3e-7 of max(1, |x|).
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import pi

import numpy as np

from ....dialects.diagnostics import fail
from ...functions import elementwise
from ...functions.elementwise import NUMBER_UFUNCS, REAL_UFUNCS
from ...kernel.kernel import Call
from .calls import CHUNK, Floats, number, scratch, spans

Calls = list[Call]
Builder = Callable[[Floats, Floats, Floats], Calls]
"""From x, out and two rows of scratch of their size."""

_HALF, _ONE, _ZERO = number(0.5), number(1), number(0)
_SIXTH = number(1 / 6)
_ROOT_TWO = number(2**0.5)
_LINEAR, _CUBIC = (number(factor * (2 / pi) ** 0.5) for factor in (1, 0.044715))
"""The factors of x and of its cube in the tanh of GeluTanh."""

# erf(x / sqrt(2)) = tanh(x * p(x * x)): a weighted least-squares fit, highest power first. Past
# the fitted range tanh is 1, as p grows there.
_ERF = tuple(
    number(value)
    for value in (
        1.8056207281382031e-09,
        -1.334466032332123e-07,
        3.969112618029812e-06,
        -5.5240181724005486e-05,
        -3.312991579362378e-05,
        0.036334283410822066,
        0.7978842161482792,
    )
)


def _ufunc(function: np.ufunc) -> Builder:
    return lambda x, out, work: [partial(function, x, out)]


def _sigmoid(x: Floats, out: Floats, work: Floats) -> Calls:
    """As the tanh of half the input, which cannot overflow."""
    return [
        partial(np.multiply, x, _HALF, out),
        partial(np.tanh, out, out),
        partial(np.multiply, out, _HALF, out),
        partial(np.add, out, _HALF, out),
    ]


def _hard_swish(x: Floats, out: Floats, work: Floats) -> Calls:
    gate = work[0]
    return [
        partial(np.multiply, x, _SIXTH, gate),
        partial(np.add, gate, _HALF, gate),
        partial(np.maximum, gate, _ZERO, out=gate),
        partial(np.minimum, gate, _ONE, out=gate),
        partial(np.multiply, x, gate, out),
    ]


def _erf_of_root_half(x: Floats, out: Floats, square: Floats) -> Calls:
    """out = erf(x / sqrt(2)); the three are different arrays."""
    first, *rest = _ERF
    calls: Calls = [partial(np.square, x, square), partial(np.multiply, square, first, out)]
    for coefficient in rest[:-1]:
        calls += [partial(np.add, out, coefficient, out), partial(np.multiply, out, square, out)]
    calls += [partial(np.add, out, rest[-1], out), partial(np.multiply, out, x, out)]
    return [*calls, partial(np.tanh, out, out)]


def _gelu(x: Floats, out: Floats, work: Floats) -> Calls:
    square, erf = work
    return [
        *_erf_of_root_half(x, erf, square),
        partial(np.add, erf, _ONE, erf),
        partial(np.multiply, erf, _HALF, erf),
        partial(np.multiply, erf, x, out),
    ]


def _gelu_tanh(x: Floats, out: Floats, work: Floats) -> Calls:
    square, bend = work
    return [
        partial(np.square, x, square),
        partial(np.multiply, square, _CUBIC, square),
        partial(np.add, square, _LINEAR, square),
        partial(np.multiply, square, x, bend),
        partial(np.tanh, bend, bend),
        partial(np.add, bend, _ONE, bend),
        partial(np.multiply, bend, _HALF, bend),
        partial(np.multiply, bend, x, out),
    ]


def _erf(x: Floats, out: Floats, work: Floats) -> Calls:
    square, erf = work
    return [
        partial(np.multiply, x, _ROOT_TWO, out),
        *_erf_of_root_half(out, erf, square),
        partial(np.copyto, out, erf),
    ]


UNARY: dict[str, Builder] = {
    **{name: _ufunc(function) for name, function in (NUMBER_UFUNCS | REAL_UFUNCS).items()},
    "Rsqrt": lambda x, out, work: [partial(np.sqrt, x, out), partial(np.reciprocal, out, out)],
    "Relu": lambda x, out, work: [partial(np.maximum, x, _ZERO, out=out)],
    "Sigmoid": _sigmoid,
    "HardSwish": _hard_swish,
    "Gelu": _gelu,
    "GeluTanh": _gelu_tanh,
    "Erf": _erf,
    "Softplus": lambda x, out, work: [partial(np.logaddexp, x, _ZERO, out)],
}

for _name in elementwise.UNARY.keys() - UNARY.keys() - {"Not"}:
    raise fail(
        f"htp.{_name}",
        "has no fast kernel",
        "add a row to UNARY in runtime/kernels/support/pointwise.py",
    )


def bound(name: str, x: Floats, out: Floats) -> Iterator[Call]:
    """List the calls of one function, in pieces that fit the cache."""
    return in_pieces(UNARY[name], x, out)


def in_pieces(builder: Builder, x: Floats, out: Floats) -> Iterator[Call]:
    """List the calls that a builder makes for pieces that fit the cache."""
    flat_x, flat_out = x.reshape(-1), out.reshape(-1)
    work = scratch(2, min(CHUNK, x.size))
    for span in spans(x.size, CHUNK):
        piece = flat_x[span]
        yield from builder(piece, flat_out[span], work[:, : piece.size])


def clamp(x: Floats, low: Floats, high: Floats, out: Floats) -> Calls:
    """out = x bounded by two scalars."""
    return [
        partial(np.maximum, x, low, out=out),
        partial(np.minimum, out, high, out=out),
    ]

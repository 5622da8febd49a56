"""Array types and the two precision rules that every function here follows."""

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.generic]
"""An array of any dtype."""
Floats: TypeAlias = NDArray[np.floating]
Bools: TypeAlias = NDArray[np.bool_]
DType: TypeAlias = np.dtype[np.generic]
Pair: TypeAlias = tuple[int, int]

PIECE = 1 << 15
"""Elements that a function of several passes works on at a time, to take little memory itself."""

_FLOAT32: DType = np.dtype(np.float32)
_INT32: DType = np.dtype(np.int32)


def accumulator(dtype: DType) -> DType:
    """The type that sums are kept in: f32 for f16, int32 for narrower integers, else the same."""
    if dtype.kind == "f":
        return np.promote_types(dtype, _FLOAT32)
    if dtype.kind in "iub" and dtype.itemsize < _INT32.itemsize:
        return _INT32
    return dtype


def product_dtype(dtype: DType) -> DType:
    """The result type of a sum of products: floats keep theirs, integers their accumulator's."""
    return dtype if dtype.kind == "f" else accumulator(dtype)


def widen(x: Array) -> Floats:
    """`x` as floats of at least 32 bits; no copy where it already is."""
    dtype = np.promote_types(x.dtype, np.float32)
    return x.astype(dtype, copy=False)


def narrow(x: Array, dtype: DType) -> Array:
    """`x` as `dtype`, rounded; a value out of range becomes infinite, without a warning."""
    with np.errstate(all="ignore"):
        return np.asarray(x).astype(dtype, copy=False)


def in_pieces(function: Callable[[Array], Array], x: Array, over: Sequence[int] = ()) -> Array:
    """Apply a function to `x` piece by piece; it keeps the shape, and the axes `over` stay whole.

    Give them to the function as numbers from the end: a piece has its leading axes in one.
    """
    lead = min((axis % x.ndim for axis in over), default=x.ndim)
    rows = x.reshape(prod(x.shape[:lead]), *x.shape[lead:])
    size = max(1, PIECE // max(1, prod(x.shape[lead:])))
    if len(rows) <= size:
        return function(x)
    first = function(rows[:size])
    result = np.empty(rows.shape, first.dtype)
    result[:size] = first
    for start in range(size, len(rows), size):
        result[start : start + size] = function(rows[start : start + size])
    return result.reshape(x.shape)


def mean(x: Floats, axes: Sequence[int], keep_dims: bool = True) -> Floats:
    """The mean over axes; NaN where there is nothing to take it of, without numpy's warning."""
    count = prod(x.shape[axis] for axis in axes)
    total: Floats = np.sum(x, axis=tuple(axes), keepdims=keep_dims)
    with np.errstate(all="ignore"):
        return np.asarray(np.true_divide(total, x.dtype.type(count)))

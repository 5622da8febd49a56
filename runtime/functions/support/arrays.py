"""Array types, the two precision rules that every function here follows, and sliding windows."""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
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


Pads = tuple[Pair, Pair]
NO_PADS: Pads = ((0, 0), (0, 0))


def padded(x: Array, pads: Pads, value: float | int | bool = 0) -> Array:
    """x[n, h, w, c] with `pads` = ((top, bottom), (left, right)) rows of `value` around it."""
    return np.pad(x, ((0, 0), *pads, (0, 0)), constant_values=value)


def windows(x: Array, size: Pair, stride: Pair, dilation: Pair = (1, 1)) -> Array:
    """A view [n, oh, ow, c, kh, kw] of all windows of x[n, h, w, c]; no padding is added."""
    reach = tuple((k - 1) * d + 1 for k, d in zip(size, dilation, strict=True))
    every = sliding_window_view(x, reach, axis=(1, 2))
    return every[:, :: stride[0], :: stride[1], :, :: dilation[0], :: dilation[1]]


def counts(x: Array, size: Pair, stride: Pair, pads: Pads, dilation: Pair = (1, 1)) -> Pair:
    """Count the windows down and across of x[n, h, w, c] with padding."""
    reach = ((k - 1) * d + 1 for k, d in zip(size, dilation, strict=True))
    extents = (n + sum(pad) for n, pad in zip(x.shape[1:3], pads, strict=True))
    down, across = ((n - r) // s + 1 for n, r, s in zip(extents, reach, stride, strict=True))
    return down, across


def bands(
    x: Array, size: Pair, stride: Pair, pads: Pads, dilation: Pair = (1, 1), results: int = 0
) -> Iterator[tuple[slice, slice, Array]]:
    """Cut padded x[n, h, w, c] into bands with few windows: images, rows of windows, and the piece.

    Only the rows of the piece are padded. `results` are the numbers that are made of a window.
    """
    down, across = counts(x, size, stride, pads, dilation)
    reach = (size[0] - 1) * dilation[0] + 1
    row = max(1, across * max(x.shape[3] * prod(size), results))
    rows = max(1, min(down, 4 * PIECE // row))
    images = max(1, 4 * PIECE // (row * rows)) if rows >= down else 1
    for image in range(0, x.shape[0], images):
        for begin in range(0, down, rows):
            end = min(begin + rows, down)
            low = begin * stride[0] - pads[0][0]
            high = (end - 1) * stride[0] + reach - pads[0][0]
            piece = x[image : image + images, max(low, 0) : max(high, 0)]
            above = min(max(-low, 0), high - low)
            missing = (above, high - low - above - piece.shape[1])
            band = padded(piece, (missing, pads[1]))
            yield slice(image, image + images), slice(begin, end), band

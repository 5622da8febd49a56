"""Conversions between real, quantised and other element types. real = (q - zero_point) * scale.

Weights may be codes: places in a table, some in a byte, with a scale and zero point for each block.
Example: with the table 0, 1 .. 15 the byte 0x21 is the numbers 1 and 2; zero point 1 and scale 0.5
make 0.0 and 0.5 of them.
"""

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ...dialects.value import integer_bounds
from ...dialects.value.dtypes import CODES_IN_A_BYTE, Bytes, unpacked
from .linear import fully_connected
from .support.arrays import Array, DType, narrow


def _along(values: ArrayLike, axis: int | None, rank: int, dtype: DTypeLike) -> Array:
    """Keep a scalar; shape a vector to broadcast along `axis` of a `rank`-D array."""
    vector = np.asarray(values, dtype)
    if axis is None or vector.ndim == 0:
        return vector.reshape(())
    return np.expand_dims(vector, tuple(i for i in range(rank) if i != axis % rank))


def _saturated(whole: NDArray[np.float64], dtype: DType) -> Array:
    """Convert whole numbers to `dtype`; numbers outside become the bound, NaN becomes 0."""
    low, high = integer_bounds(dtype)
    # The float of a 64-bit maximum rounds up, so that bound is set by hand.
    beyond = whole >= float(high)
    inside = np.where(np.isnan(whole) | beyond, 0, np.maximum(whole, float(low)))
    return np.where(beyond, np.asarray(high, dtype), inside.astype(dtype))


@np.errstate(all="ignore")
def quantize(
    x: Array,
    scale: ArrayLike,
    zero_point: ArrayLike,
    dtype: DTypeLike,
    axis: int | None = None,
) -> Array:
    """round(x / scale) + zero_point, half to even, saturated to the integer `dtype`.

    scale and zero_point are scalars, or vectors along `axis`; the division is in f32. NaN becomes
    the value nearest 0.
    """
    ratio = np.divide(x.astype(np.float32), _along(scale, axis, x.ndim, np.float32))
    shift = _along(zero_point, axis, x.ndim, np.float64)
    whole = np.add(np.nan_to_num(np.rint(ratio), posinf=np.inf, neginf=-np.inf), shift)
    return _saturated(np.asarray(whole, np.float64), np.dtype(dtype))


@np.errstate(all="ignore")
def dequantize(
    q: Array, scale: ArrayLike, zero_point: ArrayLike, axis: int | None = None
) -> NDArray[np.float32]:
    """(q - zero_point) * scale in f32; scale and zero_point as in `quantize`."""
    offset = np.subtract(q.astype(np.int64), _along(zero_point, axis, q.ndim, np.int64))
    real = np.multiply(offset.astype(np.float32), _along(scale, axis, q.ndim, np.float32))
    return np.asarray(real, np.float32)


@np.errstate(all="ignore")
def cast(x: Array, dtype: DTypeLike) -> Array:
    """x as `dtype`: floats to integers truncate and saturate, to bool means != 0, integers wrap.

    A number past the range of a float type becomes what IEEE rounding gives: infinity, else NaN,
    else the largest number, as the type has them.
    """
    target: DType = np.dtype(dtype)
    if x.dtype.kind == "f" and target.name.startswith(("int", "uint")):
        return _saturated(np.trunc(x.astype(np.float64)), target)
    return x.astype(target)


@np.errstate(all="ignore")
def decode_weights(codes: Bytes, table: Array, scales: Array, zeros: Bytes) -> Array:
    """(table[codes] - table[zeros]) * scales, with the last dims [n, m]; computed in f32."""
    numbers = table.reshape(-1).astype(np.float32)
    real = numbers[unpacked(codes, CODES_IN_A_BYTE[table.size])]
    shape = real.shape[-2:]
    # A part of the matrix for each block: n and m are each split into blocks and their elements.
    for name, blocks in (("zeros", numbers[zeros & np.uint8(table.size - 1)]), ("scales", scales)):
        rows, columns = blocks.shape[-2:]
        parts = real.reshape(rows, shape[0] // rows, columns, shape[1] // columns)
        each = blocks.reshape(rows, 1, columns, 1)
        (np.subtract if name == "zeros" else np.multiply)(parts, each, out=parts)
    return narrow(real, table.dtype)


def coded_fully_connected(
    x: Array, codes: Bytes, table: Array, scales: Array, zeros: Bytes, bias: Array | None
) -> Array:
    """x[..., m] with the decoded weights [n, m] and bias[n] -> [..., n]."""
    return fully_connected(x, decode_weights(codes, table, scales, zeros), bias)

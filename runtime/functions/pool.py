"""Pooling, data NHWC. Source: QNN op definitions PoolMax2d and PoolAvg2d.

With `ceil` the last window may hang over the bottom and right edges, as long as it starts inside
the input or its top and left padding.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...dialects.value import integer_bounds
from .support.arrays import NO_PADS, Array, Pads, Pair, narrow, padded, windows


def _overhang(length: int, size: int, stride: int, pad: Pair) -> int:
    """Rows that the last window of a `ceil` pool takes beyond the padded input."""
    covered = length + pad[0] + pad[1]
    count = math.ceil((covered - size) / stride) + 1
    if (count - 1) * stride >= length + pad[0]:
        count -= 1
    return max((count - 1) * stride + size - covered, 0)


def overhang(shape: Sequence[int], size: Pair, stride: Pair, pad: Pads, ceil: bool) -> Pads:
    """The extra padding at the bottom and right that `ceil` asks for."""
    if not ceil:
        return ((0, 0), (0, 0))
    over = [_overhang(shape[i + 1], size[i], stride[i], pad[i]) for i in range(2)]
    return ((0, over[0]), (0, over[1]))


def _lowest(dtype: np.dtype[np.generic]) -> float | int | bool:
    if dtype.kind == "f":
        return -math.inf
    return False if dtype.kind == "b" else integer_bounds(dtype)[0]


def max_pool2d(
    x: Array, size: Pair, stride: Pair, pad: Pads = NO_PADS, ceil: bool = False
) -> Array:
    """The largest element of each window of x[n, h, w, c]; padding never wins."""
    low = _lowest(x.dtype)
    hanging = overhang(x.shape, size, stride, pad, ceil)
    taps = windows(padded(padded(x, pad, low), hanging, low), size, stride)
    return np.asarray(np.max(taps, axis=(4, 5)))


@np.errstate(all="ignore")
def avg_pool2d(
    x: Array,
    size: Pair,
    stride: Pair,
    pad: Pads = NO_PADS,
    ceil: bool = False,
    count_pad: bool = False,
) -> Array:
    """The mean of each window of x[n, h, w, c]; integers are rounded half to even.

    The divisor is the number of input elements in the window, with `count_pad` also those of the
    padding, but never what hangs over beyond it.
    """
    hanging = overhang(x.shape, size, stride, pad, ceil)
    wide = x.astype(np.promote_types(x.dtype, np.float32), copy=False)
    total = np.sum(windows(padded(padded(wide, pad), hanging), size, stride), axis=(4, 5))
    mean = total / divisors(x.shape, size, stride, pad, ceil, count_pad).astype(wide.dtype)
    return narrow(mean if x.dtype.kind == "f" else np.rint(mean), x.dtype)


def divisors(
    shape: Sequence[int], size: Pair, stride: Pair, pad: Pads, ceil: bool, count_pad: bool
) -> NDArray[np.float32]:
    """Compute the divisor of each window's sum, [1, oh, ow, 1], for an input of this shape."""
    hanging = overhang(shape, size, stride, pad, ceil)
    inside = np.ones((1, *shape[1:3], 1), np.float32)
    counted = padded(padded(inside, pad, int(count_pad)), hanging)
    count = np.sum(windows(counted, size, stride), axis=(4, 5))
    return np.asarray(np.maximum(count, 1), np.float32)

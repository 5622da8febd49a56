"""Pooling, data NHWC. Source: QNN op definitions PoolMax2d and PoolAvg2d.

With `ceil` the last window may hang over the bottom and right edges, as long as it starts inside
the input or its top and left padding.
"""

import math

import numpy as np

from .arrays import Array, Pair, integer_bounds, narrow
from .windows import Pads, padded, windows


def _overhang(length: int, size: int, stride: int, pad: Pair) -> int:
    """Rows that the last window of a `ceil` pool takes beyond the padded input."""
    covered = length + pad[0] + pad[1]
    count = math.ceil((covered - size) / stride) + 1
    if (count - 1) * stride >= length + pad[0]:
        count -= 1
    return max((count - 1) * stride + size - covered, 0)


def _hanging(x: Array, size: Pair, stride: Pair, pad: Pads, ceil: bool) -> Pads:
    """The extra padding at the bottom and right that `ceil` asks for."""
    if not ceil:
        return ((0, 0), (0, 0))
    over = [_overhang(x.shape[i + 1], size[i], stride[i], pad[i]) for i in range(2)]
    return ((0, over[0]), (0, over[1]))


def _lowest(dtype: np.dtype[np.generic]) -> float | int | bool:
    if dtype.kind == "f":
        return -math.inf
    return False if dtype.kind == "b" else integer_bounds(dtype)[0]


def max_pool2d(x: Array, size: Pair, stride: Pair, pad: Pads, ceil: bool) -> Array:
    """The largest element of each window of x[n, h, w, c]; padding never wins."""
    low = _lowest(x.dtype)
    hanging = _hanging(x, size, stride, pad, ceil)
    taps = windows(padded(padded(x, pad, low), hanging, low), size, stride)
    return np.asarray(np.max(taps, axis=(4, 5)))


@np.errstate(all="ignore")
def avg_pool2d(x: Array, size: Pair, stride: Pair, pad: Pads, ceil: bool, count_pad: bool) -> Array:
    """The mean of each window of x[n, h, w, c]; integers are rounded half to even.

    The divisor is the number of input elements in the window, with `count_pad` also those of the
    padding, but never what hangs over beyond it.
    """
    hanging = _hanging(x, size, stride, pad, ceil)
    wide = x.astype(np.promote_types(x.dtype, np.float32), copy=False)
    total = np.sum(windows(padded(padded(wide, pad), hanging), size, stride), axis=(4, 5))
    inside = np.ones((1, *x.shape[1:3], 1), wide.dtype)
    counted = padded(padded(inside, pad, int(count_pad)), hanging)
    count = np.sum(windows(counted, size, stride), axis=(4, 5))
    mean = total / np.maximum(count, 1)
    return narrow(mean if x.dtype.kind == "f" else np.rint(mean), x.dtype)

"""Sliding windows over the two middle axes of an NHWC array."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .arrays import Array, Pair

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

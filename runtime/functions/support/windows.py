"""Sliding windows over the two middle axes of an NHWC array."""

from collections.abc import Iterator
from math import prod

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .arrays import PIECE, Array, Pair

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

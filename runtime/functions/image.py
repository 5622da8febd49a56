"""Images of another extent: interpolation, and pixels that become channels or come from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...dialects.qti_aisw.ops.image import INTERPOLATIONS, ROUNDINGS, TRANSFORMATIONS
from .arrays import Array, Pair, narrow, widen
from .interpolation import Axis, Method, nearest, places, weights

NEAREST = 0
"""The interpolation that takes pixels as they are."""


def pixels(before: int, after: int, transformation: int, rounding: int) -> NDArray[np.int32]:
    """Return the pixel of a line of `before` that each of `after` takes."""
    axis = Axis(before, after, after / before)
    return nearest(axis, places(axis, TRANSFORMATIONS[transformation]), ROUNDINGS[rounding])


def mixing(
    before: int, after: int, interpolation: int, transformation: int, outside: bool, cubic: float
) -> NDArray[np.float64]:
    """Return the matrix [after, before] of linear or cubic interpolation along a line."""
    axis = Axis(before, after, after / before)
    method = Method(INTERPOLATIONS[interpolation], cubic=cubic, exclude_outside=outside)
    return weights(axis, places(axis, TRANSFORMATIONS[transformation]), method)


@np.errstate(all="ignore")
def resize(
    x: Array,
    size: Pair,
    interpolation: int,
    transformation: int,
    rounding: int,
    outside: bool,
    cubic: float,
) -> Array:
    """x[n, h, w, c] -> [n, *size, c]."""
    n, height, width, channels = x.shape
    if interpolation == NEAREST:
        rows, columns = (
            pixels(before, after, transformation, rounding)
            for before, after in zip((height, width), size, strict=True)
        )
        return x[:, rows[:, None], columns]
    exact = widen(x)
    down, across = (
        mixing(before, after, interpolation, transformation, outside, cubic).astype(exact.dtype)
        for before, after in zip((height, width), size, strict=True)
    )
    tall = np.matmul(down, exact.reshape(n, height, width * channels))
    wide = np.matmul(across, tall.reshape(n * size[0], width, channels))
    return narrow(wide.reshape(n, *size, channels), x.dtype)


def repeated(x: Array, factor: Pair) -> Array:
    """x[n, h, w, c] with each pixel in blocks of `factor` rows and columns."""
    return x.repeat(factor[0], axis=1).repeat(factor[1], axis=2)


def spread_depth(x: Array, block: Pair, mode: int) -> Array:
    """View x[n, h, w, depth] as [n, h, y, w, x, depth / (y * x)]; mode 1 has the block last."""
    n, height, width, depth = x.shape
    down, across = block
    rest = depth // (down * across)
    if mode:
        return x.reshape(n, height, width, rest, down, across).transpose(0, 1, 4, 2, 5, 3)
    return x.reshape(n, height, width, down, across, rest).transpose(0, 1, 3, 2, 4, 5)


def depth_to_space(x: Array, block: Pair, mode: int) -> Array:
    """x[n, h, w, c * y * x] -> [n, h * y, w * x, c]."""
    n, height, width, depth = x.shape
    down, across = block
    shape = (n, height * down, width * across, depth // (down * across))
    return spread_depth(x, block, mode).reshape(shape).copy()


def space_to_depth(x: Array, block: Pair, mode: int) -> Array:
    """x[n, h * y, w * x, c] -> [n, h, w, c * y * x]."""
    n, height, width, depth = x.shape
    down, across = block
    result = np.empty((n, height // down, width // across, depth * down * across), x.dtype)
    target = spread_depth(result, block, mode)
    target[...] = x.reshape(target.shape)
    return result

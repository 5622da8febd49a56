"""Images of another extent: interpolation, and pixels that become channels or come from them.

Of boxes in an image, those are taken that overlap no better one.
"""

from collections.abc import Iterator, Sequence
from math import gcd

import numpy as np
from numpy.typing import NDArray

from ...dialects.qti_aisw.ops.image import INTERPOLATIONS, ROUNDINGS, TRANSFORMATIONS
from .support.arrays import Array, Pair, narrow, widen
from .support.interpolation import Axis, Method, Reals, nearest, places, weights

NEAREST = 0
"""The interpolation that takes pixels unchanged."""


def transformed(before: int, after: int, transformation: int) -> Reals:
    """Return the places of `after` pixels of a line among the `before` ones that it has."""
    return places(Axis(before, after, after / before), TRANSFORMATIONS[transformation])


def placed(line: Sequence[int]) -> Reals:
    """Return the places that extent, step, start and unit state; a reach may follow."""
    extent, step, start, unit, *_ = line
    return (np.arange(extent, dtype=np.float64) * step + start) / unit


def stated_places(before: int, after: int, transformation: int) -> tuple[int, int, int, int]:
    """State the places of a transformation as extent, step, start and unit.

    Example: 4 pixels made 8, by half pixels: (8, 2, -1, 4), which are -0.25, 0.25, 0.75, ...
    """
    match TRANSFORMATIONS[transformation]:
        case "align_corners" | "pytorch_half_pixel" if after == 1:
            numbers = 0, 0, 1
        case "half_pixel" | "pytorch_half_pixel":
            numbers = 2 * before, before - after, 2 * after
        case "align_corners":
            numbers = before - 1, 0, after - 1
        case _:
            numbers = before, 0, after
    common = gcd(*numbers)
    step, start, unit = (number // common for number in numbers)
    return after, step, start, unit


def pixels(before: int, at: Reals, rounding: int) -> NDArray[np.int32]:
    """Return the pixel of a line of `before` that each place takes."""
    return nearest(Axis(before, len(at), 1.0), at, ROUNDINGS[rounding])


def mixing(
    before: int, at: Reals, interpolation: int, outside: bool, cubic: float
) -> NDArray[np.float64]:
    """Return the matrix [places, before] of linear or cubic interpolation along a line."""
    method = Method(INTERPOLATIONS[interpolation], cubic=cubic, exclude_outside=outside)
    return weights(Axis(before, len(at), 1.0), at, method)


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
    down, across = (
        transformed(before, after, transformation)
        for before, after in zip(x.shape[1:3], size, strict=True)
    )
    return _at(x, down, across, interpolation, rounding, outside, cubic)


def resize_places(
    x: Array,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    interpolation: int,
    rounding: int,
    outside: bool,
    cubic: float,
) -> Array:
    """x[n, h, w, c] -> [n, rows, columns, c] at the places that both state."""
    return _at(x, placed(rows), placed(columns), interpolation, rounding, outside, cubic)


@np.errstate(all="ignore")
def _at(
    x: Array,
    down: Reals,
    across: Reals,
    interpolation: int,
    rounding: int,
    outside: bool,
    cubic: float,
) -> Array:
    """Interpolate rows and columns at places."""
    n, height, width, channels = x.shape
    lines = (height, down), (width, across)
    if interpolation == NEAREST:
        rows, columns = (pixels(before, at, rounding) for before, at in lines)
        return x[:, rows[:, None], columns]
    exact = widen(x)
    tall_by, wide_by = (
        mixing(before, at, interpolation, outside, cubic).astype(exact.dtype)
        for before, at in lines
    )
    tall = np.matmul(tall_by, exact.reshape(n, height, width * channels))
    wide = np.matmul(wide_by, tall.reshape(n * len(down), width, channels))
    return narrow(wide.reshape(n, len(down), len(across), channels), x.dtype)


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


def non_max_suppression(
    boxes: Array,
    scores: Array,
    iou_threshold: float,
    score_threshold: float,
    max_boxes_selected: int,
) -> list[Array]:
    """Rows (batch, class, box) of the taken boxes [b, n, 4], the others -1, and their number.

    Greedy, best box first, O(selected * boxes) for each class. Of boxes a, b, c with scores 3, 2
    and 1, of which a and b overlap: a is taken, b passed over, c taken.
    """
    batch, number, _ = boxes.shape
    corners = np.sort(boxes.astype(np.float32).reshape(batch, number, 2, 2), axis=2)
    most = min(number, max_boxes_selected)
    rows = np.full((batch * scores.shape[1] * most, 3), -1, np.int32)
    count = 0
    for entry, kind in np.ndindex(scores.shape[:2]):
        own = scores[entry, kind].astype(np.float32)
        order = np.argsort(-own, kind="stable")
        order = order[own[order] > np.float32(score_threshold)]
        for _, place in zip(
            range(most), _apart(corners[entry], order, iou_threshold), strict=False
        ):
            rows[count] = entry, kind, place
            count += 1
    return [rows, np.array([count], np.int32)]


def _apart(
    corners: NDArray[np.floating], order: NDArray[np.int64], threshold: float
) -> Iterator[int]:
    """Yield boxes in this order, those left out that overlap one before."""
    while order.size:
        first, order = int(order[0]), order[1:]
        yield first
        order = order[_overlap(corners[first], corners[order]) <= np.float32(threshold)]


@np.errstate(all="ignore")
def _overlap(box: NDArray[np.floating], others: NDArray[np.floating]) -> NDArray[np.floating]:
    """Intersection over union of a box [2, 2] with others [n, 2, 2]; 0 where one has no area."""
    sides = np.minimum(box[1], others[:, 1]) - np.maximum(box[0], others[:, 0])
    shared = np.prod(np.maximum(sides, 0), axis=-1)
    areas = np.prod(others[:, 1] - others[:, 0], axis=-1)
    area = np.prod(box[1] - box[0])
    ratio = shared / (area + areas - shared)
    return np.where((shared > 0) & (area > 0) & (areas > 0), ratio, 0)

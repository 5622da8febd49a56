"""Pools over windows and over whole images, the places of their maxima, and MaxUnpool."""

from collections.abc import Sequence
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from .....dialects.value import DType
from ...graph.value import Value, concat, where
from ...support.registry import ImporterSet, Ints, NodeContext, require
from ...support.types import require_few
from ..tensors.steps import largest, linear, power_of_size, product, root
from .sampling import bounded
from .windows import (
    AxisWindow,
    Sliding,
    by_images,
    channels_first,
    channels_last,
    numbers_of,
    window_of,
)

ONNX = ImporterSet(keeps_stored=False)


def _pool(
    x: Value, name: str, reaches: Sequence[AxisWindow], ceil: int, count_pad: bool | None = None
) -> Value | None:
    """Return the pool as ops of images; None where its dilations do not allow that."""
    if any(reach.dilation > 1 for reach in reaches):
        return None

    def pooled(images: Value, axes: Sequence[AxisWindow]) -> Value:
        if len(reaches) == 3 and all(reach.is_idle for reach in axes):
            return images
        window = window_of(axes)
        return images.op(
            name,
            filter_size=window.kernel,
            stride=window.stride,
            pad_amount=window.pad,
            rounding_mode=ceil,
            count_pad_for_edges=count_pad,
        )

    if len(reaches) < 3:
        return channels_first(pooled(channels_last(x), reaches), x.rank)

    def along_depth(steps: Value) -> Value:
        return pooled(steps, [reaches[0], AxisWindow(steps.shape[2], 1, 1, 1, (0, 0))])

    return by_images(x, lambda images: pooled(images, reaches[1:]), along_depth)


def _reaches(x: Value, sliding: Sliding, ceil: int) -> list[AxisWindow]:
    kernel, count = sliding.kernel_shape or (), x.rank - 2
    problem = f"attribute 'kernel_shape' is {list(kernel)}, it needs {count} numbers >= 1"
    require(len(kernel) == count and min(kernel, default=0) >= 1, problem)
    require(ceil in (0, 1), f"attribute 'ceil_mode' is {ceil}", "use 0 or 1")
    return sliding.windows(x.shape[2:], kernel)


@ONNX.importer("MaxPool", keeps_stored=True)
def max_pool(
    ctx: NodeContext, x: Value, *, sliding: Sliding, ceil_mode: int = 0, storage_order: int = 0
) -> list[Value]:
    """MaxPool, with the places of the maxima where they are used."""
    reaches, after = _reaches(x, sliding, ceil_mode), ctx.out().shape
    whole = _pool(x, "PoolMax2d", reaches, ceil_mode)
    values = _largest(x, reaches, after) if whole is None else whole
    if not ctx.uses(1):
        return [values]
    return [values, places_of_largest(x, reaches, after, storage_order)]


def _largest(x: Value, reaches: Sequence[AxisWindow], after: Sequence[int]) -> Value:
    """Return the maximum of each window axis by axis, as no op of images can be it."""
    for axis, reach in enumerate(reaches, 2):
        taps = reach.taps(after[axis])
        inside = (taps >= 0) & (taps < reach.before)
        require(bool(inside.any(axis=1).all()), "a window holds only padding")
        # A tap outside gives way to one of the same window.
        first = np.take_along_axis(taps, inside.argmax(axis=1)[:, None], axis=1)
        x = largest(x, axis, np.where(inside, taps, first))
    return x


@ONNX.importer("AveragePool")
def average_pool(
    ctx: NodeContext,
    x: Value,
    *,
    sliding: Sliding,
    ceil_mode: int = 0,
    count_include_pad: bool = False,
) -> Value:
    """AveragePool; axis by axis where it is not an op of images."""
    reaches = _reaches(x, sliding, ceil_mode)
    whole = _pool(x, "PoolAvg2d", reaches, ceil_mode, count_include_pad)
    if whole is not None:
        return whole
    return _summed(x, reaches, ctx.out().shape, True, count_include_pad)


@ONNX.importer("LpPool")
def lp_pool(
    ctx: NodeContext, x: Value, *, sliding: Sliding, ceil_mode: int = 0, p: int = 2
) -> Value:
    """LpPool: the p-th root of the sum of each window's p-th powers."""
    reaches = _reaches(x, sliding, ceil_mode)
    return root(_summed(power_of_size(x, p), reaches, ctx.out().shape, False, False), p)


@ONNX.importer("GlobalLpPool")
def global_lp_pool(x: Value, *, p: int = 2) -> Value:
    """GlobalLpPool: the p-norm over the spatial dims."""
    return root(power_of_size(x, p).reduce("Sum", range(2, x.rank)), p)


def _summed(
    x: Value, reaches: Sequence[AxisWindow], after: Sequence[int], mean: bool, count_pad: bool
) -> Value:
    """Return the sum or the mean of each window, as a product with a constant per axis."""
    for axis, reach in enumerate(reaches, 2):
        size = after[axis] * reach.before
        require_few(size, f"pools with a matrix of {size} elements")
        taps = reach.taps(after[axis])
        matrix = np.zeros((after[axis], reach.before))
        rows, columns = np.nonzero((taps >= 0) & (taps < reach.before))
        np.add.at(matrix, (rows, taps[rows, columns]), 1)
        low, high = reach.pad if count_pad else (0, 0)
        counted = (taps >= -low) & (taps < reach.before + high)
        counts = np.maximum(counted.sum(axis=1, keepdims=True), 1)
        x = product(x, axis, matrix / counts if mean else matrix)
    return x


@ONNX.importer("GlobalAveragePool")
def global_average_pool(x: Value) -> Value:
    """GlobalAveragePool: the mean over the spatial dims."""
    return x.reduce("Mean", range(2, x.rank))


@ONNX.importer("GlobalMaxPool")
def global_max_pool(x: Value) -> Value:
    """GlobalMaxPool: the maximum over the spatial dims."""
    return x.reduce("Max", range(2, x.rank))


def places_of_largest(
    x: Value, reaches: Sequence[AxisWindow], after: Sequence[int], order: int
) -> Value:
    """Return where each window has its first largest element, counted in all of the data.

    With an order of 1 the elements of an image are counted column by column.
    """
    require(order in (0, 1), f"attribute 'storage_order' is {order}", "use 0 or 1")
    batch, channels, *spatial = x.shape
    size, count = prod(spatial), batch * channels
    windows, taps = prod(after[2:]), prod(reach.kernel for reach in reaches)
    numbers = _taps(reaches, after[2:], False)
    elements = x.reshape(count, size).gather(numbers, axis=1)
    first = elements.op("Argmax", axis=2, keep_dims=False)
    counted = _taps(reaches, after[2:], True) if order else numbers
    at = first + np.arange(windows) * taps
    place = x.const(counted.reshape(-1)).gather(at)
    place = place + np.arange(count).reshape(-1, 1) * size
    return place.cast(DType.Int64).reshape(*after)


def _taps(
    reaches: Sequence[AxisWindow], after: Sequence[int], by_column: bool
) -> NDArray[np.int32]:
    """Return the elements of windows; a tap outside gives way to the first inside of its window."""
    numbers, kept = numbers_of(reaches, after, by_column=by_column)
    first = np.take_along_axis(numbers, kept.argmax(axis=1)[:, None], axis=1)
    return np.where(kept, numbers, first)


@ONNX.importer("MaxUnpool")
def max_unpool(
    ctx: NodeContext,
    x: Value,
    places: Value,
    stated: Ints | None,
    *,
    kernel_shape: Ints,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Value:
    """MaxUnpool: one ScatterNd to the flat result, in which the places count."""
    # ONNX infers no shape where the node states it.
    after, count = stated or ctx.out().shape, prod(x.shape)
    size = prod(after)
    require_few(size, f"gives {size} elements")
    nothing = x.like(np.zeros(size))
    rows, flat = places.reshape(count, 1), x.reshape(count)
    return nothing.op("ScatterNd", rows, flat, reduction=0).reshape(*after)


_Edges = tuple[Value, Value]
"""The first element of each cell and the one behind its last, [regions, cells], in floats."""


_MOST_CELLS = 1024
"""Rows and columns of cells, each of which is some ops of its own."""


@ONNX.importer("MaxRoiPool")
def max_roi_pool(
    x: Value, regions: Value, *, pooled_shape: Ints, spatial_scale: float = 1.0
) -> Value:
    """MaxRoiPool: cells without elements are 0."""
    cells, count = pooled_shape, regions.shape[0]
    problem = f"attribute 'pooled_shape' is {list(cells)}"
    require(len(cells) == 2 and min(cells) > 0, problem, "give it two numbers >= 1")
    require(sum(cells) <= _MOST_CELLS, problem, f"at most {_MOST_CELLS} are taken together")
    values = x.gather(regions[:, :1].cast(DType.Int32).reshape(count))
    filled = []
    for axis, number in zip((2, 3), cells, strict=True):
        edges = _edges(regions, axis, number, x.shape[axis], spatial_scale)
        values = concat([_largest_cells(values, edges, axis, cell) for cell in range(number)], axis)
        some = edges[1] > edges[0]
        filled.append(some.reshape(count, 1, *((number, 1) if axis == 2 else (1, number))))
    return where(filled[0] & filled[1], values, 0)


def _edges(regions: Value, axis: int, cells: int, size: int, scale: float) -> _Edges:
    """Return where the cells of each region begin and end along an axis of the image."""
    # A region is its batch entry, then x and y of its first corner, then of its last.
    corners = (linear(regions[:, at : at + 1], scale, 0) for at in (4 - axis, 6 - axis))
    # The nearest whole numbers, halves away from 0.
    start, end = (linear(x.abs(), 1, 0.5).floor() * x.sign() for x in corners)
    width = linear(end - start, 1, 1).maximum(1) / cells
    first, last = (width * (np.arange(cells)[None] + shift) for shift in (0, 1))
    first, last = first.floor(), last.ceil()
    # `size` is the place behind the last element.
    begins, ends = (bounded(start + at, size + 1) for at in (first, last))
    return begins, ends


def _largest_cells(values: Value, edges: _Edges, axis: int, cell: int) -> Value:
    """Return the largest elements of a cell along an axis, which keeps the extent 1."""
    count, size = values.shape[0], values.shape[axis]
    begin, end = (edge[:, cell : cell + 1].reshape(count, 1, 1, 1) for edge in edges)
    places = begin.like(np.arange(size).reshape((1, 1, size, 1) if axis == 2 else (1, 1, 1, size)))
    within = (places >= begin) & (places < end)
    return where(within, values, -inf).reduce("Max", [axis])

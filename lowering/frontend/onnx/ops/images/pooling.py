"""Pools over windows and over whole images."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....graph.value import Value
from ...support.context import NodeContext
from ...support.faults import require
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..norm import power_of_size, root
from ..tensors.axes import largest, product
from .pool_places import places_of_largest
from .windows import AxisWindow, Sliding, channels_first, channels_last, window_of

ONNX = ImporterSet(keeps_stored=False)


def _pool(
    x: Value, name: str, reaches: Sequence[AxisWindow], ceil: int, count_pad: bool | None = None
) -> Value | None:
    """Return the pool as one op of images; None where its dims or dilations do not allow that."""
    if len(reaches) > 2 or any(reach.dilation > 1 for reach in reaches):
        return None
    window = window_of(reaches)
    result = channels_last(x).op(
        name,
        filter_size=window.kernel,
        stride=window.stride,
        pad_amount=window.pad,
        rounding_mode=ceil,
        count_pad_for_edges=count_pad,
    )
    return channels_first(result, x.rank)


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
    """AveragePool; axis by axis where it is no op of images."""
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
        require(size <= MOST_ELEMENTS, f"pools with a matrix of {size} elements")
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

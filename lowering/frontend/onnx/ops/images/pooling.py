"""Pools over windows and over whole images."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..norm import power_of_size, root
from ..tensors.axes import largest, product
from .pool_places import places_of_largest
from .windows import (
    AxisWindow,
    channels_first,
    channels_last,
    read_reaches,
    window_of,
)

ONNX = ImporterSet(keeps_stored=False)


def _pool(ctx: NodeContext, name: str, count_pad: bool | None) -> list[SSAValue] | None:
    """Return the pool as one op of images; None where its dims or dilations do not allow that."""
    x = ctx.value(0)
    reaches = _reaches(ctx)
    if len(reaches) > 2 or any(reach.dilation > 1 for reach in reaches):
        return None
    window = window_of(reaches)
    result = ctx.emit(
        name,
        channels_last(ctx, x),
        filter_size=window.kernel,
        stride=window.stride,
        pad_amount=window.pad,
        rounding_mode=ctx.integer("ceil_mode", 0),
        count_pad_for_edges=count_pad,
    )
    return [channels_first(ctx, result, len(ctx.shape(x)))]


def _reaches(ctx: NodeContext) -> list[AxisWindow]:
    kernel, count = ctx.integers("kernel_shape") or (), len(ctx.shape(ctx.value(0))) - 2
    problem = f"attribute 'kernel_shape' is {list(kernel)}, it needs {count} numbers >= 1"
    ctx.require(len(kernel) == count and min(kernel, default=0) >= 1, problem)
    ceil = ctx.integer("ceil_mode", 0)
    ctx.require(ceil in (0, 1), f"attribute 'ceil_mode' is {ceil}", "use 0 or 1")
    return read_reaches(ctx, kernel)


@ONNX.importer("MaxPool", keeps_stored=True)
def max_pool(ctx: NodeContext) -> list[SSAValue]:
    """MaxPool, with the places of the maxima where they are used."""
    whole = _pool(ctx, "PoolMax2d", None) or [_largest(ctx)]
    if ctx.uses(1):
        return [*whole, places_of_largest(ctx, _reaches(ctx))]
    ctx.integer("storage_order")
    return whole


def _largest(ctx: NodeContext) -> SSAValue:
    """Return the maximum of each window axis by axis, as no op of images can be it."""
    x, after = ctx.value(0), ctx.out().shape
    for axis, reach in enumerate(_reaches(ctx), 2):
        taps = reach.taps(after[axis])
        inside = (taps >= 0) & (taps < reach.before)
        ctx.require(bool(inside.any(axis=1).all()), "a window holds only padding")
        # A tap outside gives way to one of the same window.
        first = np.take_along_axis(taps, inside.argmax(axis=1)[:, None], axis=1)
        x = largest(ctx, x, axis, np.where(inside, taps, first))
    return x


@ONNX.importer("AveragePool")
def average_pool(ctx: NodeContext) -> list[SSAValue]:
    """AveragePool; axis by axis where it is no op of images."""
    count_pad = bool(ctx.integer("count_include_pad", 0))
    whole = _pool(ctx, "PoolAvg2d", count_pad)
    return [_summed(ctx, ctx.value(0), True, count_pad)] if whole is None else whole


@ONNX.importer("LpPool")
def lp_pool(ctx: NodeContext) -> list[SSAValue]:
    """LpPool: the p-th root of the sum of each window's p-th powers."""
    p = ctx.integer("p", 2)
    total = _summed(ctx, power_of_size(ctx, ctx.value(0), p), False, False)
    return [root(ctx, total, p)]


@ONNX.importer("GlobalLpPool")
def global_lp_pool(ctx: NodeContext) -> list[SSAValue]:
    """GlobalLpPool: the p-norm over the spatial dims."""
    p, x = ctx.integer("p", 2), ctx.value(0)
    axes = tuple(range(2, len(ctx.shape(x))))
    total = ctx.emit("ReduceSum", power_of_size(ctx, x, p), axes=axes, keep_dims=True)
    return [root(ctx, total, p)]


def _summed(ctx: NodeContext, x: SSAValue, mean: bool, count_pad: bool) -> SSAValue:
    """Return the sum or the mean of each window, as a product with a constant per axis."""
    after = ctx.out().shape
    for axis, reach in enumerate(_reaches(ctx), 2):
        size = after[axis] * reach.before
        ctx.require(size <= MOST_ELEMENTS, f"pools with a matrix of {size} elements")
        taps = reach.taps(after[axis])
        matrix = np.zeros((after[axis], reach.before))
        rows, columns = np.nonzero((taps >= 0) & (taps < reach.before))
        np.add.at(matrix, (rows, taps[rows, columns]), 1)
        low, high = reach.pad if count_pad else (0, 0)
        counted = (taps >= -low) & (taps < reach.before + high)
        counts = np.maximum(counted.sum(axis=1, keepdims=True), 1)
        x = product(ctx, x, axis, matrix / counts if mean else matrix)
    return x


@ONNX.importer("GlobalAveragePool")
def global_average_pool(ctx: NodeContext) -> list[SSAValue]:
    """GlobalAveragePool: the mean over the spatial dims."""
    return _over_images(ctx, "ReduceMean")


@ONNX.importer("GlobalMaxPool")
def global_max_pool(ctx: NodeContext) -> list[SSAValue]:
    """GlobalMaxPool: the maximum over the spatial dims."""
    return _over_images(ctx, "ReduceMax")


def _over_images(ctx: NodeContext, name: str) -> list[SSAValue]:
    x = ctx.value(0)
    return [ctx.emit(name, x, axes=tuple(range(2, len(ctx.shape(x)))), keep_dims=True)]

"""Pools over windows and over whole images."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import ImporterSet
from .windows import channels_first, channels_last, read_window

ONNX = ImporterSet(keeps_stored=False)


def _pool(ctx: NodeContext, name: str, count_pad: bool | None) -> list[SSAValue]:
    x = ctx.value(0)
    kernel = ctx.integers("kernel_shape") or ()
    count = len(ctx.shape(x)) - 2
    ctx.require(
        len(kernel) == count, f"attribute 'kernel_shape' is {list(kernel)}, rank is {count}"
    )
    window = read_window(ctx, kernel)
    ctx.require(window.dilation == (1, 1), "attribute 'dilations' is not 1", "use dilation 1")
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


@ONNX.importer("MaxPool", keeps_stored=True)
def max_pool(ctx: NodeContext) -> list[SSAValue]:
    """MaxPool, without the indices."""
    ctx.only("storage_order", 0)
    ctx.unused_output(1)
    return _pool(ctx, "PoolMax2d", None)


@ONNX.importer("AveragePool")
def average_pool(ctx: NodeContext) -> list[SSAValue]:
    """AveragePool."""
    return _pool(ctx, "PoolAvg2d", bool(ctx.integer("count_include_pad", 0)))


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

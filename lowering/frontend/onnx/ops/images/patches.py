"""Patches of an image: Col2Im adds them up, DeformConv reads them at places of its own."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ..activation import plus, times
from ..tensors.casts import plain
from ..tensors.steps import like, margins, piece
from .taps import (
    ImageAxis,
    total,
    weighted,
    widened,
)
from .windows import (
    AxisWindow,
    explicit_pads,
    numbers_of,
    read_reaches,
    sizes,
)

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Col2Im")
def col2im(ctx: NodeContext) -> list[SSAValue]:
    """Col2Im: each pixel gathers the elements that lie over it, and sums them."""
    x, image, block = ctx.value(0), ctx.integers_at(1) or (), ctx.integers_at(2) or ()
    count = len(image)
    ctx.require(len(block) == count, f"'block_shape' has {len(block)} numbers, not {count}")
    strides, dilations = (sizes(ctx, name, count) for name in ("strides", "dilations"))
    pads = explicit_pads(ctx, count)
    sides = zip(pads[:count], pads[count:], strict=True)
    columns = zip(image, block, strides, dilations, sides, strict=True)
    reaches = [AxisWindow(*column) for column in columns]
    batch, depth, patches = ctx.shape(x)
    windows, taps = prod(reach.after for reach in reaches), prod(block)
    fits = patches == windows and depth % taps == 0
    ctx.require(fits, f"{depth}x{patches} elements do not fit {windows} blocks of {taps}")
    channels = depth // taps
    rows = ctx.reshape(x, (batch * channels, taps * patches))
    # The element behind the last is 0, for pixels with fewer elements than others.
    rows = margins(ctx, rows, ((0, 0), (0, 1)))
    gathered = ctx.emit("Gather", rows, ctx.const(_over_pixels(reaches)), axis=1)
    summed = ctx.emit("ReduceSum", gathered, axes=(2,), keep_dims=False)
    return [ctx.reshape(summed, (batch, channels, *image))]


def _over_pixels(reaches: Sequence[AxisWindow]) -> NDArray[np.int32]:
    """Return [pixels, most] numbers of the elements [taps, windows] that lie over each pixel."""
    numbers, kept = numbers_of(reaches, [reach.after for reach in reaches])
    pixels, elements = numbers.T[kept.T], np.flatnonzero(kept.T)
    order = np.argsort(pixels, kind="stable")
    pixels, elements = pixels[order], elements[order]
    counts = np.bincount(pixels, minlength=prod(reach.before for reach in reaches))
    table = np.full((len(counts), max(counts.max(), 1)), numbers.size, np.int32)
    own = np.arange(len(pixels)) - np.repeat(np.cumsum(counts) - counts, counts)
    table[pixels, own] = elements
    return table


@ONNX.importer("DeformConv")
def deform_conv(ctx: NodeContext) -> list[SSAValue]:
    """DeformConv: the elements of each window, read between pixels, times the weights."""
    weights, after = ctx.value(1), ctx.out().shape[2:]
    filters, inputs, *kernel = ctx.shape(weights)
    ctx.integers("kernel_shape")
    values = _windows(ctx, read_reaches(ctx, kernel))
    batch, places, elements = ctx.shape(values)
    result = ctx.emit(
        "Conv2d",
        ctx.reshape(values, (batch, after[0], prod(after[1:]), elements)),
        ctx.transpose(ctx.reshape(weights, (1, filters, 1, inputs * prod(kernel))), (0, 2, 3, 1)),
        ctx.optional(3),
        group=ctx.integer("group", 1),
    )
    turned = ctx.transpose(ctx.reshape(result, (batch, places, filters)), (0, 2, 1))
    return [ctx.reshape(turned, ctx.out().shape)]


def _windows(ctx: NodeContext, reaches: Sequence[AxisWindow]) -> SSAValue:
    """Return the elements that each window reads, [batch, windows, channels * taps]."""
    operands = (ctx.value(0), ctx.value(2), ctx.optional(4))
    x, offsets, *masks = widened(ctx, *(value for value in operands if value is not None))
    batch, channels, *spatial = ctx.shape(x)
    # Each group of channels is an image of its own, read at its own places.
    groups, places = ctx.integer("offset_group", 1), prod(ctx.out().shape[2:])
    images, width = batch * groups, channels // groups
    rows = ctx.transpose(ctx.reshape(x, (images, width, prod(spatial))), (0, 2, 1))
    table = ctx.reshape(rows, (images * prod(spatial), width))
    taps = prod(reach.kernel for reach in reaches)
    offsets = ctx.reshape(offsets, (images, taps, len(spatial), places))
    first = np.arange(images, dtype=np.int32).reshape(-1, 1, 1) * prod(spatial)
    per_axis = [
        ImageAxis(ctx, size).taps(_places(ctx, offsets, reaches, axis))
        for axis, size in enumerate(spatial)
    ]
    values = total(ctx, weighted(ctx, table, ctx.const(first), spatial, per_axis))
    for factor in masks:
        values = times(ctx, values, ctx.reshape(factor, (images, ctx.shape(values)[1], 1)))
    values = plain(ctx, values, ctx.dtype(ctx.value(0)))
    values = ctx.transpose(ctx.reshape(values, (images, taps, places * width)), (0, 2, 1))
    values = ctx.reshape(values, (batch, groups, places, width * taps))
    return ctx.reshape(ctx.transpose(values, (0, 2, 1, 3)), (batch, places, channels * taps))


def _places(
    ctx: NodeContext, offsets: SSAValue, reaches: Sequence[AxisWindow], axis: int
) -> SSAValue:
    """Return where each tap of each window lies along an axis, [images, taps * windows, 1]."""
    kernel, after = [reach.kernel for reach in reaches], ctx.out().shape[2:]
    own = reaches[axis].taps(after[axis]).T
    others = [d for a in range(len(after)) if a != axis for d in (a, len(after) + a)]
    base = np.broadcast_to(np.expand_dims(own, others), (*kernel, *after)).reshape(1, -1, 1)
    own_offsets = piece(ctx, offsets, {2: (axis, axis + 1, 1)})
    moved = ctx.reshape(own_offsets, (ctx.shape(offsets)[0], base.size, 1))
    return plus(ctx, moved, like(ctx, base, offsets))

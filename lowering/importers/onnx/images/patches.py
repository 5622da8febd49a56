"""Patches of an image: Col2Im adds them up, DeformConv reads them at places of its own."""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...graph.value import Value
from ...support.context import NodeContext, require
from ...support.registry import ImporterSet, Ints
from ..tensors.steps import margins
from .sampling import ImageAxis, total, weighted, widened
from .windows import AxisWindow, Sliding, numbers_of

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Col2Im")
def col2im(
    x: Value,
    image: Ints,
    block: Ints,
    *,
    dilations: Ints | None = None,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Value:
    """Col2Im: each pixel gathers the elements that lie over it, and sums them."""
    count = len(image)
    require(len(block) == count, f"'block_shape' has {len(block)} numbers, not {count}")
    reaches = Sliding(dilations=dilations, pads=pads, strides=strides).windows(image, block)
    batch, depth, patches = x.shape
    windows, taps = prod(reach.after for reach in reaches), prod(block)
    fits = patches == windows and depth % taps == 0
    require(fits, f"{depth}x{patches} elements do not fit {windows} blocks of {taps}")
    channels = depth // taps
    rows = x.reshape(batch * channels, taps * patches)
    # The element behind the last is 0, for pixels with fewer elements than others.
    gathered = margins(rows, ((0, 0), (0, 1))).gather(_over_pixels(reaches), axis=1)
    return gathered.reduce("Sum", (2,), keep=False).reshape(batch, channels, *image)


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
def deform_conv(
    ctx: NodeContext,
    x: Value,
    weights: Value,
    offsets: Value,
    bias: Value | None,
    mask: Value | None,
    *,
    dilations: Ints | None = None,
    group: int = 1,
    kernel_shape: Ints | None = None,
    offset_group: int = 1,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Value:
    """DeformConv: the elements of each window, read between pixels, times the weights."""
    after = ctx.out().shape
    count, inputs, *kernel = weights.shape
    sliding = Sliding(dilations=dilations, pads=pads, strides=strides)
    reaches = sliding.windows(x.shape[2:], kernel)
    values = _windows(x, offsets, mask, reaches, after[2:], offset_group)
    batch, places, elements = values.shape
    images = values.reshape(batch, after[2], prod(after[3:]), elements)
    filters = weights.reshape(1, count, 1, inputs * prod(kernel)).transpose(0, 2, 3, 1)
    result = images.op("Conv2d", filters, bias, group=group)
    return result.reshape(batch, places, count).transpose(0, 2, 1).reshape(*after)


def _windows(
    x: Value,
    offsets: Value,
    mask: Value | None,
    reaches: Sequence[AxisWindow],
    after: Sequence[int],
    groups: int,
) -> Value:
    """Return the elements that each window reads, [batch, windows, channels * taps]."""
    dtype = x.dtype
    x, offsets, *masks = widened(x, offsets, *([] if mask is None else [mask]))
    batch, channels, *spatial = x.shape
    # Each group of channels is an image of its own, read at its own places.
    images, width, places = batch * groups, channels // groups, prod(after)
    rows = x.reshape(images, width, prod(spatial)).transpose(0, 2, 1)
    table = rows.reshape(images * prod(spatial), width)
    taps = prod(reach.kernel for reach in reaches)
    offsets = offsets.reshape(images, taps, len(spatial), places)
    first = np.arange(images, dtype=np.int32).reshape(-1, 1, 1) * prod(spatial)
    per_axis = [
        ImageAxis(size).taps(_places(offsets, reaches, axis, after))
        for axis, size in enumerate(spatial)
    ]
    values = total(weighted(table, x.const(first), spatial, per_axis))
    for factor in masks:
        values = values * factor.reshape(images, values.shape[1], 1)
    values = values.cast(dtype).reshape(images, taps, places * width).transpose(0, 2, 1)
    values = values.reshape(batch, groups, places, width * taps).transpose(0, 2, 1, 3)
    return values.reshape(batch, places, channels * taps)


def _places(
    offsets: Value, reaches: Sequence[AxisWindow], axis: int, after: Sequence[int]
) -> Value:
    """Return where each tap of each window lies along an axis, [images, taps * windows, 1]."""
    kernel = [reach.kernel for reach in reaches]
    own = reaches[axis].taps(after[axis]).T
    others = [d for a in range(len(after)) if a != axis for d in (a, len(after) + a)]
    base = np.broadcast_to(np.expand_dims(own, others), (*kernel, *after)).reshape(1, -1, 1)
    return offsets[:, :, axis : axis + 1].reshape(offsets.shape[0], base.size, 1) + base

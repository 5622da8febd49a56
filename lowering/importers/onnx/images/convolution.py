"""Conv, ConvTranspose, Col2Im and DeformConv. Weights become channels-last once, here.

A convolution of volumes is one of images: the images that its window reads along the first of
three spatial dims lie side by side, as channels. [N, C, D, H, W] becomes
[N * after, H, W, taps * C], and filters of depth k have k * C inputs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from operator import add

import numpy as np
from numpy.typing import NDArray

from .....dialects.qti_aisw.ops.const import const
from .....dialects.spec_of import spec_of
from .....runtime.functions.quantize import dequantize
from ...graph.value import Value, concat, stored_constant
from ...support.registry import ImporterSet, Ints, NodeContext, require
from ...support.types import MOST_ELEMENTS, require_few
from ..tensors.steps import margins
from .sampling import ImageAxis, total, weighted, widened
from .windows import (
    AxisWindow,
    Pair,
    Sliding,
    as_pad_amount,
    channels_first,
    channels_last,
    check_spatial,
    numbers_of,
    pair,
    sizes,
    split_pads,
    volumes,
    window_of,
)

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Conv")
def conv(
    x: Value, weights: Value, bias: Value | None, *, sliding: Sliding, group: int = 1
) -> Value:
    """Conv: Conv2d, or DepthWiseConv2d where every input channel is a group of its own.

    Of a volume in such groups there is one for each tap along the depth, and these are added.
    """
    _check_kernel(x, weights, sliding.kernel_shape)
    reaches = sliding.windows(x.shape[2:], weights.shape[2:])
    depth, window = reaches[:-2], window_of(reaches[-2:])
    depthwise = group == x.shape[1] and group > 1
    if depthwise and _is_quantised(weights) and any(reach.kernel > 1 for reach in depth):
        # A sum of several would be one of floats.
        depthwise = False
    if not depth:
        images = [channels_last(x)]
    elif depthwise:
        images = taps_of(x, depth[0], 1)
    else:
        images = [stacked(x, depth[0], group)]
    filters_of = filters(weights, 1, 1)
    each = filters_of.shape[2] // len(images)
    parts = [
        image.op(
            "DepthWiseConv2d" if depthwise else "Conv2d",
            filters_of.cut(2, at * each, (at + 1) * each),
            None if at else bias,
            stride=window.stride,
            pad_amount=window.pad,
            dilation=window.dilation,
            group=None if depthwise else group,
        )
        for at, image in enumerate(images)
    ]
    return _arranged(reduce(add, parts), x)


def _is_quantised(weights: Value) -> bool:
    """Tell whether weights are dequantised from a constant."""
    constant = stored_constant(weights.ssa)
    return constant is not None and spec_of(constant.out).quant is not None


def _check_kernel(x: Value, weights: Value, stated: Ints | None) -> None:
    check_spatial(x.rank - 2)
    problem = f"weights have rank {weights.rank}, the input has rank {x.rank}"
    require(weights.rank == x.rank, problem)
    kernel = weights.shape[2:]
    problem = f"attribute 'kernel_shape' is {stated}, the weights have {kernel}"
    require(stated is None or stated == kernel, problem)


def _arranged(images: Value, x: Value) -> Value:
    """Return images in the arrangement of the node's input."""
    return volumes(images, x.shape[0]) if x.rank == 5 else channels_first(images, x.rank)


@dataclass(frozen=True)
class _Spread:
    """A transposed window along one axis: elements, taps, and what is cut off or comes behind."""

    before: int
    kernel: int
    stride: int
    dilation: int
    pad: Pair
    extra: int

    @property
    def mirrored(self) -> AxisWindow:
        """The window that reads the elements spread out by the stride, its last tap first."""
        reach = (self.kernel - 1) * self.dilation
        pad = (reach - self.pad[0], reach - self.pad[1] + self.extra)
        return AxisWindow((self.before - 1) * self.stride + 1, self.kernel, 1, self.dilation, pad)


@ONNX.importer("ConvTranspose")
def conv_transpose(
    x: Value,
    weights: Value,
    bias: Value | None,
    *,
    sliding: Sliding,
    group: int = 1,
    output_padding: Ints | None = None,
    output_shape: Ints | None = None,
) -> Value:
    """ConvTranspose: TransposeConv2d; a filter with dilation is one with zeros in between."""
    _check_kernel(x, weights, sliding.kernel_shape)
    extra = sizes("output_padding", output_padding, x.rank - 2, 0)
    axes = _spreads(x.shape[2:], weights.shape[2:], sliding, extra, output_shape)
    flat = axes[-2:]
    if len(axes) == 3:
        wide = spread(x, (1, 1, axes[0].stride))
        images = stacked(wide, axes[0].mirrored, group, backwards=True)
    else:
        images = channels_last(x)
    result = images.op(
        "TransposeConv2d",
        *(spread(filters(weights, 0, group), pair([axis.dilation for axis in flat])), bias),
        stride=pair([axis.stride for axis in flat]),
        pad_amount=as_pad_amount([axis.pad[side] for side in (0, 1) for axis in flat]),
        output_padding=pair([axis.extra for axis in flat], 0),
        group=group,
    )
    return _arranged(result, x)


def _spreads(
    spatial: Sequence[int],
    kernel: Sequence[int],
    sliding: Sliding,
    extra: Ints,
    output_shape: Ints | None,
) -> list[_Spread]:
    """Return the windows by axis, with the padding for the size that the attributes ask for."""
    count, mode = len(spatial), sliding.auto_pad
    stride = sizes("strides", sliding.strides, count)
    dilation = sizes("dilations", sliding.dilations, count)
    pads = sizes("pads", sliding.pads, 2 * count, 0)
    rows = zip(spatial, kernel, stride, dilation, extra, strict=True)
    full = [s * (n - 1) + (k - 1) * d + 1 + e for n, k, s, d, e in rows]
    if output_shape is not None:
        wanted = sizes("output_shape", output_shape, count)
        pads = _cut(full, wanted, mode)
        # Behind what the windows reach there are elements that none of them does.
        extra = tuple(e + max(w - f, 0) for e, w, f in zip(extra, wanted, full, strict=True))
    elif mode == "VALID":
        pads = (0,) * (2 * count)
    elif mode != "NOTSET":
        pads = _cut(full, [n * s for n, s in zip(spatial, stride, strict=True)], mode)
    sides = zip(pads[:count], pads[count:], strict=True)
    columns = zip(spatial, kernel, stride, dilation, sides, extra, strict=True)
    return [_Spread(*column) for column in columns]


def _cut(full: Sequence[int], wanted: Sequence[int], mode: str) -> Ints:
    """Return the pads that cut the full result down to a size, if it is larger."""
    totals = [max(size - want, 0) for size, want in zip(full, wanted, strict=True)]
    # The spec puts the odd one behind for SAME_UPPER only, and before for everything else.
    return split_pads(totals, more_before=mode != "SAME_UPPER")


_MOST_TAPS = 1024
"""Steps of a window along the depth, each of which is some ops of its own."""


def stacked(x: Value, depth: AxisWindow, group: int, *, backwards: bool = False) -> Value:
    """Return the images of a volume, each beside those that its window reads.

    The channels of a group are those of its first tap, then those of the next one.
    """
    _, channels, _, height, width = x.shape
    taps = taps_of(x, depth, group)
    joined = concat(taps[::-1] if backwards else taps, axis=taps[0].rank - 1)
    return joined.reshape(x.shape[0] * depth.after, height, width, channels * depth.kernel)


def taps_of(x: Value, depth: AxisWindow, group: int) -> list[Value]:
    """Return the images of a volume that each tap of a window reads; negative pads crop.

    They are [N * after, H, W, C], of several groups with more dims.
    """
    problem = f"a window of {depth.kernel} steps along the depth"
    require(depth.kernel <= _MOST_TAPS, problem, f"at most {_MOST_TAPS} are taken")
    batch, channels, before, height, width = x.shape
    lead = (before,) if batch == 1 else (batch, before)
    image = (height, width, channels)
    own = image if group == 1 else (height * width, group, channels // group)
    x = x.transpose(0, 2, 3, 4, 1).reshape(*lead, *own)
    before, after = depth.pad
    # Of a stride that many images are one above the other, so that all slices are of blocks.
    after += -(depth.before + before + after) % depth.stride
    axis = len(lead) - 1
    x = margins(x, [(before, after) if at == axis else (0, 0) for at in range(x.rank)])
    rows = own[0]
    x = x.reshape(*lead[:-1], x.shape[axis] // depth.stride, rows * depth.stride, *own[1:])
    firsts = range(0, depth.kernel * depth.dilation, depth.dilation)
    places = [divmod(first, depth.stride) for first in firsts]
    blocks = [x.cut(axis, first, first + depth.after) for first, _ in places]
    taps = [
        block.cut(axis + 1, rows * phase, rows * (phase + 1))
        for block, (_, phase) in zip(blocks, places, strict=True)
    ]
    return [tap.reshape(batch * depth.after, *own) for tap in taps]


def filters(weights: Value, inputs: int, groups: int) -> Value:
    """Return weights [O, I, kernel...] or [I, O, kernel...] as filters [fh, fw, taps * I, O].

    `inputs` is the dim of the input channels, which are of one or more groups; the taps of each
    group are outside of its channels. Dequantised ones are rearranged as they are stored.
    """
    shape = weights.shape
    *deep, tall, wide = shape[2:] if len(shape) > 3 else pair(shape[2:])
    each = (groups, shape[inputs] // groups)
    flat = (*shape[:inputs], *each, *shape[inputs + 1 : 2], prod(deep), tall * wide)
    perm = (4, inputs, 3, inputs + 1, 2 - 2 * inputs)
    whole = (tall, wide, shape[inputs] * prod(deep), shape[1 - inputs])
    constant = stored_constant(weights.ssa)
    quant = None if constant is None else spec_of(constant.out).quant
    if constant is not None and quant is not None:
        if quant.axis != inputs:
            # Scales are of output channels, which the last dim now is.
            axis = None if quant.axis is None else len(whole) - 1
            spec = replace(spec_of(constant.out), shape=whole, quant=replace(quant, axis=axis))
            stored = constant.array.reshape(flat).transpose(perm).reshape(whole)
            (turned,) = weights.emitter.add(const(stored, spec))
            return Value(turned, weights.emitter).op("Dequantize")
        reals = dequantize(constant.array, quant.scales, quant.zero_points, inputs)
        weights = weights.const(reals)
    if not deep:
        return weights.reshape(*shape[:2], tall, wide).transpose(2, 3, inputs, 1 - inputs)
    return weights.reshape(*flat).transpose(*perm).reshape(*whole)


def spread(x: Value, steps: Sequence[int]) -> Value:
    """Return the data with zeros between the elements of each dim: step - 1 of them."""
    strides = (*steps, *(1 for _ in x.shape[len(steps) :]))
    extents = [(size - 1) * step + 1 for size, step in zip(x.shape, strides, strict=True)]
    if x.array is not None and prod(extents) <= MOST_ELEMENTS:
        wide = np.zeros(extents, x.array.dtype)
        wide[tuple(slice(None, None, step) for step in strides)] = x.array
        return x.const(wide)
    for axis, step in enumerate(steps):
        shape = x.shape
        size, behind = shape[axis], prod(shape[axis + 1 :])
        if step == 1 or size == 1:
            continue
        rows = x.reshape(prod(shape[:axis]), size, behind)
        rows = margins(rows, ((0, 0), (0, 0), (0, (step - 1) * behind)))
        after = (size - 1) * step + 1
        rows = rows.reshape(prod(shape[:axis]), size * step, behind)
        rows = margins(rows, ((0, 0), (0, after - size * step), (0, 0)))
        x = rows.reshape(*shape[:axis], after, *shape[axis + 1 :])
    return x


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
    # Sixteen numbers of each element are held while they are sorted.
    require_few(2 * max(windows * taps, prod(image)), f"gathers {windows} blocks of {taps}")
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
    shape = (len(counts), max(int(counts.max()), 1))
    require_few(prod(shape), f"gathers {shape[1]} elements for each of {shape[0]} pixels")
    table = np.full(shape, numbers.size, np.int32)
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
    require_few(max(images, taps * places), f"reads {taps * places} taps of {images} images")
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

"""Conv and ConvTranspose. Weights become channels-last once, here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ...support.registry import ImporterSet
from .volumes import (
    filters,
    spread,
    stacked,
    volumes,
)
from .windows import (
    AxisWindow,
    Pair,
    as_pad_amount,
    channels_first,
    channels_last,
    check_spatial,
    explicit_pads,
    pair,
    read_reaches,
    sizes,
    split_pads,
    window_of,
)

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Conv")
def conv(ctx: NodeContext) -> list[SSAValue]:
    """Conv: Conv2d, or DepthWiseConv2d where every input channel is a group of its own."""
    x, weights = ctx.value(0), ctx.value(1)
    _check_kernel(ctx, ctx.shape(weights))
    reaches = read_reaches(ctx, ctx.shape(weights)[2:])
    depth, window = reaches[:-2], window_of(reaches[-2:])
    group, channels = ctx.integer("group", 1), ctx.shape(x)[1]
    depthwise = group == channels and group > 1 and all(reach.kernel == 1 for reach in depth)
    result = ctx.emit(
        "DepthWiseConv2d" if depthwise else "Conv2d",
        stacked(ctx, x, *depth) if depth else channels_last(ctx, x),
        filters(ctx, weights, 1),
        ctx.optional(2),
        stride=window.stride,
        pad_amount=window.pad,
        dilation=window.dilation,
        group=None if depthwise else group,
    )
    return [_like(ctx, result, x)]


def _check_kernel(ctx: NodeContext, shape: Sequence[int]) -> None:
    rank = len(ctx.shape(ctx.value(0)))
    check_spatial(ctx, rank - 2)
    ctx.require(len(shape) == rank, f"weights have rank {len(shape)}, the input has rank {rank}")
    stated = ctx.integers("kernel_shape")
    ctx.require(
        stated is None or stated == tuple(shape[2:]),
        f"attribute 'kernel_shape' is {stated}, the weights have {tuple(shape[2:])}",
    )


def _like(ctx: NodeContext, images: SSAValue, x: SSAValue) -> SSAValue:
    """Return images in the arrangement of the node's input."""
    batch, *rest = ctx.shape(x)
    volume = len(rest) == 4
    return volumes(ctx, images, batch) if volume else channels_first(ctx, images, len(rest) + 1)


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
def conv_transpose(ctx: NodeContext) -> list[SSAValue]:
    """ConvTranspose: TransposeConv2d; a filter with dilation is one with zeros in between."""
    x, weights = ctx.value(0), ctx.value(1)
    _check_kernel(ctx, ctx.shape(weights))
    axes = _spreads(ctx, ctx.shape(weights)[2:])
    flat = axes[-2:]
    if len(axes) == 3:
        wide = spread(ctx, x, (1, 1, axes[0].stride))
        images = stacked(ctx, wide, axes[0].mirrored, backwards=True)
    else:
        images = channels_last(ctx, x)
    result = ctx.emit(
        "TransposeConv2d",
        images,
        spread(ctx, filters(ctx, weights, 0), pair([axis.dilation for axis in flat])),
        ctx.optional(2),
        stride=pair([axis.stride for axis in flat]),
        pad_amount=as_pad_amount([axis.pad[side] for side in (0, 1) for axis in flat]),
        output_padding=pair([axis.extra for axis in flat], 0),
        group=ctx.integer("group", 1),
    )
    return [_like(ctx, result, x)]


def _spreads(ctx: NodeContext, kernel: Sequence[int]) -> list[_Spread]:
    """Return the windows by axis, with the padding for the size that the attributes ask for."""
    spatial = ctx.shape(ctx.value(0))[2:]
    count = len(spatial)
    stride, dilation = (sizes(ctx, name, count) for name in ("strides", "dilations"))
    extra, pads = sizes(ctx, "output_padding", count, 0), explicit_pads(ctx, count)
    rows = zip(spatial, kernel, stride, dilation, extra, strict=True)
    full = [s * (n - 1) + (k - 1) * d + 1 + e for n, k, s, d, e in rows]
    mode = ctx.text("auto_pad", "NOTSET")
    if ctx.given("output_shape"):
        wanted = sizes(ctx, "output_shape", count)
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


def _cut(full: Sequence[int], wanted: Sequence[int], mode: str) -> tuple[int, ...]:
    """Return the pads that cut the full result down to a size, if it is larger."""
    totals = [max(size - want, 0) for size, want in zip(full, wanted, strict=True)]
    # The spec puts the odd one behind for SAME_UPPER only, and before for everything else.
    return split_pads(totals, more_before=mode != "SAME_UPPER")

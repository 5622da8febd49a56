"""Conv and ConvTranspose. Weights become channels-last once, here."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import ImporterSet
from .windows import (
    as_pad_amount,
    channels_first,
    channels_last,
    check_spatial,
    explicit_pads,
    pair,
    read_window,
    sizes,
    split_pads,
)

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Conv")
def conv(ctx: NodeContext) -> list[SSAValue]:
    """Conv: Conv2d, or DepthWiseConv2d where every input channel is a group of its own."""
    x, weights = ctx.value(0), ctx.value(1)
    _check_kernel(ctx, ctx.shape(weights))
    window = read_window(ctx, ctx.shape(weights)[2:])
    group, channels = ctx.integer("group", 1), ctx.shape(x)[1]
    depthwise = group == channels and group > 1
    result = ctx.emit(
        "DepthWiseConv2d" if depthwise else "Conv2d",
        channels_last(ctx, x),
        _filters(ctx, weights, (2, 3, 1, 0)),
        ctx.optional(2),
        stride=window.stride,
        pad_amount=window.pad,
        dilation=window.dilation,
        group=None if depthwise else group,
    )
    return [channels_first(ctx, result, len(ctx.shape(x)))]


def _check_kernel(ctx: NodeContext, shape: Sequence[int]) -> None:
    rank = len(ctx.shape(ctx.value(0)))
    ctx.require(len(shape) == rank, f"weights have rank {len(shape)}, the input has rank {rank}")
    stated = ctx.integers("kernel_shape")
    ctx.require(
        stated is None or stated == tuple(shape[2:]),
        f"attribute 'kernel_shape' is {stated}, the weights have {tuple(shape[2:])}",
    )


def _filters(ctx: NodeContext, weights: SSAValue, perm: Sequence[int]) -> SSAValue:
    """[O, I, spatial...] as 2-D filters with the dims in the order of `perm`."""
    shape = ctx.shape(weights)
    flat = ctx.reshape(weights, (*shape[:2], *pair(shape[2:])))
    return ctx.transpose(flat, perm)


@ONNX.importer("ConvTranspose")
def conv_transpose(ctx: NodeContext) -> list[SSAValue]:
    """ConvTranspose: TransposeConv2d, filters [fh, fw, C, M / group]."""
    x, weights = ctx.value(0), ctx.value(1)
    shape, spatial = ctx.shape(weights), ctx.shape(x)[2:]
    count = len(spatial)
    check_spatial(ctx, count)
    _check_kernel(ctx, shape)
    dilation = sizes(ctx, "dilations", count)
    ctx.require(
        set(dilation) == {1}, f"attribute 'dilations' is {list(dilation)}, only 1 is supported"
    )
    stride, extra = sizes(ctx, "strides", count), sizes(ctx, "output_padding", count, 0)
    result = ctx.emit(
        "TransposeConv2d",
        channels_last(ctx, x),
        _filters(ctx, weights, (2, 3, 0, 1)),
        ctx.optional(2),
        stride=pair(stride),
        pad_amount=as_pad_amount(_transposed_pads(ctx, spatial, shape[2:], stride, extra)),
        output_padding=pair(extra, 0),
        group=ctx.integer("group", 1),
    )
    return [channels_first(ctx, result, len(ctx.shape(x)))]


def _transposed_pads(
    ctx: NodeContext,
    spatial: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    extra: Sequence[int],
) -> tuple[int, ...]:
    """Return the pads to cut off the full result for the size that the attributes ask for."""
    mode, pads = ctx.text("auto_pad", "NOTSET"), explicit_pads(ctx, len(spatial))
    if ctx.given("output_shape"):
        wanted = sizes(ctx, "output_shape", len(spatial))
    elif mode == "NOTSET":
        return pads
    elif mode == "VALID":
        return (0,) * (2 * len(spatial))
    else:
        wanted = tuple(size * s for size, s in zip(spatial, stride, strict=True))
    totals = [
        s * (size - 1) + e + k - want
        for size, k, s, e, want in zip(spatial, kernel, stride, extra, wanted, strict=True)
    ]
    ctx.require(min(totals) >= 0, f"no padding gives the output size {list(wanted)}")
    # The spec puts the odd one behind for SAME_UPPER only, and before for everything else.
    return split_pads(totals, more_before=mode != "SAME_UPPER")

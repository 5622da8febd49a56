"""Volumes as images: the taps of a window along the first of three spatial dims become channels.

A convolution of volumes is then one of images, with as many channels more as the window is deep:
[N, C, D, H, W] becomes [N * after, H, W, C * taps], and filters of depth k have C * k inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.ir import SSAValue

from ......dialects.qti_aisw.ops.const import const
from ......dialects.spec_of import spec_of
from ......runtime.functions.quantize import dequantize
from ....graph.emitter import stored_constant
from ...support.context import NodeContext
from ..tensors.steps import margins
from .windows import AxisWindow, pair


def stacked(
    ctx: NodeContext, x: SSAValue, depth: AxisWindow, *, backwards: bool = False
) -> SSAValue:
    """Return the images of a volume, the taps of each channel side by side; negative pads crop."""
    batch, channels, before, height, width = ctx.shape(x)
    line = height * width * channels
    x = ctx.reshape(ctx.transpose(x, (0, 2, 3, 4, 1)), (batch, before, line))
    x = margins(ctx, x, ((0, 0), depth.pad, (0, 0)))
    taps = depth.taps(depth.after) + depth.pad[0]
    if taps.size != ctx.shape(x)[1] or taps.shape[1] > 1:
        taps = taps[:, ::-1] if backwards else taps
        parts = ctx.emit("Gather", x, ctx.const(taps), axis=1)
        x = ctx.transpose(ctx.reshape(parts, (batch * depth.after, depth.kernel, line)), (0, 2, 1))
    return ctx.reshape(x, (batch * depth.after, height, width, channels * depth.kernel))


def volumes(ctx: NodeContext, images: SSAValue, batch: int) -> SSAValue:
    """[N * D, H, W, C] as [N, C, D, H, W]."""
    count, *image = ctx.shape(images)
    whole = ctx.reshape(images, (batch, count // batch, *image))
    return ctx.transpose(whole, (0, 4, 1, 2, 3))


def filters(ctx: NodeContext, weights: SSAValue, inputs: int) -> SSAValue:
    """Return weights [O, I, kernel...] or [I, O, kernel...] as filters [fh, fw, I * taps, O].

    `inputs` is the dim of the input channels. Dequantised ones are rearranged as they are stored.
    """
    shape = ctx.shape(weights)
    *deep, tall, wide = shape[2:] if len(shape) > 3 else pair(shape[2:])
    flat = (*shape[:2], prod(deep), tall * wide)
    perm = (3, inputs, 2, 1 - inputs)
    whole = (tall, wide, shape[inputs] * prod(deep), shape[1 - inputs])
    constant = stored_constant(weights)
    quant = None if constant is None else spec_of(constant.out).quant
    if constant is not None and quant is not None:
        if quant.axis != inputs:
            # Scales are of output channels, which the last dim now is.
            axis = None if quant.axis is None else len(whole) - 1
            spec = replace(spec_of(constant.out), shape=whole, quant=replace(quant, axis=axis))
            stored = constant.array.reshape(flat).transpose(perm).reshape(whole)
            return ctx.emit("Dequantize", ctx.emitter.add(const(stored, spec))[0])
        reals = dequantize(constant.array, quant.scales, quant.zero_points, inputs)
        weights = ctx.const(reals)
    return ctx.reshape(ctx.transpose(ctx.reshape(weights, flat), perm), whole)


def spread(ctx: NodeContext, x: SSAValue, steps: Sequence[int]) -> SSAValue:
    """Return the data with zeros between the elements of each dim: step - 1 of them."""
    for axis, step in enumerate(steps):
        shape = ctx.shape(x)
        size, behind = shape[axis], prod(shape[axis + 1 :])
        if step == 1 or size == 1:
            continue
        rows = ctx.reshape(x, (prod(shape[:axis]), size, behind))
        rows = margins(ctx, rows, ((0, 0), (0, 0), (0, (step - 1) * behind)))
        after = (size - 1) * step + 1
        rows = ctx.reshape(rows, (prod(shape[:axis]), size * step, behind))
        rows = margins(ctx, rows, ((0, 0), (0, after - size * step), (0, 0)))
        x = ctx.reshape(rows, (*shape[:axis], after, *shape[axis + 1 :]))
    return x

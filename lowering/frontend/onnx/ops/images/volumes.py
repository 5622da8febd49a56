"""Volumes as images: the taps of a window along the first of three spatial dims become channels.

A convolution of volumes is then one of images, with as many channels more as the window is deep:
[N, C, D, H, W] becomes [N * after, H, W, C * taps], and filters of depth k have C * k inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ......dialects.qti_aisw.ops.const import const
from ......dialects.spec_of import spec_of
from ......runtime.functions.quantize import dequantize
from ....graph.emitter import stored_constant
from ....graph.value import Value
from ..tensors.steps import margins
from .windows import AxisWindow, pair


def stacked(x: Value, depth: AxisWindow, *, backwards: bool = False) -> Value:
    """Return the images of a volume, the taps of each channel side by side; negative pads crop."""
    batch, channels, before, height, width = x.shape
    line = height * width * channels
    x = x.transpose(0, 2, 3, 4, 1).reshape(batch, before, line)
    x = margins(x, ((0, 0), depth.pad, (0, 0)))
    taps = depth.taps(depth.after) + depth.pad[0]
    if taps.size != x.shape[1] or taps.shape[1] > 1:
        parts = x.gather(taps[:, ::-1] if backwards else taps, axis=1)
        x = parts.reshape(batch * depth.after, depth.kernel, line).transpose(0, 2, 1)
    return x.reshape(batch * depth.after, height, width, channels * depth.kernel)


def volumes(images: Value, batch: int) -> Value:
    """[N * D, H, W, C] as [N, C, D, H, W]."""
    count, *image = images.shape
    return images.reshape(batch, count // batch, *image).transpose(0, 4, 1, 2, 3)


def filters(weights: Value, inputs: int) -> Value:
    """Return weights [O, I, kernel...] or [I, O, kernel...] as filters [fh, fw, I * taps, O].

    `inputs` is the dim of the input channels. Dequantised ones are rearranged as they are stored.
    """
    shape = weights.shape
    *deep, tall, wide = shape[2:] if len(shape) > 3 else pair(shape[2:])
    flat = (*shape[:2], prod(deep), tall * wide)
    perm = (3, inputs, 2, 1 - inputs)
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
    return weights.reshape(*flat).transpose(*perm).reshape(*whole)


def spread(x: Value, steps: Sequence[int]) -> Value:
    """Return the data with zeros between the elements of each dim: step - 1 of them."""
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

"""DFT and STFT: products with constant matrices of cosines and sines along one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import ImporterSet
from ..support.types import MOST_ELEMENTS
from .tensors.axes import product

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("DFT")
def dft(ctx: NodeContext) -> list[SSAValue]:
    """DFT; the last dim holds the real and the imaginary part, or the real one alone."""
    x, last = ctx.value(0), len(ctx.shape(ctx.value(0))) - 1
    inverse, one_sided = bool(ctx.integer("inverse")), bool(ctx.integer("onesided"))
    (axis,) = ctx.integers_at(2) or (-2,)
    ctx.require(-last - 1 <= axis <= last and axis % (last + 1) != last, f"axis is {axis}")
    axis %= last + 1
    size, count = ctx.shape(x)[axis], ctx.shape(x)[last]
    wanted = (1 + inverse,) if one_sided else (1, 2)
    ctx.require(count in wanted, f"the last dim has {count} elements", f"give it {wanted[-1]}")
    (length,) = ctx.integers_at(1) or (2 * (size - 1) if inverse and one_sided else size,)
    ctx.require(length >= 1, f"the length is {length}", "use a number >= 1")
    return [_transformed(ctx, x, axis, _Transform(size, length, inverse, one_sided))]


@ONNX.importer("STFT")
def stft(ctx: NodeContext) -> list[SSAValue]:
    """STFT: the DFT of frames [batch, frame, length, parts], each times the window."""
    x, (step,) = ctx.value(0), ctx.integers_at(1) or (0,)
    window, stated = ctx.optional(2), ctx.integers_at(3)
    ctx.require(len(ctx.shape(x)) in (2, 3), f"input 0 has rank {len(ctx.shape(x))}")
    batch, size, count = (*ctx.shape(x), 1)[:3]
    whole = size if window is None else ctx.shape(window)[0]
    (length,) = stated or (whole,)
    ctx.require(step >= 1, f"the step is {step}", "use a number >= 1")
    ctx.require(1 <= length <= size, f"frames of {length} do not fit into {size} elements")
    ctx.require(window is None or length == whole, f"the window has {whole} of {length} elements")
    one_sided = bool(ctx.integer("onesided", 1))
    ctx.require(count == 1 or not one_sided, "attribute 'onesided' is 1, the signal is complex")
    read = ((size - length) // step + 1) * length
    problem, remedy = f"reads {read} elements of frames", f"at most {MOST_ELEMENTS} are taken"
    ctx.require(read <= MOST_ELEMENTS, problem, remedy)
    starts = np.arange(0, size - length + 1, step)
    places = ctx.const((starts[:, None] + np.arange(length)).astype(np.int32))
    frames = ctx.emit("Gather", ctx.reshape(x, (batch, size, count)), places, axis=1)
    if window is not None:
        frames = ctx.emit("ElementWiseMultiply", frames, ctx.reshape(window, (length, 1)))
    return [_transformed(ctx, frames, 2, _Transform(length, length, False, one_sided))]


@dataclass(frozen=True)
class _Transform:
    """A DFT of a number of elements, cut or filled up with zeros to a length."""

    size: int
    length: int
    inverse: bool
    one_sided: bool

    def matrices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the real and the imaginary factors [after, before]."""
        inverse, length, half = self.inverse, self.length, self.length // 2 + 1
        after = np.arange(half if self.one_sided and not inverse else length)
        before = np.arange(self.size)
        most = half if self.one_sided and inverse else length
        weight = (before < most) / (length if inverse else 1)
        if self.one_sided and inverse:
            # What one side leaves out is the conjugate of what it holds, but for both ends.
            ends = (before == 0) | (2 * before == length)
            weight = np.where(ends, weight, 2 * weight)
        angles = np.outer(after, before) % length * (2 * np.pi / length)
        return np.cos(angles) * weight, np.sin(angles) * (weight if inverse else -weight)


def _transformed(ctx: NodeContext, x: SSAValue, axis: int, one: _Transform) -> SSAValue:
    """Return the transform along an axis; the last dim is the real and the imaginary part."""
    last = len(ctx.shape(x)) - 1
    too_large = one.length * max(one.size, one.length) > MOST_ELEMENTS
    ctx.require(not too_large, f"the length {one.length} is too large")
    cosines, sines = one.matrices()
    complex_ = ctx.shape(x)[last] == 2
    parts = ctx.emit_all("Split", x, axis=last, split_index=(1,)) if complex_ else [x]
    real = product(ctx, parts[0], axis, cosines)
    imaginary = product(ctx, parts[0], axis, sines)
    if complex_:
        turned = product(ctx, parts[1], axis, sines)
        real = ctx.emit("ElementWiseSubtract", real, turned)
        imaginary = ctx.emit("ElementWiseAdd", imaginary, product(ctx, parts[1], axis, cosines))
    if one.inverse and one.one_sided:
        return real
    return ctx.emit("Concat", [real, imaginary], axis=last)

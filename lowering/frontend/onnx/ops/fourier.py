"""DFT: products with constant matrices of cosines and sines along one axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import ImporterSet
from ..support.types import MOST_ELEMENTS
from .axes import product

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
    ctx.require(length * max(size, length) <= MOST_ELEMENTS, f"the length {length} is too large")
    cosines, sines = _matrices(size, length, inverse, one_sided)
    parts = [x] if count == 1 else ctx.emit_all("Split", x, axis=last, split_index=(1,))
    real = product(ctx, parts[0], axis, cosines)
    imaginary = product(ctx, parts[0], axis, sines)
    if count == 2:
        turned = product(ctx, parts[1], axis, sines)
        real = ctx.emit("ElementWiseSubtract", real, turned)
        imaginary = ctx.emit("ElementWiseAdd", imaginary, product(ctx, parts[1], axis, cosines))
    if inverse and one_sided:
        return [real]
    return [ctx.emit("Concat", [real, imaginary], axis=last)]


def _matrices(
    size: int, length: int, inverse: bool, one_sided: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the real and the imaginary factors [after, before] of a transform of `length`."""
    half = length // 2 + 1
    after = np.arange(half if one_sided and not inverse else length)
    before = np.arange(size)
    weight = (before < (half if one_sided and inverse else length)) / (length if inverse else 1)
    if one_sided and inverse:
        # What one side leaves out is the conjugate of what it holds, but for both ends.
        weight = np.where((before == 0) | (2 * before == length), weight, 2 * weight)
    angles = np.outer(after, before) % length * (2 * np.pi / length)
    return np.cos(angles) * weight, np.sin(angles) * (weight if inverse else -weight)

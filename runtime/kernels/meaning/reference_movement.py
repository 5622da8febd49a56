"""Reference kernels of Reshape and of the slices whose bounds are shapes, on stored values."""

from __future__ import annotations

import numpy as np

from ...kernel.registry import KernelSet
from ...tensors.tensors import ShapeParam, Tensor
from ..support.regions import everything, filler, overlap
from .reference_valid import scalar

KERNELS = KernelSet()


@KERNELS.kernel("Reshape")
def reshape(out: Tensor, inp: Tensor) -> None:
    out.store_raw(inp.stored().reshape(out.shape))


@KERNELS.kernel("Slice_shape")
def slice_block(out: Tensor, inp: Tensor, start: ShapeParam, size: ShapeParam) -> None:
    out.store_raw(inp.stored()[everything(size.dims, start.dims)])


@KERNELS.kernel("SlicePad_shape")
def slice_padded(
    out: Tensor,
    inp: Tensor,
    pad_before: ShapeParam,
    start: ShapeParam,
    size: ShapeParam,
    value: Tensor,
) -> None:
    first = [begin - before for begin, before in zip(start.dims, pad_before.dims, strict=True)]
    shared = overlap(inp.shape, first, size.dims)
    taken = np.broadcast_to(filler(scalar(value), out.spec), out.shape).copy()
    if not shared.empty:
        taken[shared.target] = inp.stored()[shared.source]
    out.store_raw(taken)

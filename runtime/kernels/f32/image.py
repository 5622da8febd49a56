"""Images of another extent for f32, in croutons or flat: apart, laid out anew, and packed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

import numpy as np

from ...functions.arrays import Pair
from ...functions.image import NEAREST, mixing, pixels, spread_depth
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import Floats, in_order, scratch
from ..support.classes import F32
from ..support.families import RealKernels
from ..support.hoisting import bound_once, number_in, plane

KERNELS = RealKernels()


def _pair(param: Tensor) -> Pair:
    down, across = param.array.reshape(-1).tolist()
    return down, across


@KERNELS.kernel("DepthToSpace", cost=Cost.FAST)
def depth_to_space(out: F32, inp: F32, block_size: Int32Tensor, mode: Int32Tensor) -> BoundCall:
    return bound_once([block_size, mode], lambda: _spread(out, inp, _pair(block_size), mode))


@KERNELS.kernel("DepthToSpace_shape", cost=Cost.FAST)
def spread(out: F32, inp: F32, block: ShapeParam, mode: Int32Tensor) -> BoundCall:
    return bound_once([mode], lambda: _spread(out, inp, plane(block), mode))


@KERNELS.kernel("SpaceToDepth", cost=Cost.FAST)
def space_to_depth(out: F32, inp: F32, block_size: Int32Tensor, mode: Int32Tensor) -> BoundCall:
    return bound_once([block_size, mode], lambda: _stacked(out, inp, _pair(block_size), mode))


@KERNELS.kernel("SpaceToDepth_shape", cost=Cost.FAST)
def stacked(out: F32, inp: F32, block: ShapeParam, mode: Int32Tensor) -> BoundCall:
    return bound_once([mode], lambda: _stacked(out, inp, plane(block), mode))


def _spread(out: Tensor, inp: Tensor, block: Pair, mode: Int32Tensor) -> BoundCall:
    deep, flat = scratch(*inp.shape), scratch(*out.shape)
    source = spread_depth(deep, block, int(number_in(mode)))
    moved = partial(np.copyto, flat.reshape(source.shape), source)
    return in_order([inp.unpacker(deep), moved, out.packer(flat)])


def _stacked(out: Tensor, inp: Tensor, block: Pair, mode: Int32Tensor) -> BoundCall:
    flat, deep = scratch(*inp.shape), scratch(*out.shape)
    target = spread_depth(deep, block, int(number_in(mode)))
    moved = partial(np.copyto, target, flat.reshape(target.shape))
    return in_order([inp.unpacker(flat), moved, out.packer(deep)])


@KERNELS.kernel("ResizeNearestNeighbor_shape", cost=Cost.FAST)
def repeat(out: F32, inp: F32, factor: ShapeParam) -> BoundCall:
    small, large = scratch(*inp.shape), scratch(*out.shape)
    (batch, height, width, depth), (down, across) = inp.shape, plane(factor)
    blocks = large.reshape(batch, height, down, width, across, depth)
    moved = partial(np.copyto, blocks, small[:, :, None, :, None])
    return in_order([inp.unpacker(small), moved, out.packer(large)])


@KERNELS.kernel("Resize", cost=Cost.FAST)
def resize(
    out: F32,
    inp: F32,
    size: Int32Tensor,
    interpolation_mode: Int32Tensor,
    transformation_mode: Int32Tensor,
    nearest_mode: Int32Tensor,
    exclude_outside: Int32Tensor,
    cubic_coeff: PlainFloatTensor,
) -> BoundCall:
    """Resize the rows first, then the columns."""
    modes: Sequence[Tensor] = (
        *(interpolation_mode, transformation_mode, nearest_mode, exclude_outside),
        cubic_coeff,
    )
    before, after = scratch(*inp.shape), scratch(*out.shape)
    tall = scratch(inp.shape[0], out.shape[1], *inp.shape[2:])

    def bind() -> BoundCall:
        numbers: list[float] = [number_in(mode) for mode in modes]
        steps: list[Call] = [_along(before, tall, 1, numbers), _along(tall, after, 2, numbers)]
        return in_order([inp.unpacker(before), *steps, out.packer(after)])

    return bound_once([size, *modes], bind)


def _along(source: Floats, target: Floats, axis: int, modes: Sequence[float]) -> Call:
    """Return the resize of one axis, to the extent that the target has there."""
    interpolation, transformation, rounding = map(int, modes[:3])
    line = source.shape[axis], target.shape[axis]
    if interpolation == NEAREST:
        taken = pixels(*line, transformation, rounding).astype(np.intp)
        return partial(np.take, source, taken, axis, target, "clip")
    matrix = mixing(*line, interpolation, transformation, bool(modes[3]), modes[4])
    # All that lies behind the axis is the columns of one matrix.
    left, out = (
        array.reshape(prod(array.shape[:axis]), n, prod(array.shape[axis + 1 :]))
        for array, n in zip((source, target), line, strict=True)
    )
    return partial(np.matmul, matrix.astype(np.float32), left, out=out)

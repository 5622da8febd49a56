"""Images of another extent for f32, in croutons or flat: apart, laid out anew, and packed."""

from collections.abc import Sequence
from functools import partial
from math import prod

import numpy as np

from ...functions.image import NEAREST, mixing, pixels, placed, spread_depth, transformed
from ...functions.support.arrays import Pair
from ...functions.support.interpolation import Reals
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import Floats, bound_once, in_order, number_in, pair, plane, scratch
from ..support.classes import F32, RealKernels

KERNELS = RealKernels()


@KERNELS.kernel("DepthToSpace", cost=Cost.FAST)
def depth_to_space(out: F32, inp: F32, block_size: Int32Tensor, mode: Int32Tensor) -> BoundCall:
    return bound_once([block_size, mode], lambda: _spread(out, inp, pair(block_size), mode))


@KERNELS.kernel("DepthToSpace_shape", cost=Cost.FAST)
def spread(out: F32, inp: F32, block: ShapeParam, mode: Int32Tensor) -> BoundCall:
    return bound_once([mode], lambda: _spread(out, inp, plane(block), mode))


@KERNELS.kernel("SpaceToDepth", cost=Cost.FAST)
def space_to_depth(out: F32, inp: F32, block_size: Int32Tensor, mode: Int32Tensor) -> BoundCall:
    return bound_once([block_size, mode], lambda: _stacked(out, inp, pair(block_size), mode))


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
    modes: Sequence[Tensor] = interpolation_mode, nearest_mode, exclude_outside, cubic_coeff

    def bind() -> BoundCall:
        place = int(number_in(transformation_mode))
        at = [transformed(inp.shape[axis], out.shape[axis], place) for axis in (1, 2)]
        return _resized(out, inp, at, list(map(number_in, modes)))

    return bound_once([size, transformation_mode, *modes], bind)


@KERNELS.kernel("Resize_places", cost=Cost.FAST)
def resize_places(
    out: F32,
    inp: F32,
    rows: Int32Tensor,
    columns: Int32Tensor,
    interpolation_mode: Int32Tensor,
    nearest_mode: Int32Tensor,
    exclude_outside: Int32Tensor,
    cubic_coeff: PlainFloatTensor,
) -> BoundCall:
    modes: Sequence[Tensor] = interpolation_mode, nearest_mode, exclude_outside, cubic_coeff

    def bind() -> BoundCall:
        at = [placed(line.array.reshape(-1).tolist()) for line in (rows, columns)]
        return _resized(out, inp, at, list(map(number_in, modes)))

    return bound_once([rows, columns, *modes], bind)


def _resized(out: Tensor, inp: Tensor, at: Sequence[Reals], modes: Sequence[float]) -> BoundCall:
    """Resize the rows first, then the columns."""
    before, after = scratch(*inp.shape), scratch(*out.shape)
    tall = scratch(inp.shape[0], out.shape[1], *inp.shape[2:])
    steps = _along(before, tall, 1, at[0], modes), _along(tall, after, 2, at[1], modes)
    return in_order([inp.unpacker(before), *steps, out.packer(after)])


def _along(source: Floats, target: Floats, axis: int, at: Reals, modes: Sequence[float]) -> Call:
    """Return the resize of one axis, to these places."""
    interpolation, rounding, outside, cubic = modes
    if interpolation == NEAREST:
        taken = pixels(source.shape[axis], at, int(rounding)).astype(np.intp)
        return partial(np.take, source, taken, axis, target, "clip")
    matrix = mixing(source.shape[axis], at, int(interpolation), bool(outside), cubic)
    # All that lies behind the axis is the columns of one matrix.
    left, out = (
        array.reshape(prod(array.shape[:axis]), n, prod(array.shape[axis + 1 :]))
        for array in (source, target)
        for n in (array.shape[axis],)
    )
    return partial(np.matmul, matrix.astype(np.float32), left, out=out)

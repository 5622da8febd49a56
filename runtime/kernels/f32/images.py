"""Images for f32, in croutons or flat: pools without padding, other extents and orders of pixels.

Windows are reduced down the height first, which runs along whole rows, then across the width.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod

import numpy as np

from ....dialects.value import TensorSpec
from ...functions.image import NEAREST, mixing, pixels, placed, spread_depth, transformed
from ...functions.pool import divisors, overhang
from ...functions.support.arrays import Array, Pads, Pair
from ...functions.support.interpolation import Reals
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.memory import working
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor, new_tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.bands import band_rows, bands, windows_of
from ..support.calls import Floats, bound_once, in_order, number, number_in, pair, plane, scratch
from ..support.classes import F32, Flat, RealKernels

KERNELS = RealKernels()


def max_pool(out: Tensor, act: Tensor, window: ShapeParam, stride: ShapeParam) -> BoundCall:
    """Bind the largest stored element of each window, for both of one class."""
    return in_order(_pool(np.maximum, out, act, window, stride))


KERNELS.add(
    "MaxPool_valid",
    max_pool,
    {"out": F32},
    {"act": F32, "window": ShapeParam, "stride": ShapeParam},
    name="max_pool",
    cost=Cost.FAST,
)


@KERNELS.kernel("PoolAvg2d", cost=Cost.FAST)
def padded_avg_pool(
    out: Flat,
    inp: Flat,
    filter_size: Int32Tensor,
    stride: Int32Tensor,
    pad_amount: Int32Tensor,
    rounding_mode: Int32Tensor,
    count_pad_for_edges: Int32Tensor,
) -> BoundCall:
    def bind() -> BoundCall:
        window, step = pair(filter_size), pair(stride)
        top, bottom, left, right = pad_amount.array.reshape(-1).tolist()
        pads = (top, bottom), (left, right)
        ceil, count_pad = (bool(number_in(p)) for p in (rounding_mode, count_pad_for_edges))
        larger, padded = _padded(inp, pads, overhang(inp.shape, window, step, pads, ceil))
        counts = divisors(inp.shape, window, step, pads, ceil, count_pad)
        sums: list[Call] = list(_pool(np.add, out, larger, _shape(window), _shape(step)))
        return in_order([padded, *sums, partial(np.divide, out.array, counts, out.array)])

    return bound_once([filter_size, stride, pad_amount, rounding_mode, count_pad_for_edges], bind)


def _padded(inp: Tensor, pads: Pads, hanging: Pads) -> tuple[Tensor, Call]:
    """The input with zeros around it, and the call that copies its elements there."""
    (top, _), (left, _) = pads
    batch, height, width, depth = inp.shape
    rows, columns = (sum(pad) + sum(over) for pad, over in zip(pads, hanging, strict=True))
    larger = new_tensor(TensorSpec((batch, height + rows, width + columns, depth), inp.spec.dtype))
    inner = larger.array[:, top : top + height, left : left + width]
    return larger, partial(np.copyto, inner, inp.array)


def _shape(plane: Pair) -> ShapeParam:
    return ShapeParam((1, *plane, 1))


@KERNELS.kernel("AvgPool_valid", cost=Cost.FAST)
def avg_pool(out: F32, act: F32, window: ShapeParam, stride: ShapeParam) -> BoundCall:
    height, width = plane(window)
    return in_order(_pool(np.add, out, act, window, stride, height * width))


def _pool(
    join: np.ufunc,
    out: Tensor,
    act: Tensor,
    window: ShapeParam,
    stride: ShapeParam,
    divisor: int = 1,
) -> Iterator[Call]:
    (height, width), (down, across) = plane(window), plane(stride)
    _, _, columns, depth = act.shape
    size = band_rows(out, columns * depth)
    joined = working((size, columns, depth), act.array.dtype)
    for band in bands(out, act, height, down, size):
        yield from band.fetch
        rows = joined[: len(band.target)]
        tall = windows_of(band.source, band.rows.start, rows, (height, 1), (down, 1))
        yield from _joined(join, [tall[:, :, i, 0] for i in range(height)], rows)
        wide = windows_of(rows, 0, band.target, (1, width), (1, across))
        yield from _joined(join, [wide[:, :, 0, i] for i in range(width)], band.target)
        if divisor > 1:
            yield partial(np.divide, band.target, number(divisor), band.target)
        yield from band.finish


def _joined(join: np.ufunc, taps: list[Array], out: Array) -> list[Call]:
    """out = all taps joined."""
    first, *rest = taps
    if not rest:
        return [partial(np.copyto, out, first)]
    calls: list[Call] = [partial(join, first, rest[0], out=out)]
    return [*calls, *(partial(join, out, tap, out=out) for tap in rest[1:])]


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

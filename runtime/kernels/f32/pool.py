"""Pools without padding for f32, in croutons or flat.

Windows are reduced down the height first, which runs along whole rows, then across the width.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from ....dialects.value import TensorSpec
from ...functions.pool import divisors, overhang
from ...functions.support.arrays import Array, Pads, Pair
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.memory import working
from ...tensors.tensor_classes import Int32Tensor, new_tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.bands import band_rows, bands, windows_of
from ..support.calls import bound_once, in_order, number, number_in, pair, plane
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

"""Pools without padding for f32, in croutons or flat.

Windows are reduced down the height first, which runs along whole rows, then across the width.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..registry import BoundCall, Call, Cost, KernelSet
from ..tensors import ShapeParam
from .bands import Image, band_rows, bands, windows_of
from .calls import Floats, in_order, number, scratch
from .classes import F32
from .reference_valid import plane

KERNELS = KernelSet()


@KERNELS.kernel("MaxPool_valid", cost=Cost.FAST)
def max_pool(out: F32, act: F32, window: ShapeParam, stride: ShapeParam) -> BoundCall:
    return in_order(_pool(np.maximum, out, act, window, stride))


@KERNELS.kernel("AvgPool_valid", cost=Cost.FAST)
def avg_pool(out: F32, act: F32, window: ShapeParam, stride: ShapeParam) -> BoundCall:
    height, width = plane(window)
    return in_order(_pool(np.add, out, act, window, stride, height * width))


def _pool(
    join: np.ufunc, out: Image, act: Image, window: ShapeParam, stride: ShapeParam, divisor: int = 1
) -> Iterator[Call]:
    (height, width), (down, across) = plane(window), plane(stride)
    _, _, columns, depth = act.shape
    size = band_rows(out, columns * depth)
    joined = scratch(size, columns, depth)
    for band in bands(out, act, height, down, size):
        yield from band.fetch
        rows = joined[: len(band.target)]
        tall = windows_of(band.source, band.rows.start, rows, (height, 1), (down, 1))
        yield from _joined(join, [tall[:, :, i, 0] for i in range(height)], rows)
        wide = windows_of(rows, 0, band.target, (1, width), (1, across))
        yield from _joined(join, [wide[:, :, 0, i] for i in range(width)], band.target)
        if divisor > 1:
            yield partial(np.multiply, band.target, number(1 / divisor), band.target)
        yield from band.finish


def _joined(join: np.ufunc, taps: list[Floats], out: Floats) -> list[Call]:
    """out = all taps joined."""
    first, *rest = taps
    if not rest:
        return [partial(np.copyto, out, first)]
    calls: list[Call] = [partial(join, first, rest[0], out=out)]
    return [*calls, *(partial(join, out, tap, out=out) for tap in rest[1:])]

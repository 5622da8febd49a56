"""Pools without padding for f32, in croutons or flat.

Windows are reduced down the height first, which runs along whole rows, then across the width.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..registry import BoundCall, Call, Cost, KernelSet
from ..tensors import ShapeParam
from .bands import CACHE, Image, bands, windows_of
from .calls import in_order, number, scratch
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
    size = max(1, CACHE // max(1, columns * depth))
    joined = scratch(min(size, out.shape[1]), columns, depth)
    for band in bands(out, act, height, down, size):
        yield from band.fetch
        rows = joined[: len(band.target)]
        tall = windows_of(band.source, band.rows.start, rows, (height, 1), (down, 1))
        yield partial(join.reduce, tall, axis=(2, 3), out=rows)
        wide = windows_of(rows, 0, band.target, (1, width), (1, across))
        yield partial(join.reduce, wide, axis=(2, 3), out=band.target)
        if divisor > 1:
            yield partial(np.divide, band.target, number(divisor), band.target)
        yield from band.finish

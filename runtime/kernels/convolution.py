"""Convolutions without padding for f32, in croutons or flat, weights in either memory.

Windows are copied to a matrix that fits the cache, a few rows of the result at a time, and each
such block is one matrix product; bias and bounds follow while it is in cache. A point-wise
convolution needs no copy. A depthwise one sums products over the taps in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..registry import BoundCall, Call, Cost, KernelSet
from ..tensor_classes import PlainFloatTensor
from ..tensors import ShapeParam
from .bands import CACHE, Band, Image, bands, windows_of
from .calls import Floats, in_order, scratch, spans
from .classes import F32, Weights
from .reference_valid import plane

KERNELS = KernelSet()

_POINT = (1, 1)
_MOST = 8 * CACHE
"""Elements of a window matrix that is large because the weights are, which each block reads."""


class _Finish:
    """What follows the sums of products: a bias, and bounds where the op has them."""

    def __init__(self, out: Image, bias: PlainFloatTensor, *bounds: PlainFloatTensor) -> None:
        row = scratch(*out.shape[2:])
        self.before: list[Call] = [partial(np.copyto, row, bias.array[0, 0])]
        self._row = row.reshape(-1)
        self._bounds = [bound.array.reshape(()) for bound in bounds]

    def on(self, made: Floats) -> list[Call]:
        """The calls on some rows of the result."""
        rows = made.reshape(len(made), self._row.size)
        steps: list[Call] = [partial(np.add, rows, self._row, rows)]
        for bound, function in zip(self._bounds, (np.maximum, np.minimum), strict=False):
            steps.append(partial(function, rows, bound, out=rows))
        return steps


@KERNELS.kernel("ConvLayer_valid", cost=Cost.FAST)
def layer(
    out: F32, act: F32, weights: Weights, stride: ShapeParam, bias: PlainFloatTensor
) -> BoundCall:
    return in_order(_dense(out, act, weights.array, stride, _Finish(out, bias)))


@KERNELS.kernel("ConvLayer_valid.clamp", cost=Cost.FAST)
def layer_clamp(
    out: F32,
    act: F32,
    weights: Weights,
    stride: ShapeParam,
    bias: PlainFloatTensor,
    low: PlainFloatTensor,
    high: PlainFloatTensor,
) -> BoundCall:
    return in_order(_dense(out, act, weights.array, stride, _Finish(out, bias, low, high)))


@KERNELS.kernel("DepthwiseConvLayer_valid", cost=Cost.FAST)
def depthwise(
    out: F32, act: F32, weights: Weights, stride: ShapeParam, bias: PlainFloatTensor
) -> BoundCall:
    return in_order(_depthwise(out, act, weights.array, stride, _Finish(out, bias)))


@KERNELS.kernel("DepthwiseConvLayer_valid.clamp", cost=Cost.FAST)
def depthwise_clamp(
    out: F32,
    act: F32,
    weights: Weights,
    stride: ShapeParam,
    bias: PlainFloatTensor,
    low: PlainFloatTensor,
    high: PlainFloatTensor,
) -> BoundCall:
    return in_order(_depthwise(out, act, weights.array, stride, _Finish(out, bias, low, high)))


def _dense(
    out: Image, act: Image, weights: Floats, stride: ShapeParam, finish: _Finish
) -> Iterator[Call]:
    height, width, depth, filters = weights.shape
    window, step, across = (height, width), plane(stride), out.shape[2]
    matrix = weights.reshape(-1, filters)
    size = _rows(across * len(matrix), weights.size)
    columns = scratch(min(size, out.shape[1]), across, *window, depth)
    yield from finish.before
    for band in bands(out, act, height, step[0], size):
        yield from band.fetch
        for rows in spans(len(band.target), size):
            target = band.target[rows]
            taken = windows_of(band.source, band.rows.start + rows.start, target, window, step)
            if window == step == _POINT:
                taps = taken
            else:
                taps = columns[: len(target)]
                yield partial(np.copyto, taps, taken)
            flat = taps.reshape(-1, len(matrix))
            yield partial(np.matmul, flat, matrix, out=target.reshape(-1, filters))
        yield from finish.on(band.target)
        yield from band.finish


def _rows(row: int, weights: int) -> int:
    """Rows of the result in one block, given the elements of their windows and of the weights."""
    return max(1, min(max(weights, CACHE), _MOST) // max(row, 1))


def _depthwise(
    out: Image, act: Image, weights: Floats, stride: ShapeParam, finish: _Finish
) -> Iterator[Call]:
    height, width, _, filters = weights.shape
    window, step = (height, width), plane(stride)
    tiled = scratch(*window, *out.shape[2:])
    widened = _Widened(act, filters)
    yield partial(np.copyto, tiled, weights)
    yield from finish.before
    for band in bands(out, act, height, step[0], _rows(out.shape[2] * filters, 0)):
        yield from band.fetch
        source = widened.source(band)
        yield from widened.fetch(band)
        taken = windows_of(source, band.rows.start, band.target, window, step)
        yield partial(np.einsum, "rjhkc,hkjc->rjc", taken, tiled, out=band.target)
        yield from finish.on(band.target)
        yield from band.finish


class _Widened:
    """The input with each channel as often as it has filters."""

    def __init__(self, act: Image, filters: int) -> None:
        _, height, width, depth = act.shape
        self._held = scratch(height, width, depth, filters // depth) if filters > depth else None

    def source(self, band: Band) -> Floats:
        """A whole image [h, w, c * m]."""
        if self._held is None:
            return band.source
        return self._held.reshape(*self._held.shape[:2], -1)

    def fetch(self, band: Band) -> list[Call]:
        """The calls that repeat the band's fresh rows."""
        if self._held is None:
            return []
        return [
            partial(np.copyto, self._held[band.fresh], band.source[band.fresh, :, :, np.newaxis])
        ]

"""Convolutions, data NHWC. Source: QNN op definitions Conv2d, DepthWiseConv2d, TransposeConv2d.

f16 is accumulated in f32; integers narrower than 32 bits give int32, wider ones wrap.
`pad` is ((top, bottom), (left, right)); every other pair is (height, width).
"""

from math import prod

import numpy as np

from .support.arrays import (
    NO_PADS,
    Array,
    Pads,
    Pair,
    accumulator,
    bands,
    counts,
    narrow,
    product_dtype,
    windows,
)


def _wide(x: Array) -> Array:
    return x.astype(accumulator(x.dtype), copy=False)


def _finish(total: Array, bias: Array | None, dtype: np.dtype[np.generic]) -> Array:
    if bias is not None:
        np.add(total, bias.astype(total.dtype, copy=False), out=total)
    return narrow(total, product_dtype(dtype))


def _product(taps: Array, filters: Array) -> Array:
    """taps[n, oh, ow, c, kh, kw] with filters[kh, kw, c, m] as one matrix product."""
    count, m = prod(filters.shape[:3]), filters.shape[3]
    rows = taps.transpose(0, 1, 2, 4, 5, 3).reshape(prod(taps.shape[:3]), count)
    return np.asarray(np.matmul(rows, filters.reshape(count, m))).reshape(*taps.shape[:3], m)


@np.errstate(all="ignore")
def conv2d(
    x: Array,
    weights: Array,
    bias: Array | None,
    stride: Pair,
    pad: Pads = NO_PADS,
    dilation: Pair = (1, 1),
    group: int = 1,
) -> Array:
    """x[n, h, w, group * c] with weights[kh, kw, c, m] and bias[m] -> [n, oh, ow, m].

    Output channels [g * m / group, (g + 1) * m / group) read input channels
    [g * c, (g + 1) * c).
    """
    size, filters = (weights.shape[0], weights.shape[1]), _wide(weights)
    shape = x.shape[0], *counts(x, size, stride, pad, dilation), filters.shape[3]
    total = np.empty(shape, np.result_type(accumulator(x.dtype), filters))
    pieces = np.split(filters, group, axis=3)
    for images, rows, band in bands(x, size, stride, pad, dilation, filters.shape[3]):
        taps = windows(_wide(band), size, stride, dilation)
        parts, results = (np.split(array, group, axis=3) for array in (taps, total[images, rows]))
        for part, piece, result in zip(parts, pieces, results, strict=True):
            result[:] = _product(part, piece)
    return _finish(total, bias, x.dtype)


@np.errstate(all="ignore")
def depthwise_conv2d(
    x: Array,
    weights: Array,
    bias: Array | None,
    stride: Pair,
    pad: Pads = NO_PADS,
    dilation: Pair = (1, 1),
) -> Array:
    """x[n, h, w, c] with weights[kh, kw, 1, c * m] and bias[c * m] -> [n, oh, ow, c * m].

    Output channel i * m + j is input channel i under its j-th filter.
    """
    kh, kw, _, channels = weights.shape
    filters = _wide(weights).reshape(kh, kw, x.shape[3], -1)
    shape = x.shape[0], *counts(x, (kh, kw), stride, pad, dilation), *filters.shape[2:]
    total = np.zeros(shape, np.result_type(accumulator(x.dtype), filters))
    for images, rows, band in bands(x, (kh, kw), stride, pad, dilation):
        taps = windows(_wide(band), (kh, kw), stride, dilation)
        for i, j in np.ndindex(kh, kw):
            total[images, rows] += np.multiply(taps[..., i, j, None], filters[i, j])
    return _finish(total.reshape(*shape[:3], channels), bias, x.dtype)


@np.errstate(all="ignore")
def transpose_conv2d(
    x: Array,
    weights: Array,
    bias: Array | None,
    stride: Pair,
    pad: Pads = NO_PADS,
    output_padding: Pair = (0, 0),
    group: int = 1,
    dilation: Pair = (1, 1),
) -> Array:
    """x[n, h, w, c] with weights[kh, kw, c, m / group] and bias[m] -> [n, oh, ow, m].

    oh = stride * (h - 1) + (kh - 1) * dilation + 1 + output_padding - top - bottom; `pad` is cut
    off the full result, `output_padding` is added to its bottom and right.
    """
    parts = [
        _spread(part, filters, stride, output_padding, dilation)
        for part, filters in zip(
            np.split(_wide(x), group, axis=3), np.split(_wide(weights), group, axis=2), strict=True
        )
    ]
    full = np.concatenate(parts, axis=3)
    (top, bottom), (left, right) = pad
    inner = full[:, top : full.shape[1] - bottom, left : full.shape[2] - right]
    return _finish(inner, bias, x.dtype)


def _spread(x: Array, weights: Array, stride: Pair, extra: Pair, dilation: Pair) -> Array:
    """Each pixel of x adds the filter, scaled by it, at its place in the full result."""
    n, h, w, _ = x.shape
    kh, kw, _, m = weights.shape
    span_h, span_w = stride[0] * (h - 1) + 1, stride[1] * (w - 1) + 1
    height = span_h + (kh - 1) * dilation[0] + extra[0]
    width = span_w + (kw - 1) * dilation[1] + extra[1]
    full = np.zeros((n, height, width, m), x.dtype)
    for i, j in np.ndindex(kh, kw):
        top, left = i * dilation[0], j * dilation[1]
        rows, columns = slice(top, top + span_h, stride[0]), slice(left, left + span_w, stride[1])
        full[:, rows, columns] += np.matmul(x, weights[i, j])
    return full

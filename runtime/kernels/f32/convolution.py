"""Convolutions without padding for f32, in croutons or flat, weights in either memory.

Windows are copied to a matrix that fits the cache, a few rows of the result at a time, and each
such block is one matrix product; bias and bounds follow while it is in cache. A point-wise
convolution needs no copy. A depthwise one sums products over the taps in one pass.

In a transposed convolution whose windows do not overlap, each pixel times the weights is a block of
the result, so a few rows of the input at a time are a matrix product for each tap, or one for all,
and what they give is laid out anew on the way to its place.

The windows of a strided convolution may be laid along the depth, with the weights that go with
them: for flat tensors of every element type, whose elements move as they are stored.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ...functions import conv
from ...functions.support.arrays import Array, Pair
from ...kernel.declare import KernelSet, Takes
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.memory import fitting
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.bands import CACHE, Band, band_rows, bands, filler, windows_of
from ..support.calls import always, bound_once, in_order, plane, repeated, scratch, spans
from ..support.classes import F32, RealKernels, Stored, Weights

KERNELS = RealKernels()

_POINT = (1, 1)
_MOST = 8 * CACHE
"""Elements of a window matrix that is large because the weights are, which each block reads."""
_FEW = 16
"""Filters below which a product for each tap of a transposed convolution takes longer than one."""


class _Finish:
    """The work after the sums of products: a bias, and bounds where the op has them."""

    def __init__(self, out: Tensor, bias: Tensor, *bounds: Tensor) -> None:
        row, self.before = repeated(bias.array[0, 0], *out.shape[2:])
        self._row = row.reshape(-1)
        self._bounds = [bound.array.reshape(()) for bound in bounds]
        self._is_open = bool(bounds) and always(bounds[1], np.inf)

    def on(self, target: Array) -> list[Call]:
        """List the calls on some rows of the result; one that is known to bound nothing is left."""
        rows = target.reshape(len(target), self._row.size)
        calls: list[Call] = [partial(np.add, rows, self._row, rows)]
        if self._is_open:
            calls.append(partial(_raise_to, rows, self._bounds[0]))
        elif self._bounds:
            calls.append(partial(np.clip, rows, *self._bounds, rows))
        return calls


def _raise_to(rows: Array, low: Array) -> None:
    np.maximum(rows, low, out=rows)


def _dense(
    out: Tensor, act: Tensor, weights: Tensor, step: Pair, spacing: Pair, finish: _Finish
) -> Iterator[Call]:
    height, width, depth, filters = weights.shape
    window, across = (height, width), out.shape[2]
    matrix = weights.array.reshape(-1, filters)
    row, room = across * len(matrix), min(max(matrix.size, CACHE), _MOST)
    band_size = band_rows(out, row, room)
    size, copies = min(band_size, max(1, room // max(1, row))), window != _POINT or step != _POINT
    if copies and size * row > CACHE:
        size = fitting(size, 4 * row)
    columns = scratch(size if copies else 0, across, *window, depth)

    @cache
    def part(count: int) -> tuple[Array, Array]:
        return columns[:count], columns[:count].reshape(-1, len(matrix))

    yield finish.before
    for band in bands(out, act, (height - 1) * spacing[0] + 1, step[0], band_size):
        yield from band.fetch
        for rows in spans(len(band.target), size):
            target, first = band.target[rows], band.rows.start + rows.start
            taken = windows_of(band.source, first, target, window, step, spacing)
            if copies:
                windows, flat = part(len(taken))
                yield partial(np.copyto, windows, taken)
            else:
                flat = taken.reshape(-1, len(matrix))
            yield partial(np.matmul, flat, matrix, target.reshape(-1, filters))
        yield from finish.on(band.target)
        yield from band.finish


def _depthwise(
    out: Tensor, act: Tensor, weights: Tensor, step: Pair, spacing: Pair, finish: _Finish
) -> Iterator[Call]:
    height, width, _, filters = weights.shape
    window, row = (height, width), out.shape[2] * filters
    reach = (height - 1) * spacing[0] + 1
    tiled, before = repeated(weights.array, *window, *out.shape[2:])
    widened = _Widened(act, filters)
    yield before
    yield finish.before
    for band in bands(out, act, reach, step[0], band_rows(out, row)):
        yield from band.fetch
        yield from widened.fetch(band)
        source = widened.source(band)
        taken = windows_of(source, band.rows.start, band.target, window, step, spacing)
        yield _products(taken, tiled, band.target)
        yield from finish.on(band.target)
        yield from band.finish


def _products(taken: Array, weights: Array, out: Array) -> Call:
    """out [r, j, c] = the sum over taps (h, k) of taken [r, j, h, k, c] * weights [h, k, j, c].

    Neighbours in memory make one long axis, along which einsum runs.
    """
    rows, across, height, width, depth = taken.shape
    if across > 1 and taken.strides[1] != depth * taken.strides[4]:
        return partial(np.einsum, "rjhkc,hkjc->rjc", taken, weights, out=out)
    steps = (taken.strides[0], *taken.strides[2:])
    long = as_strided(taken, (rows, height, width, across * depth), steps, writeable=False)
    tall, flat = weights.reshape(height, width, -1), out.reshape(rows, -1)
    return partial(np.einsum, "rhki,hki->ri", long, tall, out=flat)


class _Widened:
    """The input with each channel as often as it has filters."""

    def __init__(self, act: Tensor, filters: int) -> None:
        _, height, width, depth = act.shape
        self._held = scratch(height, width, depth, filters // depth) if filters > depth else None

    def source(self, band: Band) -> Array:
        """View a whole image [h, w, c * m]."""
        if self._held is None:
            return band.source
        return self._held.reshape(*self._held.shape[:2], -1)

    def fetch(self, band: Band) -> list[Call]:
        """List the calls that repeat the band's fresh rows."""
        if self._held is None:
            return []
        return [
            partial(np.copyto, self._held[band.fresh], band.source[band.fresh, :, :, np.newaxis])
        ]


def _layer(
    convolve: Callable[..., Iterator[Call]],
    out: Tensor,
    act: Tensor,
    weights: Tensor,
    stride: ShapeParam,
    *bias_and_bounds: Tensor,
) -> BoundCall:
    finish = _Finish(out, *bias_and_bounds)
    return in_order(convolve(out, act, weights, plane(stride), _POINT, finish))


def _spaced(
    convolve: Callable[..., Iterator[Call]],
    plainly: Callable[..., Array],
    out: Tensor,
    act: Tensor,
    weights: Tensor,
    bias: Tensor,
    *params: Tensor,
) -> BoundCall:
    """A convolution as a graph has it: those with padding or groups are computed plainly."""

    def bind() -> BoundCall:
        (step, edges, spacing), group = map(_ints, params[:3]), [*map(_ints, params[3:])]
        if any(edges) or any(count != (1,) for count in group):
            pads = (edges[:2], edges[2:])
            return lambda: out.store(
                plainly(
                    *(act.load(), weights.load(), bias.load().reshape(-1), step, pads, spacing),
                    *(count for (count,) in group),
                )
            )
        return in_order(convolve(out, act, weights, step, spacing, _Finish(out, bias)))

    return bound_once(params, bind)


def _ints(param: Tensor) -> tuple[int, ...]:
    return tuple(int(value) for value in param.load().reshape(-1))


_INPUTS: dict[str, Takes] = {
    "act": F32,
    "weights": Weights,
    "stride": ShapeParam,
    "bias": PlainFloatTensor,
}
_BOUNDED: dict[str, Takes] = {**_INPUTS, "low": PlainFloatTensor, "high": PlainFloatTensor}

for _op, _name, _convolve in (
    ("ConvLayer_valid", "layer", _dense),
    ("DepthwiseConvLayer_valid", "depthwise", _depthwise),
):
    for _suffix, _label, _inputs in (("", _name, _INPUTS), (".clamp", f"{_name}_clamp", _BOUNDED)):
        KERNELS.add(
            f"{_op}{_suffix}",
            partial(_layer, _convolve),
            {"out": F32},
            _inputs,
            name=_label,
            cost=Cost.FAST,
        )

_SPACED = dict.fromkeys(("stride", "pad_amount", "dilation"), Int32Tensor)
for _op, _convolve, _plainly, _params in (
    ("Conv2d", _dense, conv.conv2d, {**_SPACED, "group": Int32Tensor}),
    ("DepthWiseConv2d", _depthwise, conv.depthwise_conv2d, _SPACED),
):
    KERNELS.add(
        _op,
        partial(_spaced, _convolve, _plainly),
        {"out": F32},
        {"act": F32, "weights": Weights, "bias": PlainFloatTensor, **_params},
        name="spaced",
        cost=Cost.FAST,
    )


def _matrices(weights: Tensor) -> tuple[Array, list[Call]]:
    """View the matrix of each tap; of few filters all taps make one, which is put together."""
    tall, wide, depth, filters = weights.shape
    if filters >= _FEW:
        return weights.array.reshape(-1, depth, filters), []
    matrix = scratch(depth, tall, wide, filters)
    copy = partial(np.copyto, matrix, weights.array.transpose(2, 0, 1, 3))
    return matrix.reshape(1, depth, -1), [copy]


@KERNELS.kernel("TransposeConvLayer_valid", cost=Cost.FAST)
def layer(
    out: F32, act: F32, weights: Weights, stride: ShapeParam, bias: PlainFloatTensor
) -> BoundCall:
    tall, wide, depth, filters = weights.shape
    batches, height, width, _ = act.shape
    pixels: Array = act.array if act.flat else scratch(*act.shape)
    result: Array = out.array if out.flat else scratch(*out.shape)
    row, before = repeated(bias.array[0, 0], wide, filters)
    calls: list[Call]
    matrices, calls = _matrices(weights)
    calls.append(before)
    if not act.flat:
        calls.append(act.unpacker(pixels))
    lines = pixels.reshape(batches * height, width, depth)
    blocks = result.reshape(batches * height, tall, width, wide, filters)
    size = min(len(lines), max(1, CACHE // max(1, width * tall * wide * filters)))
    products = scratch(size, width, tall, wide, filters)
    for part in spans(len(lines), size):
        source, target = lines[part], products[: len(lines[part])]
        taps = target.reshape(-1, len(matrices), matrices.shape[2]).transpose(1, 0, 2)
        calls += [
            partial(np.matmul, source.reshape(-1, depth), matrices, taps),
            partial(np.add, target.transpose(0, 2, 1, 3, 4), row, blocks[part]),
        ]
    return in_order(calls if out.flat else [*calls, out.packer(result)])


STORED = KernelSet()

_STRIDE = (2, 2)


@STORED.kernel("ConvLayer.opt.im2col_stride2", cost=Cost.FAST, name="stored")
def im2col(out: Stored, act: Stored, weights_shape: ShapeParam) -> BoundCall:
    """Taps in the order height, width, channel; the depth past them holds the real number 0."""
    height, width, depth, _ = weights_shape.dims
    taps = height * width * depth
    calls = []
    for image, target in zip(act.array, out.array, strict=True):
        windows = windows_of(image, 0, target, (height, width), _STRIDE)
        # The target's depth as [height, width, channels], like that of the windows.
        channels, step = windows.shape[-1], target.itemsize
        strides = (*target.strides[:2], width * channels * step, channels * step, step)
        calls.append(partial(np.copyto, as_strided(target, windows.shape, strides), windows))
    return in_order([*calls, partial(np.copyto, out.array[..., taps:], _zero(out))])


@STORED.kernel("ConvLayer.opt.weights_for_im2col", cost=Cost.FAST, name="stored")
def weights_for_im2col(out: Stored, weights: Stored) -> BoundCall:
    """Weights as a matrix [taps, filters], rows of the real number 0 added."""
    matrix = weights.array.reshape(-1, weights.shape[3])
    result = out.array[0, 0]
    return in_order(
        [
            partial(np.copyto, result[: len(matrix)], matrix),
            partial(np.copyto, result[len(matrix) :], _zero(out).reshape(1, -1)),
        ]
    )


def _zero(out: Tensor) -> Array:
    return filler(0.0, out.spec)

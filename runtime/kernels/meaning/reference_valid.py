"""Reference kernels of convolutions and pools without padding, whose stride is a shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...functions.arrays import Array, Pair
from ...functions.conv import conv2d, depthwise_conv2d, transpose_conv2d
from ...functions.elementwise import clamp
from ...functions.pool import avg_pool2d, max_pool2d
from ...functions.windows import windows
from ...kernel.registry import KernelSet
from ...tensors.tensors import ShapeParam, Tensor
from ..support.exact import summed

KERNELS = KernelSet()

_NO_PADS = ((0, 0), (0, 0))
_ONE = (1, 1)


def plane(shape: ShapeParam) -> Pair:
    """Height and width of a shape 1xHxWx1."""
    _, height, width, _ = shape.dims
    return height, width


def scalar(tensor: Tensor) -> float:
    """The one number of a param."""
    return float(tensor.load().reshape(-1)[0])


_Convolution = Callable[[Array, Array, Array | None], Array]


def _convolved(act: Tensor, weights: Tensor, stride: ShapeParam, bias: Tensor | None) -> Array:
    def dense(x: Array, w: Array, b: Array | None) -> Array:
        return conv2d(x, w, b, plane(stride), _NO_PADS, _ONE, 1)

    return _biased(dense, act, weights, bias)


def _convolved_depthwise(act: Tensor, weights: Tensor, stride: ShapeParam, bias: Tensor) -> Array:
    def by_channel(x: Array, w: Array, b: Array | None) -> Array:
        return depthwise_conv2d(x, w, b, plane(stride), _NO_PADS, _ONE)

    return _biased(by_channel, act, weights, bias)


def _biased(convolution: _Convolution, act: Tensor, weights: Tensor, bias: Tensor | None) -> Array:
    """A convolution with a bias; of quantised tensors on whole numbers."""
    offset = None if bias is None else bias.load()
    found = summed(
        lambda factors: convolution(factors[0], factors[1], None),
        [act, weights],
        -1,
        weights.shape[3],
    )
    if found is None:
        return convolution(act.load(), weights.load(), offset)
    return found if offset is None else np.add(found, offset)


@KERNELS.kernel("Conv2d_valid")
def conv_valid(out: Tensor, act: Tensor, weights: Tensor, stride: ShapeParam) -> None:
    out.store(_convolved(act, weights, stride, None))


@KERNELS.kernel("ConvLayer_valid")
def conv_layer(out: Tensor, act: Tensor, weights: Tensor, stride: ShapeParam, bias: Tensor) -> None:
    out.store(_convolved(act, weights, stride, bias))


@KERNELS.kernel("ConvLayer_valid.clamp")
def conv_layer_clamp(
    out: Tensor,
    act: Tensor,
    weights: Tensor,
    stride: ShapeParam,
    bias: Tensor,
    low: Tensor,
    high: Tensor,
) -> None:
    out.store(clamp(_convolved(act, weights, stride, bias), scalar(low), scalar(high)))


@KERNELS.kernel("TransposeConvLayer_valid")
def transposed(out: Tensor, act: Tensor, weights: Tensor, stride: ShapeParam, bias: Tensor) -> None:
    """Each pixel of the input becomes a block of the result."""

    def spread(x: Array, w: Array, b: Array | None) -> Array:
        return transpose_conv2d(x, w, b, plane(stride), _NO_PADS, (0, 0), 1)

    out.store(_biased(spread, act, weights, bias))


@KERNELS.kernel("DepthwiseConvLayer_valid")
def depthwise(out: Tensor, act: Tensor, weights: Tensor, stride: ShapeParam, bias: Tensor) -> None:
    out.store(_convolved_depthwise(act, weights, stride, bias))


@KERNELS.kernel("DepthwiseConvLayer_valid.clamp")
def depthwise_clamp(
    out: Tensor,
    act: Tensor,
    weights: Tensor,
    stride: ShapeParam,
    bias: Tensor,
    low: Tensor,
    high: Tensor,
) -> None:
    out.store(clamp(_convolved_depthwise(act, weights, stride, bias), scalar(low), scalar(high)))


@KERNELS.kernel("MaxPool_valid")
def max_pool(out: Tensor, act: Tensor, window: ShapeParam, stride: ShapeParam) -> None:
    out.store(max_pool2d(act.load(), plane(window), plane(stride), _NO_PADS, ceil=False))


@KERNELS.kernel("AvgPool_valid")
def avg_pool(out: Tensor, act: Tensor, window: ShapeParam, stride: ShapeParam) -> None:
    size, step = plane(window), plane(stride)

    def mean(held: Sequence[Array]) -> Array:
        return avg_pool2d(held[0], size, step, _NO_PADS, ceil=False, count_pad=False)

    found = summed(mean, [act], None, out.shape[3])
    out.store(mean([act.load()]) if found is None else found)


@KERNELS.kernel("ConvLayer.opt.im2col_stride2")
def im2col(out: Tensor, act: Tensor, weights_shape: ShapeParam) -> None:
    """Taps in the order height, width, channel; the depth past them holds the real number 0."""
    height, width, _, _ = weights_shape.dims
    taps = windows(act.load(), (height, width), (2, 2)).transpose(0, 1, 2, 4, 5, 3)
    out.store(_deepened(taps.reshape(*taps.shape[:3], -1), 3, out.shape[3]))


@KERNELS.kernel("ConvLayer.opt.weights_for_im2col")
def weights_for_im2col(out: Tensor, weights: Tensor) -> None:
    """Weights as a matrix [taps, filters], rows of the real number 0 added."""
    values = weights.load()
    out.store(_deepened(values.reshape(1, 1, -1, values.shape[3]), 2, out.shape[2]))


def _deepened(values: Array, axis: int, depth: int) -> Array:
    """Zeros added at the end of an axis, up to `depth`."""
    amounts = [(0, 0)] * values.ndim
    amounts[axis] = (0, depth - values.shape[axis])
    return np.pad(values, amounts)

"""Windows of a strided convolution laid along the depth, and the weights that go with them.

For flat tensors of every element type: elements move as they are stored.
"""

from functools import partial

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ...functions.support.arrays import Array
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensors import ShapeParam, Tensor
from ..support.bands import filler, windows_of
from ..support.calls import in_order
from ..support.classes import Stored

KERNELS = KernelSet()

_STRIDE = (2, 2)


@KERNELS.kernel("ConvLayer.opt.im2col_stride2", cost=Cost.FAST, name="stored")
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


@KERNELS.kernel("ConvLayer.opt.weights_for_im2col", cost=Cost.FAST, name="stored")
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

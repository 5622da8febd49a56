"""Integer-exact sums of quantised elements and of their products.

The elements are taken without their zero points, as integers, and the sum is multiplied by
the scales once. Below 2^24 a sum is then exact, so it does not depend on the order of summation,
and every kernel rounds means half-way between two steps alike.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ....dialects.value import DType
from ...functions.quantize import dequantize
from ...functions.support.arrays import Array
from ...tensors.tensors import Tensor

Sum = Callable[[Sequence[Array]], Array]


def gain(factors: Sequence[Tensor], channel: int | None, depth: int) -> NDArray[np.float32] | None:
    """Compute the scale of sums of products of the factors' integers, a scalar or a row.

    The last factor may have an encoding along its axis `channel`, counted from the end, if that
    is the result's depth. None where elements are not integers with a zero point.
    """
    product = np.ones((), np.float32)
    for index, tensor in enumerate(factors):
        quant = tensor.spec.quant
        if quant is None or tensor.spec.dtype is DType.QInt32:
            return None
        if quant.axis is not None:
            last = 0 < index == len(factors) - 1
            if not last or quant.axis - tensor.spec.rank != channel or len(quant.scales) != depth:
                return None
            product = product * np.array(quant.scales, np.float32)
        else:
            product = product * np.float32(quant.scale)
    return np.asarray(product, np.float32)


def whole(tensor: Tensor) -> Array:
    """Read the elements of a quantised tensor without their zero points."""
    quant = tensor.spec.quant
    if quant is None:
        return tensor.load()
    ones = [1.0] * len(quant.zero_points) if quant.axis is not None else 1.0
    zeros = quant.zero_points if quant.axis is not None else quant.zero_point
    return dequantize(tensor.stored(), ones, zeros, quant.axis)


def summed(
    function: Sum, factors: Sequence[Tensor], channel: int | None, depth: int
) -> Array | None:
    """Apply a function that is linear in every factor; None where `gain` is."""
    scale = gain(factors, channel, depth)
    if scale is None:
        return None
    return np.multiply(function([whole(factor) for factor in factors]), scale)

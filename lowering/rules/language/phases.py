"""The filters of a transposed convolution, as those of a plain one (sub-pixel convolution).

Row o of the result is the sum of row q - t of the input times tap o - stride * (q - t) of the
filter. So all rows o = stride * q + r of one phase r are a convolution of their own, with every
stride-th tap in reverse, and those of all phases are one, with a filter for each. Cost: one pass
over the filter. Example: taps a b c d, stride 2: rows 2q are c x[q-1] + a x[q], rows 2q+1 are
d x[q-1] + b x[q].

Source: W. Shi et al., Is the deconvolution layer the same as a convolutional layer?, 2016.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ....dialects.dense import Array
from ....dialects.value.spec import TensorSpec


def phases(
    array: Array, spec: TensorSpec, stride: Sequence[int], groups: int
) -> tuple[Array, TensorSpec]:
    """Turn filters [kh, kw, c, m / groups] into [th, tw, c / groups, m * stride * stride].

    An output has its phases behind each other.
    """
    each, width = array.shape[2] // groups, array.shape[3]
    taps = [-(-size // step) for size, step in zip(array.shape, stride, strict=False)]
    spread = (taps[0] * stride[0], taps[1] * stride[1], each, groups, width)
    # What is stored for the real number 0.
    dense = np.full(spread, spec.quant.zero_points if spec.quant else 0, array.dtype)
    inner = array.reshape(*array.shape[:2], groups, each, width).swapaxes(2, 3)
    dense[: array.shape[0], : array.shape[1]] = inner
    split = dense.reshape(taps[0], stride[0], taps[1], stride[1], each, groups * width)
    filters = split[::-1, :, ::-1].transpose(0, 2, 4, 5, 1, 3).reshape(*taps, each, -1)
    return filters, repeated(spec, filters.shape, groups)


def repeated(spec: TensorSpec, shape: tuple[int, ...], groups: int = 1) -> TensorSpec:
    """Give each scale along the last dim to as many elements in turn as that dim grows by."""
    quant = spec.quant
    if quant is not None and quant.axis is not None:
        times = shape[-1] // (spec.shape[-1] * groups)
        scales, zeros = (
            np.repeat(np.tile(each, groups), times).tolist()
            for each in (quant.scales, quant.zero_points)
        )
        quant = replace(quant, scales=tuple(scales), zero_points=tuple(zeros))
    return replace(spec, shape=shape, quant=quant)

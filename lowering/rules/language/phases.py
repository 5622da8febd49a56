"""The filters of a transposed convolution as those of a plain one (sub-pixel convolution).

Row stride * q + r of the result is the sum over t of row q - t of the input times tap stride * t
+ r. So the rows of one phase r are a convolution of their own, and those of all phases are one
with a filter for each. Cost: one pass over the filter. Example: of taps a b c and stride 2, rows
2q are c x[q-1] + a x[q], and rows 2q+1 are b x[q].

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
    """Turn filters [kh, kw, c, m / groups] into [th, tw, c / groups, m * stride * stride]."""
    (kh, kw, depth, width), (down, across) = array.shape, stride
    th, tw, each = -(-kh // down), -(-kw // across), depth // groups
    # What is stored for the real number 0.
    zeros = spec.quant.zero_points if spec.quant else 0
    dense = np.full((th * down, tw * across, each, groups, width), zeros, array.dtype)
    dense[:kh, :kw] = array.reshape(kh, kw, groups, each, width).swapaxes(2, 3)
    split = dense.reshape(th, down, tw, across, each, groups * width)[::-1, :, ::-1]
    filters = split.transpose(0, 2, 4, 5, 1, 3).reshape(th, tw, each, -1)
    return filters, repeated(spec, filters.shape, groups)


def repeated(spec: TensorSpec, shape: tuple[int, ...], groups: int = 1) -> TensorSpec:
    """Give each scale along the last dim to as many elements in turn as that dim grows by."""
    quant = spec.quant
    if quant is not None and quant.axis is not None:
        times = shape[-1] // (spec.shape[-1] * groups)
        both = (np.tile(each, groups) for each in (quant.scales, quant.zero_points))
        scales, zeros = (tuple(np.repeat(each, times).tolist()) for each in both)
        quant = replace(quant, scales=scales, zero_points=zeros)
    return replace(spec, shape=shape, quant=quant)

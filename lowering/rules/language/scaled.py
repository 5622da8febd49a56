"""Stored numbers times factors: the product is an encoding again, of other scales.

Channel by channel, (stored - zero) * scale * factor is (stored - zero) * (scale * |factor|), where
a negative factor mirrors the stored numbers at the zero point, and 0 makes all of them that. Cost:
one pass over the constant. Example: scale 0.5, zero point 1 and stored 3 are 1.0; times -2 they are
scale 1.0 and stored -1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....dialects.dense import Array
from ....dialects.value.dtypes import integer_bounds
from ....dialects.value.spec import TensorSpec


def scaled(array: Array, spec: TensorSpec, factors: Array) -> tuple[Array, TensorSpec] | None:
    """Multiply quantised numbers [..., m] by m factors, or by one: they and their spec.

    None where their scales are along another dim, or a product is none of the storage type's.
    """
    quant, last = spec.quant, len(spec.shape) - 1
    if quant is None or quant.axis not in (None, last) or factors.size not in (1, spec.shape[-1]):
        return None
    by, scales, zeros = (
        np.broadcast_to(np.reshape(each, -1), spec.shape[-1:])
        for each in (factors.astype(np.float64), quant.scales, quant.zero_points)
    )
    stored = zeros + np.sign(by) * (array.astype(np.int64) - zeros)
    sizes = scales * np.where(by == 0, 1, np.abs(by))
    low, high = integer_bounds(spec.dtype.storage)
    low, high = (
        (low if quant.low is None else quant.low),
        (high if quant.high is None else quant.high),
    )
    in_f32 = sizes.astype(np.float32)
    if not (np.isfinite(in_f32) & (in_f32 > 0)).all() or stored.min() < low or stored.max() > high:
        return None
    encoding = replace(
        quant,
        scales=tuple(map(float, sizes)),
        zero_points=tuple(map(int, zeros)),
        axis=last,
    )
    return stored.astype(spec.dtype.storage), replace(spec, quant=encoding)

"""Rotary embedding. Source: ONNX operator spec, RotaryEmbedding."""

from __future__ import annotations

import numpy as np

from ..support.arrays import Array, narrow, widen


def rotary_embedding(x: Array, cos: Array, sin: Array, interleaved: bool) -> Array:
    """x * cos + turned * sin over the last dim, by halves or, interleaved, by neighbours."""
    wide = widen(x)
    *front, depth = x.shape
    # The dim of two, and the numbers in the order in which they are stored.
    dim, apart = (-1, (depth // 2, 2)) if interleaved else (-2, (2, depth // 2))
    first, second = np.moveaxis(wide.reshape(*front, *apart), dim, 0)
    turned = np.stack([-second, first], dim).reshape(x.shape)
    return narrow(wide * widen(cos) + turned * widen(sin), x.dtype)

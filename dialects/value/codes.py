"""Codes of weights: how many of them a byte holds, and how they lie in it, the lowest bits first.

Worked example: two codes in a byte, the numbers 1 and 2, are 0x21.
"""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

CODES_IN_A_BYTE = {256: 1, 16: 2, 4: 4}
"""The codes in a byte, by the entries of the table that they point into."""


def packed(codes: Bytes, count: int) -> Bytes:
    """Codes [..., m] as bytes [..., m / count]."""
    parts = codes.reshape(*codes.shape[:-1], -1, count) << _shifts(count)
    joined: Bytes = np.bitwise_or.reduce(parts, axis=-1)
    return joined


def unpacked(stored: Bytes, count: int) -> Bytes:
    """Bytes [..., m] as codes [..., m * count]."""
    parts = (stored[..., None] >> _shifts(count)) & np.uint8((1 << 8 // count) - 1)
    return parts.reshape(*stored.shape[:-1], stored.shape[-1] * count)


def _shifts(count: int) -> Bytes:
    return np.arange(0, 8, 8 // count, dtype=np.uint8)

"""The block op MaskedSoftmax: softmax over the unmasked part of the last axis."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..norm import softmax
from ..support.arrays import Array, narrow, widen


class MaskMode(IntEnum):
    """The form of the mask: added to the data, or lengths of packed sequences."""

    UNCOMPRESSED = 0
    COMPRESSED = 1


def masked_softmax(data: Array, mask: NDArray[np.integer], mode: MaskMode) -> Array:
    """data[b, h, w, c] with mask[b, m] -> [b, h, w, c].

    UNCOMPRESSED: m = c, the mask is added to the data. COMPRESSED: w = c, mask[b] holds the lengths
    of m sequences packed back to back, softmax acts within each, and everything past their sum is
    0; a wrong length raises ValueError. f16 is computed in f32.
    """
    if mode is MaskMode.UNCOMPRESSED:
        return narrow(softmax(widen(data) + mask.astype(np.float32)[:, None, None, :]), data.dtype)
    ids = sequence_ids(mask, data.shape[3])
    same = (ids[:, :, None] == ids[:, None, :]) & (ids < mask.shape[1])[:, :, None]
    blocks = np.broadcast_to(same[:, None], data.shape)
    inside = softmax(np.where(blocks, widen(data), -np.inf))
    return narrow(np.where(blocks, inside, 0), data.dtype)


def sequence_ids(lengths: NDArray[np.integer], c: int) -> NDArray[np.int32]:
    """lengths[b, m] -> ids[b, c]: the sequence that each of c positions belongs to, m past all.

    Empty sequences own no position. A negative length or a sum above c raises ValueError.
    """
    wide = lengths.astype(np.int64)
    if np.any(wide < 0):
        raise ValueError(f"sequence length {int(wide.min())} is negative")
    total = int(wide.sum(axis=1).max(initial=0))
    if total > c:
        raise ValueError(f"the sequence lengths add up to {total}, more than the {c} positions")
    ends = np.cumsum(wide, axis=1)
    past = np.arange(c)[None, :, None] >= ends[:, None, :]
    return np.asarray(np.sum(past, axis=2), np.int32)

"""Attention. f16 is computed in f32 and rounded once. Source: ONNX operator Attention."""

import numpy as np
from numpy.typing import NDArray

from ....dialects.value.limits import ANY_KEY
from ..movement import gather
from ..support.arrays import Array, Bools, Floats, narrow, widen


@np.errstate(all="ignore")
def attention(
    q: Array,
    k: Array,
    v: Array,
    mask: Array | None,
    scale: float = 1.0,
    softcap: float = 0.0,
    first: int = -ANY_KEY,
    last: int = ANY_KEY,
) -> Array:
    """q[b, h, m, e], k[b, g, n, e], v[b, g, n, d] and mask, broadcast to [b, h, m, n].

    Query i attends to the keys i + first to i + last whose mask is not -infinity; without any its
    row of the result [b, h, m, d] is 0.
    """
    shared = q.shape[1] // max(1, k.shape[1])
    keys, values = (np.repeat(widen(x), shared, axis=1) for x in (k, v))
    scores: Floats = np.matmul(widen(q), keys.swapaxes(2, 3)) * np.float32(scale)
    if softcap:
        scores = np.tanh(scores / np.float32(softcap)) * np.float32(softcap)
    taken = within(q.shape[2], k.shape[2], first, last)
    if mask is not None:
        scores = scores + widen(mask)
        taken = taken & ~np.isneginf(widen(mask))
    scores = np.where(taken, scores, -np.inf)
    peak = np.max(scores, axis=-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(np.isneginf(peak), 0, peak))
    total = np.sum(weights, axis=-1, keepdims=True)
    return narrow(np.matmul(weights, values) / np.where(total == 0, 1, total), q.dtype)


def paged_attention(
    q: Array,
    keys: Array,
    values: Array,
    table: NDArray[np.integer],
    mask: Array | None,
    scale: float = 1.0,
    softcap: float = 0.0,
    first: int = -ANY_KEY,
    last: int = ANY_KEY,
) -> Array:
    """`attention` to keys[p, s, g, e] and values[p, s, g, d], which are in pages table[b, t]."""
    count = table.shape[1] * keys.shape[1]
    k, v = (
        gather(pages, table, 0).reshape(len(table), count, *pages.shape[2:]).swapaxes(1, 2)
        for pages in (keys, values)
    )
    return attention(q, k, v, mask, scale, softcap, first, last)


def within(rows: int, keys: int, first: int, last: int) -> Bools:
    """Return [rows, keys]: true where key j is from i + first to i + last."""
    distance = np.arange(keys) - np.arange(rows)[:, np.newaxis]
    return np.asarray((first <= distance) & (distance <= last))


def rotary_embedding(x: Array, cos: Array, sin: Array, interleaved: bool) -> Array:
    """x * cos + turned * sin over the last dim, by halves or, interleaved, by neighbours."""
    wide = widen(x)
    *front, depth = x.shape
    # The dim of two, and the numbers in the order in which they are stored.
    dim, apart = (-1, (depth // 2, 2)) if interleaved else (-2, (2, depth // 2))
    first, second = np.moveaxis(wide.reshape(*front, *apart), dim, 0)
    turned = np.stack([-second, first], dim).reshape(x.shape)
    return narrow(wide * widen(cos) + turned * widen(sin), x.dtype)

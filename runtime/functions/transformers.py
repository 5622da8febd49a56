"""Functions of transformers: attention, MaskedSoftmax, rotated pairs, routed experts."""

from collections.abc import Callable
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ...dialects.value.limits import ANY_KEY
from .elementwise import BINARY, UNARY, swish
from .linear import matmul
from .movement import gather
from .norm import softmax
from .reduce import REDUCE, top_k
from .support.arrays import Array, Bools, Floats, narrow, widen


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


class ExpertActivation(IntEnum):
    """The function between the products of an expert."""

    RELU = 0
    GELU = 1
    GELU_TANH = 2
    SWISH = 3


class Routing(IntEnum):
    """The weights of the experts: of all, in their shares of the chosen, or of the chosen."""

    ALL = 0
    SHARED = 1
    CHOSEN = 2


_UNARY: dict[ExpertActivation, Callable[[Array], Array]] = {
    ExpertActivation.RELU: UNARY["Relu"],
    ExpertActivation.GELU: UNARY["Gelu"],
    ExpertActivation.GELU_TANH: UNARY["GeluTanh"],
    ExpertActivation.SWISH: lambda x: swish(x, 1.0),
}

_times = BINARY["Mul"]


def routed_experts(
    x: Array,
    scores: Array,
    up: Array,
    down: Array,
    gate: Array | None,
    k: int,
    activation: ExpertActivation,
    routing: Routing,
) -> Array:
    """x[t, d], scores[t, e], up and gate[e, d, f], down[e, f, g] -> [t, g].

    Each row's sum over its k experts: weight * (activation(x * gate) o (x * up)) * down.
    """
    weights, experts = route(widen(scores), k, routing)
    rows = widen(x)[:, np.newaxis, np.newaxis]
    first, *linear = (
        matmul(rows, widen(gather(stack, experts, 0))) for stack in (gate, up) if stack is not None
    )
    inner = _UNARY[activation](first)
    for factor in linear:
        inner = _times(inner, factor)
    results = matmul(inner, widen(gather(down, experts, 0)))
    weighted = _times(results, weights[:, :, np.newaxis, np.newaxis])
    return narrow(REDUCE["Sum"](weighted, (1, 2), False), x.dtype)


def route(scores: Array, k: int, routing: Routing) -> tuple[Array, NDArray[np.integer]]:
    """scores[t, e] -> the weights and the numbers of each row's k best experts, [t, k] both."""
    if routing is Routing.CHOSEN:
        best, experts = top_k(scores, k)
        return softmax(best), experts.astype(np.intp)
    weights, experts = top_k(softmax(scores), k)
    if routing is Routing.SHARED:
        total = REDUCE["Sum"](weights, (1,), True)
        weights = BINARY["Div"](weights, total)
    return weights, experts.astype(np.intp)

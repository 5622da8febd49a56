"""FlashAttention of flat f32 tensors: scores exist a tile at a time, so memory is constant.

A block of queries goes over tiles of keys. Each row keeps the largest score so far, the sum of the
exponentials of the scores less it, and the values weighted by these; where a tile has a larger
score, sum and values so far are scaled down. Tiles out of the queries' reach are left out. Where a
head has few queries, a block is several heads. Keys, values and the mask are read where they are.

Cost: one product of queries with keys and one of weights with values, as in the plain form.

Example: scores 1, 3 in the first tile and 5 in the second. After the first: peak 3, sum
exp(-2) + 1. The second scales by exp(3 - 5): peak 5, sum (exp(-2) + 1) * exp(-2) + 1, which is
exp(1 - 5) + exp(3 - 5) + 1.

Source: Dao et al., FlashAttention, 2022.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor, PlainFloatTensor_TCM
from ..support.calls import Floats, in_order, number, scratch, spans
from ..support.classes import Flat, Weights
from ..support.families import RealKernels
from ..support.hoisting import always, bound_once, number_in
from ..support.reach import Reach

KERNELS = RealKernels()

T = TypeVar("T", bound=np.generic)

_SCORES = 32768
"""Scores of a tile."""
_KEYS = 256
"""Keys of a tile for many queries."""
_LEAST = np.finfo(np.float32).min
"""The peak of no scores: finite, so that what is less it is -infinity or 0, and never NaN."""
_NONE, _ZERO, _ONE = map(number, (-np.inf, 0, 1))

Tensors: TypeAlias = tuple[Floats, Floats, Floats, Floats, Floats | None]
"""The result, q, k, v and the mask, which is None where it is constant zeros."""

Values = TypeVar("Values", PlainFloatTensor, PlainFloatTensor_TCM)
Mask = TypeVar("Mask", PlainFloatTensor, PlainFloatTensor_TCM)


@KERNELS.kernel("Attention", cost=Cost.FAST)
def attention(
    out: Flat,
    q: Flat,
    k: Weights,
    v: Values,
    mask: Mask,
    scale: PlainFloatTensor,
    softcap: PlainFloatTensor,
    first: Int32Tensor,
    last: Int32Tensor,
) -> BoundCall:
    added = None if always(mask, 0) else mask.array
    tensors = out.array, q.array, k.array, v.array, added

    def bind() -> BoundCall:
        reach = Reach(int(number_in(first)), int(number_in(last)), k.shape[2])
        return in_order(_blocks(tensors, reach, number_in(scale), number_in(softcap)))

    return bound_once([scale, softcap, first, last], bind)


class _Work:
    """The memory that blocks share: for some heads, each with some queries and keys."""

    def __init__(self, sizes: tuple[int, int, int], depth: int, width: int) -> None:
        heads, rows, keys = sizes
        self.scaled, self.part = scratch(heads * rows * depth), scratch(heads * rows * width)
        self.scores = scratch(heads * rows * keys)
        self.marks = np.empty(self.scores.shape, np.bool_)
        self.columns = scratch(4, heads * rows)
        self.distances = (
            np.arange(keys, dtype=np.int32) - np.arange(rows, dtype=np.int32)[:, np.newaxis]
        )


def tile_sizes(heads: int, queries: int, keys: int) -> tuple[int, int, int]:
    """Choose the heads, queries and keys of a tile."""
    width = max(1, min(keys, max(_KEYS, _SCORES // max(1, queries))))
    height = max(1, min(queries, _SCORES // width))
    together = _SCORES // (height * width) if height == queries else 1
    return max(1, min(heads, together)), height, width


def _blocks(tensors: Tensors, reach: Reach, scale: float, softcap: float) -> Iterator[Call]:
    out, q, k, v, mask = tensors
    batches, heads, queries, depth = q.shape
    sizes = tile_sizes(heads, queries, reach.keys)
    work = _Work(sizes, depth, v.shape[3])
    parts = product(range(batches), spans(heads, sizes[0]), spans(queries, sizes[1]))
    for batch, some, rows in parts:
        at = slice(batch, batch + 1), some
        tiles = [
            _Tile(
                _cut(k, *at, keys).swapaxes(1, 2),
                _cut(v, *at, keys),
                None if mask is None else _cut(mask, *at, rows, keys),
                reach.bounds(rows, keys),
            )
            for keys in reach.tiles(rows, sizes[2])
        ]
        yield _block(_cut(out, *at, rows), _cut(q, *at, rows), tiles, work, scale, softcap)


def _view(buffer: NDArray[T], shape: tuple[int, ...]) -> NDArray[T]:
    """View the beginning of a buffer under a shape."""
    return buffer[: prod(shape)].reshape(shape)


def _cut(array: Floats, *ranges: slice) -> Floats:
    """Return a part of one batch entry; an extent of 1 stays as it is."""
    whole = slice(None)
    pairs = zip(ranges, array.shape, strict=False)
    part: Floats = array[tuple(whole if extent == 1 else part for part, extent in pairs)][0]
    return part


class _Tile(NamedTuple):
    """Keys [h, e, n], values [h, n, d] and mask of a tile, and `Reach.bounds` of it."""

    keys: Floats
    values: Floats
    mask: Floats | None
    bounds: tuple[int, int] | None


def _block(
    out: Floats, q: Floats, tiles: Sequence[_Tile], work: _Work, scale: float, softcap: float
) -> Call:
    """Attention of a block of queries."""
    heads, rows, _ = q.shape
    scaled, part = _view(work.scaled, q.shape), _view(work.part, out.shape)
    peak, top, total, kept = (_view(column, (heads, rows, 1)) for column in work.columns)
    factor, cap = number(scale / softcap if softcap else scale), number(softcap)

    def run() -> None:
        np.multiply(q, factor, scaled)
        out.fill(0)
        total.fill(0)
        peak.fill(_LEAST)
        for tile in tiles:
            scores = _view(work.scores, (heads, rows, tile.keys.shape[2]))
            np.matmul(scaled, tile.keys, scores)
            if softcap:
                np.tanh(scores, scores)
                np.multiply(scores, cap, scores)
            _mask(scores, tile, work, top)
            np.maximum(top, peak, out=top)
            np.subtract(peak, top, kept)
            np.exp(kept, kept)
            np.subtract(scores, top, scores)
            np.exp(scores, scores)
            np.matmul(scores, tile.values, part)
            np.multiply(out, kept, out)
            np.add(out, part, out)
            np.multiply(total, kept, total)
            np.add.reduce(scores, axis=2, keepdims=True, out=kept)
            np.add(total, kept, total)
            np.copyto(peak, top)
        np.copyto(total, _ONE, where=np.equal(total, _ZERO))
        np.divide(out, total, out)

    return run


def _mask(scores: Floats, tile: _Tile, work: _Work, top: Floats) -> None:
    """Add the mask, leave keys that take no part to -infinity, and find the largest of each row.

    A score that is not finite, plus a mask of -infinity, is NaN: this shows in the largest.
    """
    _, rows, keys = scores.shape
    if tile.mask is not None:
        np.add(scores, tile.mask, scores)
    if tile.bounds is not None:
        distances, marks = work.distances[:rows, :keys], _view(work.marks, (rows, keys))
        for compare, bound in zip((np.less, np.greater), tile.bounds, strict=True):
            compare(distances, bound, marks)
            np.copyto(scores, _NONE, where=marks)
    np.maximum.reduce(scores, axis=2, keepdims=True, out=top)
    if tile.mask is not None and not np.isfinite(top).all():
        marks = _view(work.marks, tile.mask.shape)
        np.equal(tile.mask, _NONE, marks)
        np.copyto(scores, _NONE, where=marks)
        np.maximum.reduce(scores, axis=2, keepdims=True, out=top)

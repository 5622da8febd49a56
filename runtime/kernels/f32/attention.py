"""Attention of flat f32 tensors, by blocks of queries.

A block is some queries against all keys in their reach: its scores fit the cache, and the memory is
linear in the number of keys. Where a head has fewer scores than that, a block is several heads.
Keys, values and the mask are read where they are.

Source: Dao et al., FlashAttention, 2022. Rows of scores are whole here, so that no running maximum
and sum are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from typing import TypeVar

import numpy as np

from ...functions.arrays import Bools
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor, PlainFloatTensor_TCM
from ..support.calls import Floats, in_order, number, scratch, spans
from ..support.classes import Flat, Weights
from ..support.families import RealKernels
from ..support.hoisting import always, bound_once, number_in

KERNELS = RealKernels()

_SCORES = 32768
"""Scores of a block, but at least one query's."""
_NONE = number(-np.inf)
_ZERO, _ONE = number(0), number(1)

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
    tensors = _Tensors(out.array, q.array, k.array, v.array, added)

    def bind() -> BoundCall:
        reach = Reach(int(number_in(first)), int(number_in(last)), k.shape[2])
        return in_order(_blocks(tensors, reach, number_in(scale), number_in(softcap)))

    return bound_once([scale, softcap, first, last], bind)


@dataclass(frozen=True)
class Reach:
    """The keys that queries attend to: those from `first` to `last` after their own number."""

    first: int
    last: int
    keys: int

    def of(self, rows: slice) -> slice:
        """Return the keys that one of these queries attends to."""
        end = min(max(rows.stop + self.last, 0), self.keys)
        return slice(min(max(rows.start + self.first, 0), end), end)

    def edges(self, rows: slice) -> Iterator[tuple[slice, Bools]]:
        """Find the keys of `of(rows)` that not all queries attend to: columns, and true for no."""
        reached = self.of(rows)
        near = slice(reached.start, min(rows.stop - 1 + self.first, reached.stop))
        far = slice(max(rows.start + self.last + 1, reached.start), reached.stop)
        queries = np.arange(rows.start, rows.stop)[:, np.newaxis]
        for columns in (near, far):
            if columns.start < columns.stop:
                distance = np.arange(columns.start, columns.stop) - queries
                outside = (distance < self.first) | (distance > self.last)
                shifted = (end - reached.start for end in (columns.start, columns.stop))
                yield slice(*shifted), outside


@dataclass(frozen=True, eq=False)
class _Tensors:
    """The result and the operands, or a block of each; a mask of zeros is None."""

    out: Floats
    q: Floats
    k: Floats
    v: Floats
    mask: Floats | None

    def part(self, batch: int, heads: slice, rows: slice, keys: slice) -> _Tensors:
        """Return the block of these queries and keys, of rank 3; an extent of 1 stays."""

        def cut(array: Floats, *ends: slice) -> Floats:
            whole = slice(None)
            ranges = (slice(batch, batch + 1), heads, *ends)
            at = zip(ranges, array.shape, strict=False)
            return array[tuple(whole if n == 1 else part for part, n in at)][0]

        whole = slice(None)
        return _Tensors(
            cut(self.out, rows),
            cut(self.q, rows),
            cut(self.k, keys),
            cut(self.v, keys),
            None if self.mask is None else cut(self.mask, rows, keys),
        )


def _blocks(tensors: _Tensors, reach: Reach, scale: float, softcap: float) -> Iterator[Call]:
    batches, heads, queries, depth = tensors.q.shape
    height = max(1, min(queries, _SCORES // max(1, reach.keys)))
    spare = _SCORES // max(1, height * reach.keys)
    together = max(1, min(heads, spare)) if height == queries else 1
    buffers = scratch(together * height * reach.keys), scratch(together * height * depth)
    parts = product(range(batches), spans(heads, together), spans(queries, height))
    for batch, some, rows in parts:
        keys = reach.of(rows)
        block = tensors.part(batch, some, rows, keys)
        if keys.start < keys.stop:
            yield _block(block, [*reach.edges(rows)], buffers, scale, softcap)
        else:
            yield partial(block.out.fill, 0)


def _block(
    block: _Tensors,
    edges: Sequence[tuple[slice, Bools]],
    buffers: tuple[Floats, Floats],
    scale: float,
    softcap: float,
) -> Call:
    """Attention of a block of queries; the scores stay in the buffers."""
    heads, queries, _ = block.q.shape
    shape = heads, queries, block.k.shape[1]
    scores, scaled = (
        buffer[: prod(sizes)].reshape(sizes)
        for buffer, sizes in zip(buffers, (shape, block.q.shape), strict=True)
    )
    keys, peak, total = block.k.swapaxes(1, 2), scratch(*shape[:2], 1), scratch(*shape[:2], 1)
    factor, cap = number(scale / softcap if softcap else scale), number(softcap)

    def finish() -> bool:
        """Leave keys out of reach to -infinity; true where all queries have a finite peak."""
        for columns, outside in edges:
            np.copyto(scores[:, :, columns], _NONE, where=outside)
        np.maximum.reduce(scores, axis=2, keepdims=True, out=peak)
        return bool(np.isfinite(peak).all())

    def run() -> None:
        np.multiply(block.q, factor, scaled)
        np.matmul(scaled, keys, scores)
        if softcap:
            np.tanh(scores, scores)
            np.multiply(scores, cap, scores)
        if block.mask is not None:
            np.add(scores, block.mask, scores)
        if not finish():
            # A query without keys, or a score that is not finite, perhaps of a key that is masked.
            if block.mask is not None:
                np.copyto(scores, _NONE, where=np.isneginf(block.mask))
                finish()
            np.copyto(peak, _ZERO, where=np.isneginf(peak))
        np.subtract(scores, peak, scores)
        np.exp(scores, scores)
        np.add.reduce(scores, axis=2, keepdims=True, out=total)
        np.copyto(total, _ONE, where=total == 0)
        np.matmul(scores, block.v, block.out)
        np.divide(block.out, total, block.out)

    return run

"""FlashAttention of flat f32 tensors: scores exist a tile at a time, so memory is constant.

A block of queries goes over tiles of keys. Each row keeps the largest score so far, the sum of the
exponentials of the scores less it, and the values weighted by these; where a tile has a larger
score, sum and values so far are scaled down. Tiles out of the queries' reach are left out. Where a
head has few queries, a block is several heads. Keys, values and the mask are read where they are.
What a block needs besides is scratch, in the memory of the queries: at most a quarter as many
scores as there are elements of queries and results, so that smaller tiles of the op need less.

Cost: one product of queries with keys and one of weights with values, as in the plain form.

Example: scores 1, 3 in the first tile and 5 in the second. After the first: peak 3, sum
exp(-2) + 1. The second scales by exp(3 - 5): peak 5, sum (exp(-2) + 1) * exp(-2) + 1, which is
exp(1 - 5) + exp(3 - 5) + 1.

Source: Dao et al., FlashAttention, 2022.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import ceil, isqrt, prod
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ....dialects.value import TensorSpec
from ...kernel.kernel import BoundCall, Call, Cost, Operand, Sizes
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor, PlainFloatTensor_TCM
from ..support.calls import Floats, always, bound_once, in_order, number, number_in, spans
from ..support.classes import Flat, RealKernels, Weights


@dataclass(frozen=True)
class Reach:
    """The keys that queries attend to: those from `first` to `last` after their own number."""

    first: int
    last: int
    keys: int

    def tiles(self, rows: slice, size: int) -> Iterator[slice]:
        """Yield tiles of the keys that one of these queries attends to."""
        end = min(rows.stop + self.last, self.keys)
        for start in range(max(rows.start + self.first, 0), end, size):
            yield slice(start, min(start + size, end))

    def bounds(self, rows: slice, keys: slice) -> tuple[int, int] | None:
        """Bound the keys that each query attends to, numbered like the queries from 0 in a tile.

        None where each of these queries attends to all of these keys.
        """
        offset = keys.start - rows.start
        least, most = offset - (rows.stop - 1 - rows.start), keys.stop - 1 - rows.start
        if self.first <= least and most <= self.last:
            return None
        return self.first - offset, self.last - offset


KERNELS = RealKernels()

T = TypeVar("T", bound=np.generic)

_SCORES = 32768
"""Scores of a tile, at most."""
_FEW = 2048
"""Scores of a tile of few queries."""
_LEAST = np.finfo(np.float32).min
"""The peak of no scores: finite, so that what is less it is -infinity or 0, and never NaN."""
_NONE, _ZERO, _ONE = map(number, (-np.inf, 0, 1))

Tensors: TypeAlias = tuple[Floats, Floats, Floats, Floats, Floats | None]
"""The result, q, k, v and the mask, which is None where it is constant zeros."""

Values = TypeVar("Values", PlainFloatTensor, PlainFloatTensor_TCM)
Mask = TypeVar("Mask", PlainFloatTensor, PlainFloatTensor_TCM)


@dataclass(frozen=True)
class AttentionBlock:
    """The heads, queries and keys of a tile, with the depth of queries and of values."""

    heads: int
    rows: int
    keys: int
    depth: int
    width: int

    @cached_property
    def parts(self) -> tuple[int, int, int, int, int]:
        """The floats for scores, marks of a byte, scaled queries, products and four columns."""
        rows = self.heads * self.rows
        scores = rows * self.keys
        return scores, ceil(scores / 4), rows * self.depth, rows * self.width, 4 * rows


def block_of(heads: int, queries: int, keys: int, depth: int, width: int) -> AttentionBlock:
    """Choose the block for an op: twice as many keys as queries, where there are as many of both.

    Fewer queries take more keys, and where a head has few of both, several heads go together.
    """
    quarter = heads * queries * (depth + width) // 4
    room = max(_FEW, min(quarter, _SCORES))
    across = max(1, min(keys, max(isqrt(2 * room), room // max(1, queries))))
    down = max(1, min(queries, room // across))
    together = room // (down * across) if down == queries else 1
    return AttentionBlock(max(1, min(heads, together)), down, across, depth, width)


def _work_of(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Sizes:
    """Size the scratch of a block, for the shapes of q, k and the result."""
    q, k, *_ = (operand.shape for operand in operands if isinstance(operand, TensorSpec))
    block = block_of(q[1], q[2], k[2], q[3], outputs[0].shape[3])
    return {"work": (sum(block.parts),)}


@KERNELS.kernel("Attention", cost=Cost.FAST, scratch=_work_of)
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
    *,
    work: Flat,
) -> BoundCall:
    added = None if always(mask, 0) else mask.array
    tensors = out.array, q.array, k.array, v.array, added
    block = block_of(q.shape[1], q.shape[2], k.shape[2], q.shape[3], out.shape[3])
    shared = _BlockMemory(block, work.array.reshape(-1))

    def bind() -> BoundCall:
        reach = Reach(int(number_in(first)), int(number_in(last)), k.shape[2])
        return in_order(_blocks(tensors, reach, shared, number_in(scale), number_in(softcap)))

    return bound_once([scale, softcap, first, last], bind)


class _BlockMemory:
    """The memory that blocks share: scratch, cut into its parts, and the numbers of a tile."""

    def __init__(self, block: AttentionBlock, scratch: Floats) -> None:
        self.block = block
        scores, marks, *rows = np.split(scratch, np.cumsum(block.parts)[:-1])
        self.scores, self.marks = scores, marks.view(np.bool_)
        self.scaled, self.part = rows[0], rows[1]
        self.columns = rows[2].reshape(4, -1)
        self.keys = np.arange(block.keys, dtype=np.float32)
        self.rows = np.arange(block.rows, dtype=np.float32)[:, np.newaxis]


def _blocks(
    tensors: Tensors, reach: Reach, work: _BlockMemory, scale: float, softcap: float
) -> Iterator[Call]:
    out, q, k, v, mask = tensors
    batches, heads, queries, _ = q.shape
    block = work.block
    parts = product(range(batches), spans(heads, block.heads), spans(queries, block.rows))
    for batch, some, rows in parts:
        at = slice(batch, batch + 1), some
        tiles = [
            _Tile(
                _cut(k, *at, keys).swapaxes(1, 2),
                _cut(v, *at, keys),
                None if mask is None else _cut(mask, *at, rows, keys),
                reach.bounds(rows, keys),
            )
            for keys in reach.tiles(rows, block.keys)
        ]
        yield _block(_cut(out, *at, rows), _cut(q, *at, rows), tiles, work, scale, softcap)


def _view(buffer: NDArray[T], shape: tuple[int, ...]) -> NDArray[T]:
    """View the beginning of a buffer under a shape."""
    return buffer[: prod(shape)].reshape(shape)


def _cut(array: Floats, *ranges: slice) -> Floats:
    """Return a part of one batch entry; an extent of 1 stays unchanged."""
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
    out: Floats, q: Floats, tiles: Sequence[_Tile], work: _BlockMemory, scale: float, softcap: float
) -> Call:
    """Attention of a block of queries."""
    heads, rows, _ = q.shape
    scaled, part = _view(work.scaled, q.shape), _view(work.part, out.shape)
    peak, top, total, kept = (_view(column, (heads, rows, 1)) for column in work.columns)
    nothing = _view(work.marks, total.shape)
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
        np.equal(total, _ZERO, nothing)
        np.copyto(total, _ONE, where=nothing)
        np.divide(out, total, out)

    return run


def _mask(scores: Floats, tile: _Tile, work: _BlockMemory, top: Floats) -> None:
    """Add the mask, leave keys that take no part to -infinity, and find the largest of each row.

    A score that is not finite, plus a mask of -infinity, is NaN: this shows in the largest. These
    are not a result before the end, so bounds are kept where they will be.
    """
    _, rows, keys = scores.shape
    if tile.mask is not None:
        np.add(scores, tile.mask, scores)
    if tile.bounds is not None:
        marks, limits = _view(work.marks, (rows, keys)), top[0]
        for compare, bound in zip((np.less, np.greater), tile.bounds, strict=True):
            np.add(work.rows[:rows], bound, limits)
            compare(work.keys[:keys], limits, marks)
            np.copyto(scores, _NONE, where=marks)
    np.maximum.reduce(scores, axis=2, keepdims=True, out=top)
    if tile.mask is not None and not np.isfinite(top, _view(work.marks, top.shape)).all():
        marks = _view(work.marks, tile.mask.shape)
        np.equal(tile.mask, _NONE, marks)
        np.copyto(scores, _NONE, where=marks)
        np.maximum.reduce(scores, axis=2, keepdims=True, out=top)

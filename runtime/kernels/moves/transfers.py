"""Blocks of elements from one tensor to another of the same layout, without taking them apart.

Chunks form a grid. Where a block has the same position in its chunks on both sides it moves as
whole chunks; where it has not, each dim falls into a few families of pieces, and the pieces of a
family repeat from chunk to chunk, so that a family is one copy between strided views. The number
of copies does not grow with the tensors.

Example: 20 columns from column 0 to column 6, in chunks of 8, are two families: columns 0 to 1 of
chunks 0, 1 and 2 go to columns 6 to 7, columns 2 to 7 of chunks 0 and 1 to 0 to 5 of the next; the
rest of chunk 2 is a third.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from math import prod

import numpy as np

from ....dialects.value.layout import RANK
from ...functions.support.arrays import Array
from ...kernel.kernel import Call
from ...tensors.packing import CopyPair, factor_sizes, factor_view
from ...tensors.tensors import Tensor
from ..support.croutons import layout_of

Parts = tuple[slice, ...]
Piece = tuple[Parts, Parts]
"""Indices into the factors of one dim, on either side."""


def moves(
    out: Tensor, to: Sequence[int], inp: Tensor, start: Sequence[int], size: Sequence[int]
) -> list[Call]:
    """Copy the block of this size at `start` of inp to `to` of out; both have one layout."""
    return [partial(np.copyto, *pair) for pair in shared_views(out, to, inp, start, size)]


def views(tensor: Tensor, start: Sequence[int], size: Sequence[int]) -> list[Array]:
    """List views that make up a block of a tensor."""
    return [view for view, _ in shared_views(tensor, start, tensor, start, size)]


def shared_views(
    a: Tensor, a_start: Sequence[int], b: Tensor, b_start: Sequence[int], size: Sequence[int]
) -> Iterator[CopyPair]:
    """Pair views over the same elements of a block of both tensors."""
    layout = layout_of(a)
    a_factors, b_factors = factor_view(a.array, layout), factor_view(b.array, layout)
    cuts = [
        _pieces(factor_sizes(layout, dim), a_start[dim], b_start[dim], size[dim])
        for dim in range(RANK)
    ]
    for pieces in product(*cuts):
        yield (
            a_factors[tuple(chain.from_iterable(part for part, _ in pieces))],
            b_factors[tuple(chain.from_iterable(part for _, part in pieces))],
        )


def _pieces(sizes: tuple[int, ...], a_start: int, b_start: int, count: int) -> list[Piece]:
    """The families of `count` indices from a_start on one side and from b_start on the other."""
    if not sizes:
        return [((slice(a_start, a_start + count),), (slice(b_start, b_start + count),))]
    families: dict[_Inner, list[_Chunks]] = {}
    for inner, (a, b) in _steps(sizes, a_start, b_start, count):
        runs = families.setdefault(inner, [])
        if runs and runs[-1].a + runs[-1].count == a:
            runs[-1] = replace(runs[-1], count=runs[-1].count + 1)
        else:
            runs.append(_Chunks(a, b, 1))
    return [
        (
            _parts(sizes, slice(run.a, run.a + run.count), inner.a, inner.length),
            _parts(sizes, slice(run.b, run.b + run.count), inner.b, inner.length),
        )
        for inner, runs in families.items()
        for run in runs
    ]


@dataclass(frozen=True)
class _Inner:
    """The position of a family's pieces in their chunks on either side, and their length."""

    a: int
    b: int
    length: int


@dataclass(frozen=True)
class _Chunks:
    """Neighbouring chunks, by the first on either side."""

    a: int
    b: int
    count: int


def _steps(
    sizes: tuple[int, ...], a: int, b: int, count: int
) -> Iterator[tuple[_Inner, tuple[int, int]]]:
    """Pieces within one chunk on both sides, and the numbers of these chunks.

    A dim with several factors inside its chunk moves whole chunks or single elements.
    """
    chunk = prod(sizes)
    while count:
        length = min(chunk - a % chunk, chunk - b % chunk, count)
        length = 1 if len(sizes) > 1 and length < chunk else length
        yield _Inner(a % chunk, b % chunk, length), (a // chunk, b // chunk)
        a, b, count = a + length, b + length, count - length


def _parts(sizes: tuple[int, ...], across: slice, inner: int, length: int) -> Parts:
    """A slice of chunks, and of each factor inside them."""
    if len(sizes) == 1:
        return across, slice(inner, inner + length)
    if length == prod(sizes):
        return across, *(slice(0, size) for size in sizes)
    return across, *(slice(int(i), int(i) + 1) for i in np.unravel_index(inner, sizes))

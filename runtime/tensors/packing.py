"""Tensors to and from their layout in memory, as copies between numpy views.

The block array of a layout has one axis per (dim, size) pair, so its memory order is the layout's
own. Its transpose, the factor view, brings the axes of one dim together, the coarsest first. A
logical array with the same axes split off is then the same tensor, and packing is a plain copy.
Dims that do not fill their last chunk are cut into boxes in mixed radix, each of which is such a
copy: at most one box per factor of each dim, whatever the extents.

Example: 13 rows in chunks of 2 x 4 are one box of 1 x 2 x 4 rows (a whole chunk), one of 1 x 4 (the
first half of the next) and one of 1 row.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from ...dialects.value import RANK, Layout
from ..functions.support.arrays import Array

Part = int | slice
Cut = tuple[tuple[Part, ...], slice]
Box = tuple[tuple[Part, ...], tuple[slice, ...], tuple[int, ...]]
CopyPair = tuple[Array, Array]

_DEPTH = 3


def block_shape(layout: Layout, shape: Sequence[int]) -> tuple[int, ...]:
    """List one extent per pair: the fixed sizes, and for an open pair the chunks along it."""
    padded = layout.padded(shape)
    return tuple(size or padded[dim] // layout.chunk[dim] for dim, size in layout.pairs)


@lru_cache(maxsize=64)
def factor_axes(layout: Layout) -> tuple[int, ...]:
    """Order the block array's axes for the factor view: by dim, the coarsest axis first."""
    pairs = layout.pairs
    return tuple(sorted(range(len(pairs)), key=lambda i: (pairs[i][0], pairs[i][1] != 0, i)))


def factor_view(blocks: Array, layout: Layout) -> Array:
    """View the block array with the axes of each dim side by side."""
    return blocks.transpose(factor_axes(layout))


def pack(array: Array, layout: Layout) -> Array:
    """Make a block array with the tensor's elements; the padding is zero."""
    blocks = np.zeros(block_shape(layout, array.shape), array.dtype)
    pack_into(array, blocks, layout)
    return blocks


def unpack(blocks: Array, layout: Layout, shape: Sequence[int]) -> Array:
    """Make an array of the logical shape with the elements of a block array."""
    array = np.empty(tuple(shape), blocks.dtype)
    unpack_into(blocks, array, layout)
    return array


def pack_into(array: Array, blocks: Array, layout: Layout) -> None:
    """Write the tensor's elements into a block array; the padding keeps its content."""
    for block, logical in copy_pairs(blocks, array, layout):
        np.copyto(block, logical)


def unpack_into(blocks: Array, array: Array, layout: Layout) -> None:
    """Write the elements of a block array into an array or view of the logical shape."""
    for block, logical in copy_pairs(blocks, array, layout):
        np.copyto(logical, block)


def copy_pairs(blocks: Array, array: Array, layout: Layout) -> tuple[CopyPair, ...]:
    """Views of block array and logical array, pair by pair over the same elements.

    Copying the second of each pair to the first packs, the other way round unpacks. Made once,
    the pairs can be copied on every run without further Python work.
    """
    factors = factor_view(blocks, layout)
    return tuple(
        (factors[chosen], array[region].reshape(split)[lane])
        for chosen, region, split, lane in _plan(layout, array.shape)
    )


@lru_cache(maxsize=4096)
def _plan(
    layout: Layout, shape: tuple[int, ...]
) -> tuple[tuple[tuple[Part, ...], tuple[slice, ...], tuple[int, ...], tuple[Part, ...]], ...]:
    """The boxes of a tensor, each cut into lanes where the layout interleaves."""
    return tuple(
        (_choose(chosen, lane), region, split, lane)
        for chosen, region, split in _boxes(layout, shape)
        for lane in _lanes(layout, split)
    )


def _boxes(layout: Layout, shape: tuple[int, ...]) -> Iterator[Box]:
    cuts = [_cuts(factor_sizes(layout, dim), shape[dim]) for dim in range(RANK)]
    for parts in product(*cuts):
        chosen = tuple(part for factors, _ in parts for part in factors)
        region = tuple(span for _, span in parts)
        split = tuple(part.stop - part.start for part in chosen if isinstance(part, slice))
        yield chosen, region, split


def factor_sizes(layout: Layout, dim: int) -> tuple[int, ...]:
    """List the fixed factor sizes of a dim, the coarsest first."""
    return tuple(size for which, size in layout.pairs if which == dim and size)


def _cuts(sizes: tuple[int, ...], extent: int) -> list[Cut]:
    """The boxes that make up indices 0 to extent in mixed radix.

    First all whole chunks; then, inside the last chunk, all whole parts of the next size, and so
    on. Each factor is a slice; a factor that the box holds fixed is a slice of one.
    """
    cuts: list[Cut] = []
    fixed: list[Part] = []
    start, rest = 0, extent
    for level in range(len(sizes) + 1):
        unit = int(np.prod(sizes[level:], dtype=np.int64))
        count = rest // unit
        if count:
            inner = [slice(0, size) for size in sizes[level:]]
            span = slice(start, start + count * unit)
            cuts.append(((*fixed, slice(0, count), *inner), span))
        fixed.append(slice(count, count + 1))
        start, rest = start + count * unit, rest - count * unit
    return cuts


def _lanes(layout: Layout, split: tuple[int, ...]) -> Iterator[tuple[Part, ...]]:
    """One index per lane of the pairs inside the depth: numpy copies long rows faster than pairs.

    Without such pairs there is one lane, the whole box.
    """
    inner = _interleaved(layout)
    ranges = [
        range(split[position]) if axis in inner else (slice(None),)
        for position, axis in enumerate(factor_axes(layout))
    ]
    yield from product(*ranges)


@lru_cache(maxsize=64)
def _interleaved(layout: Layout) -> frozenset[int]:
    """The axes of the block array inside the fixed depth pair."""
    depth = [i for i, (dim, size) in enumerate(layout.pairs) if dim == _DEPTH and size]
    return frozenset(range(depth[-1] + 1, len(layout.pairs))) if depth else frozenset()


def _choose(chosen: tuple[Part, ...], lane: tuple[Part, ...]) -> tuple[Part, ...]:
    """The box's factors with those of a lane fixed to one index."""
    return tuple(
        part.start + index if isinstance(index, int) and isinstance(part, slice) else part
        for part, index in zip(chosen, lane, strict=True)
    )

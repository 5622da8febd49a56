"""Tensors as rows: matrices of their last axis, and flat rows a band at a time; views of croutons.

Croutons are unpacked to scratch as far as a band needs them, and packed again band by band, while
the rows are in cache. Flat tensors are not copied.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod

import numpy as np

from ....dialects.value import LAYOUTS, Layout, round_up
from ...functions.support.arrays import Array, Pair
from ...kernel.kernel import Call
from ...tensors.memory import working
from ...tensors.packing import copy_pairs
from ...tensors.tensors import Tensor
from . import pointwise
from .calls import Floats, scratch, spans

DEPTH = 3


def layout_of(tensor: Tensor) -> Layout:
    """Look up the layout of a tensor."""
    return LAYOUTS[tensor.spec.layout, tensor.spec.dtype.itemsize]


def spread(tensor: Tensor) -> Array:
    """View the stored array with extent 1 wherever the tensor has, so that it broadcasts."""
    if tensor.flat:
        return tensor.array
    ones = [tensor.shape[dim] == 1 for dim, _ in layout_of(tensor).pairs]
    return tensor.array[tuple(slice(0, 1) if one else slice(None) for one in ones)]


def row_shape(layout: Layout, shape: Sequence[int]) -> tuple[int, ...]:
    """Compute the block array's shape for a row along the depth, which alone is padded."""
    chunks = -(-shape[DEPTH] // layout.chunk[DEPTH])
    return tuple((size or chunks) if dim == DEPTH else 1 for dim, size in layout.pairs)


def row_elements(layout: Layout, shape: Sequence[int]) -> int:
    """Elements of such a row, padding included."""
    return prod(row_shape(layout, shape))


CACHE = 1 << 17
"""Elements that fit the cache while a band is computed."""


@dataclass(frozen=True)
class Band:
    """Some rows of one image of a result.

    source: the whole image the windows slide over [h, w, c], of which the rows up to the last
    one needed are there after the calls `fetch`, the rows `fresh` since the band before.
    target: memory for these rows of the result [rows, ow, m]; the calls `finish` bring them to
    their place.
    """

    rows: slice
    fresh: slice
    fetch: list[Call]
    source: Array
    target: Array
    finish: list[Call]


def band_rows(out: Tensor, row: int, room: int = CACHE) -> int:
    """Rows of a band: as many as fit the room, of which each takes `row` elements.

    For croutons whole chunks, at least one.
    """
    chunk = _chunk(out)
    fitting = room // max(1, row) // chunk * chunk
    return max(1, min(max(fitting, chunk), out.shape[1]))


def bands(out: Tensor, act: Tensor, window: int, stride: int, size: int) -> Iterator[Band]:
    """Cut all images into bands of `size` rows; window and stride are those of height."""
    (_, height, _, _), (batch, out_height, _, _) = act.shape, out.shape
    unpacked = None if act.flat else working(act.shape[1:], act.array.dtype)
    packed = None if out.flat else working((size, *out.shape[2:]), out.array.dtype)
    for image in range(batch):
        source, there = act.array[image] if unpacked is None else unpacked, 0
        for rows in spans(out_height, size):
            needed = min(round_up((rows.stop - 1) * stride + window, _chunk(act)), height)
            fresh = slice(there, max(there, needed))
            target = out.array[image, rows] if packed is None else packed[: rows.stop - rows.start]
            fetch, finish = _unpack(act, image, fresh, source), _pack(out, image, rows, target)
            yield Band(rows, fresh, fetch, source, target, finish)
            there = fresh.stop


def windows_of(
    image: Array, first: int, target: Array, window: Pair, stride: Pair, spacing: Pair = (1, 1)
) -> Array:
    """View the windows of [h, w, c] that `target` [rows, ow, m] needs, `first` its first row.

    A view [rows, ow, fh, fw, c]; `spacing` is from one tap to the next.
    """
    down, across, deep = image.strides
    shape = (*target.shape[:2], *window, image.shape[2])
    taps = (spacing[0] * down, spacing[1] * across)
    strides = (stride[0] * down, stride[1] * across, *taps, deep)
    # One object where as_strided has five, of which a program of many tiles holds thousands.
    return np.ndarray(shape, image.dtype, image, first * stride[0] * down, strides)


def _chunk(image: Tensor) -> int:
    """The rows of one chunk."""
    return layout_of(image).chunk[1]


def _unpack(act: Tensor, image: int, rows: slice, target: Array) -> list[Call]:
    if act.flat or rows.start == rows.stop:
        return []
    pairs = copy_pairs(_chunks(act, image, rows), target[np.newaxis, rows], layout_of(act))
    return [partial(np.copyto, flat, blocks) for blocks, flat in pairs]


def _pack(out: Tensor, image: int, rows: slice, source: Array) -> list[Call]:
    if out.flat:
        return []
    pairs = copy_pairs(_chunks(out, image, rows), source[np.newaxis], layout_of(out))
    return [partial(np.copyto, blocks, flat) for blocks, flat in pairs]


def _chunks(image: Tensor, index: int, rows: slice) -> Array:
    """The chunks that hold some rows of an image; the rows begin with a chunk."""
    chunk = _chunk(image)
    return image.array[index : index + 1, rows.start // chunk : -(-rows.stop // chunk)]


_ELEMENTS = 32768
"""Elements of a block: a few arrays of this size fit a second-level cache, and a call pays off."""


def rows_of(array: Floats) -> Floats:
    """View a contiguous array as a matrix: all axes but the last become one."""
    return array.reshape(prod(array.shape[:-1]), array.shape[-1])


def height_of(depth: int) -> int:
    """Count the rows of this depth in a block."""
    return max(1, _ELEMENTS // max(1, depth))


def blocks(rows: Floats) -> Iterator[slice]:
    """Cut the rows of a matrix into pieces that fit the cache."""
    yield from spans(len(rows), height_of(rows.shape[1]))


def finished(
    rows: Floats, bias_and_bounds: Sequence[Floats], gelu: bool = False, scale: Floats | None = None
) -> Iterator[Call]:
    """Scale, add a bias, bound and apply Gelu in place, block by block; each step is optional."""
    bias, bounds = bias_and_bounds[:1], [bound.reshape(()) for bound in bias_and_bounds[1:]]
    work = scratch(2, height_of(rows.shape[1]) * rows.shape[1]) if gelu else None
    for span in blocks(rows):
        block = rows[span]
        if scale is not None:
            yield partial(np.multiply, block, scale, block)
        for row in bias:
            yield partial(np.add, block, row.reshape(-1), block)
        if bounds:
            low, high = bounds
            yield from pointwise.clamp(block, low, high, block)
        if work is not None:
            values = block.reshape(-1)
            yield from pointwise.UNARY["Gelu"](values, values, work[:, : values.size])

"""Boxes: blocks of tensors by the first element and the one behind the last, for each dim."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod

from ....dialects.value import Shape, round_up
from .access_map import AccessMap
from .program import TilingTensor

Box = tuple[tuple[int, int], ...]
"""The first element and the one behind the last, for each dim of a block."""


def tile_boxes(shape: Shape, sizes: Sequence[tuple[int, int]]) -> Iterator[Box]:
    """Cut a shape into tiles, the first dim being the outermost loop."""
    spans = [
        [(low, min(low + size, shape[dim])) for low in range(0, shape[dim], size)]
        for dim, size in sizes
    ]
    for tile in product(*spans):
        box = [(0, extent) for extent in shape]
        for (dim, _), span in zip(sizes, tile, strict=True):
            box[dim] = span
        yield tuple(box)


def flattened(index: Sequence[int], counts: Sequence[int]) -> int:
    """Return the number of a tile by its index along each dim that is cut."""
    number = 0
    for at, count in zip(index, counts, strict=True):
        number = number * count + at
    return number


def reach(access: AccessMap, span: tuple[int, int], extent: int) -> tuple[int, int]:
    """Find the elements along an operand's dim that a span of the result reads."""
    low, high = span
    stride, shift, taps, parts = access.in_parts
    first = (low * stride - shift) // parts
    last = -((shift - (high - 1) * stride - taps) // parts)
    return min(max(0, first), extent), min(max(0, last), extent)


def common(box: Box, other: Box) -> Box:
    """Return what two boxes share; it is empty along a dim in which they do not meet."""
    pairs = zip(box, other, strict=True)
    return tuple((max(a, c), max(a, c, min(b, d))) for (a, b), (c, d) in pairs)


def hull(boxes: Sequence[Box]) -> Box:
    """Return the smallest box that holds some boxes."""
    spans = (zip(*dim, strict=True) for dim in zip(*boxes, strict=True))
    return tuple((min(lows), max(highs)) for lows, highs in spans)


def is_run(tensor: TilingTensor, box: Box) -> bool:
    """Tell whether a block of a flat tensor is a run of bytes.

    Of the dims in front of the last one that it cuts it has a single element.
    """
    cut = [dim for dim, span in enumerate(box) if span != (0, tensor.shape[dim])]
    return all(high - low == 1 for low, high in box[: cut[-1]]) if cut else True


def flat_bytes(tensor: TilingTensor, box: Box) -> int:
    """Count the bytes of a block without padding."""
    return tensor.itemsize * _padded(box, None)


def padded_bytes(tensor: TilingTensor, box: Box, chunk: Shape) -> int:
    """Count the bytes of a block in whole chunks."""
    return tensor.itemsize * _padded(box, chunk)


@lru_cache(maxsize=1 << 16)
def _padded(box: Box, chunk: Shape | None) -> int:
    """Count the elements of a block, in whole chunks if there are any."""
    extents = (high - low for low, high in box)
    return prod(extents if chunk is None else map(round_up, extents, chunk))

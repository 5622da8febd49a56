"""Blocks of a tensor that are one run of bytes, so that they can be used in place."""

from __future__ import annotations

from collections.abc import Sequence

from .layout import Layout
from .place import LAYOUTS
from .spec import TensorSpec


def byte_offset(whole: TensorSpec, start: Sequence[int], size: Sequence[int]) -> int | None:
    """The offset of the block of this size at `start`, in bytes from the start of the tensor.

    None where the block is not a run of bytes of its own: it shares a chunk with other elements, or
    other elements are between its parts.
    """
    layout = LAYOUTS[whole.layout, whole.dtype.itemsize]
    on_chunks = all(
        begin % chunk == 0 and (count % chunk == 0 or begin + count == extent)
        for begin, count, extent, chunk in zip(start, size, whole.shape, layout.chunk, strict=True)
    )
    if not on_chunks or not _in_one_run(layout, whole, size):
        return None
    return layout.chunk_number(start, whole.shape) * layout.chunk_elements * whole.dtype.itemsize


def _in_one_run(layout: Layout, whole: TensorSpec, size: Sequence[int]) -> bool:
    """Do single chunks come first, in the order of the chunks, then a part, then all?"""
    order = [dim for dim, fixed in layout.pairs if not fixed]
    counts = [_chunks(size[dim], layout.chunk[dim]) for dim in order]
    totals = [_chunks(whole.shape[dim], layout.chunk[dim]) for dim in order]
    first = next((i for i, count in enumerate(counts) if count != 1), len(order))
    return counts[first + 1 :] == totals[first + 1 :]


def _chunks(extent: int, chunk: int) -> int:
    return -(-extent // chunk)

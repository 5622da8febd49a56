"""A tensor as a value object: shape, dtype, quantisation and place.

A block of it that is one run of bytes can be used in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from .dtypes import DType, Quant
from .place import LAYOUTS, Layout, LayoutKind, Memory, Place


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


Shape = tuple[int, ...]


@dataclass(frozen=True)
class TensorSpec:
    """Shape, dtype, quantisation and place of a tensor.

    `place` is None above the placed level and at the boundary of `@main`; it then reads as flat
    in main memory.
    """

    shape: Shape
    dtype: DType
    quant: Quant | None = None
    place: Place | None = None

    @property
    def rank(self) -> int:
        """The number of dims."""
        return len(self.shape)

    @property
    def elements(self) -> int:
        """The number of elements, without padding."""
        return prod(self.shape)

    @property
    def memory(self) -> Memory:
        """The memory that holds the tensor."""
        return self.place.memory if self.place else Memory.DDR

    @property
    def layout(self) -> LayoutKind:
        """The layout family of the tensor."""
        return self.place.layout if self.place else LayoutKind.FLAT

    @property
    def nbytes(self) -> int:
        """Bytes the tensor takes in its layout, padding included."""
        if self.layout is LayoutKind.FLAT:
            return self.elements * self.dtype.itemsize
        layout = LAYOUTS[self.layout, self.dtype.itemsize]
        return layout.elements(self.shape) * self.dtype.itemsize

    def with_shape(self, shape: Shape) -> TensorSpec:
        """The same dtype, quantisation and place with another shape."""
        # The planner makes hundreds of thousands; `replace` takes twice as long.
        return TensorSpec(shape, self.dtype, self.quant, self.place)

    def with_type(self, other: TensorSpec) -> TensorSpec:
        """The same shape and place with the dtype and quantisation of `other`."""
        return replace(self, dtype=other.dtype, quant=other.quant)

    def with_dtype(self, dtype: DType) -> TensorSpec:
        """The same shape and place with a plain dtype."""
        return replace(self, dtype=dtype, quant=None)

    def with_place(self, place: Place | None) -> TensorSpec:
        """The same tensor elsewhere."""
        return replace(self, place=place)

    def transposed(self, perm: Sequence[int]) -> TensorSpec:
        """The same tensor with dim perm[i] as dim i; an axis of its quantisation goes along."""
        moved = self.with_shape(tuple(self.shape[dim] for dim in perm))
        if self.quant is None or self.quant.axis is None:
            return moved
        return replace(moved, quant=replace(self.quant, axis=perm.index(self.quant.axis)))

    def sliced(self, start: Shape, size: Shape) -> TensorSpec:
        """A block of the same tensor; of an encoding along an axis, the part that goes with it."""
        part = self.with_shape(size)
        if self.quant is None or self.quant.axis is None or size == self.shape:
            return part
        axis, (scales, zeros) = self.quant.axis, (self.quant.scales, self.quant.zero_points)
        taken = slice(start[axis], start[axis] + size[axis])
        quant = replace(self.quant, scales=scales[taken], zero_points=zeros[taken])
        return replace(part, quant=quant)

    def same_encoding(self, other: TensorSpec) -> bool:
        """Equal dtype and, where quantised, equal quantisation."""
        return self.dtype is other.dtype and self.quant == other.quant

"""A tensor as a value object: shape, dtype, quantisation and place; layouts; ranges of slices.

A block of a tensor that is one run of bytes can be used in place.

A layout is a list of (dim, size) pairs; size 0 means the rest of that dim. The fixed sizes form
the chunk and every dim is padded up to its chunk. A place is a layout, a memory and, once
allocated, a byte offset. Source: QNN HTP op package documentation, tensors and memory layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from math import prod

from .dtypes import DType, Quant

RANK = 4

CHUNK_BYTES = 2048
"""Bytes of one crouton; TCM is allocated in whole multiples."""


def round_up(value: int, step: int) -> int:
    """The least multiple of `step` that is not below `value`."""
    return -(-value // step) * step


@dataclass(frozen=True)
class Layout:
    """A map from element (b, h, w, d) of a tensor to its position, in elements from the start."""

    name: str
    pairs: tuple[tuple[int, int], ...]

    @cached_property
    def chunk(self) -> tuple[int, ...]:
        """The elements of one chunk along each dim."""
        sizes = [1] * RANK
        for dim, size in self.pairs:
            sizes[dim] *= size or 1
        return tuple(sizes)

    @cached_property
    def chunk_elements(self) -> int:
        """Elements of one chunk, padding included."""
        return prod(self.chunk)

    def padded(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape with every dim rounded up to its chunk."""
        return tuple(round_up(n, c) for n, c in zip(shape, self.chunk, strict=True))

    def elements(self, shape: Sequence[int]) -> int:
        """Elements that a tensor of this shape takes, padding included."""
        return prod(self.padded(shape))

    def offset_in_chunk(self, index: Sequence[int]) -> int:
        """The place of an element inside its chunk: fixed pairs, walked from the right."""
        offset, stride, unit = 0, 1, [1] * RANK
        for dim, size in reversed(self.pairs):
            if size:
                offset += index[dim] // unit[dim] % size * stride
                stride *= size
                unit[dim] *= size
        return offset

    def chunk_number(self, index: Sequence[int], shape: Sequence[int]) -> int:
        """Which chunk holds an element: open pairs, walked from the left."""
        padded, number = self.padded(shape), 0
        for dim, size in self.pairs:
            if not size:
                blocks = padded[dim] // self.chunk[dim]
                number = number * blocks + index[dim] // self.chunk[dim]
        return number

    def address(self, index: Sequence[int], shape: Sequence[int]) -> int:
        """The element's place in memory, in elements from the tensor's start."""
        number = self.chunk_number(index, shape)
        return number * self.chunk_elements + self.offset_in_chunk(index)


_OPEN = ((0, 0), (1, 0), (2, 0), (3, 0))

R4FLAT = Layout("R4Flat", _OPEN)
R4NCHW = Layout("R4NCHW", ((0, 0), (3, 0), (1, 0), (2, 0)))
R4DEPTH32 = Layout("R4Depth32", ((0, 0), (1, 0), (3, 0), (2, 0), (2, 4), (3, 32)))
R4CROUTON = Layout("R4Crouton", (*_OPEN, (1, 8), (2, 8), (3, 32)))
R4CROUTON4X1 = Layout("R4Crouton4x1", (*_OPEN, (1, 8), (2, 2), (3, 32), (2, 4)))
R4CROUTON2X2 = Layout("R4Crouton2x2", (*_OPEN, (1, 4), (2, 4), (3, 32), (1, 2), (2, 2)))
R4CROUTON2 = Layout("R4Crouton2", (*_OPEN, (1, 8), (2, 2), (3, 32), (2, 2)))
R4CROUTON32 = Layout("R4Crouton32", (*_OPEN, (1, 8), (2, 2), (3, 32)))
R4WEIGHTS = Layout("R4Weights", ((3, 0), (2, 0), (0, 0), (1, 0), (2, 8), (3, 32), (2, 4)))


class LayoutKind(Enum):
    """A layout as the IR spells it; which variant it means follows from the element size."""

    FLAT = "flat"
    CROUTON = "crouton"
    CROUTON4X1 = "crouton4x1"
    CROUTON2X2 = "crouton2x2"
    DEPTH32 = "depth32"
    NCHW = "nchw"
    WEIGHTS = "weights"


class Memory(Enum):
    """Main memory or the tightly coupled memory."""

    DDR = "ddr"
    TCM = "tcm"


LAYOUTS: dict[tuple[LayoutKind, int], Layout] = {
    **{(LayoutKind.FLAT, size): R4FLAT for size in (1, 2, 4, 8)},
    **{(LayoutKind.NCHW, size): R4NCHW for size in (1, 2, 4, 8)},
    (LayoutKind.CROUTON, 1): R4CROUTON,
    (LayoutKind.CROUTON, 2): R4CROUTON2,
    (LayoutKind.CROUTON, 4): R4CROUTON32,
    (LayoutKind.CROUTON4X1, 1): R4CROUTON4X1,
    (LayoutKind.CROUTON2X2, 1): R4CROUTON2X2,
    (LayoutKind.DEPTH32, 4): R4DEPTH32,
    (LayoutKind.WEIGHTS, 1): R4WEIGHTS,
}
"""The layout for a kind and an element size in bytes; a pair that is absent is not legal."""


@dataclass(frozen=True)
class Place:
    """A tensor's layout, memory and byte offset (None until allocated; DDR has none)."""

    layout: LayoutKind
    memory: Memory
    offset: int | None = None

    def at(self, offset: int) -> Place:
        """The same place at a byte offset."""
        return replace(self, offset=offset)

    def unplaced(self) -> Place:
        """The same layout and memory without an offset."""
        return replace(self, offset=None)


FLAT_DDR = Place(LayoutKind.FLAT, Memory.DDR)
"""The default placement of a tensor: flat, in main memory, without an offset."""
FLAT_TCM = Place(LayoutKind.FLAT, Memory.TCM)
CROUTON_DDR = Place(LayoutKind.CROUTON, Memory.DDR)
CROUTON_TCM = Place(LayoutKind.CROUTON, Memory.TCM)


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


@dataclass(frozen=True)
class Range:
    """Elements begin, begin + stride, ... on this side of end; resolved, nothing is implied.

    With a negative stride, end -1 represents the place before element 0.
    """

    begin: int
    end: int
    stride: int

    @property
    def count(self) -> int:
        """The number of elements that it takes."""
        return -((self.begin - self.end) // self.stride)

    def fits(self, size: int) -> bool:
        """Tell whether the range is inside `size` elements, and the stride leads to its end."""
        if self.stride > 0:
            return 0 <= self.begin <= self.end <= size
        return self.stride < 0 and -1 <= self.end <= self.begin < size

    def __str__(self) -> str:
        return f"{self.begin}:{self.end}:{self.stride}"


def ranges_of(values: Sequence[int]) -> tuple[Range, ...]:
    """The ranges of a flattened list begin, end, stride, begin, ..."""
    triples = zip(values[::3], values[1::3], values[2::3], strict=True)
    return tuple(Range(*triple) for triple in triples)

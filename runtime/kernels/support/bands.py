"""Tensors as rows: matrices of their last axis, flat rows a band at a time; and as real numbers.

Croutons are unpacked to scratch as far as a band needs them, and packed again band by band, while
the rows are in cache. Flat tensors are not copied.

Tensors of any class are read as flat f32 tensors, or written from them. A quantised element is
real = (stored - zero point) * scale, computed in f32; written, it is divided by the scale in f32,
rounded half to even, moved by the zero point and saturated, NaN as the real number 0. 32-bit
elements lose no digits to their zero point: it is taken off and added in f64.

A slice copies the elements that it shares with its input, and fills the others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod

import numpy as np

from ....dialects.value import (
    FLAT_DDR,
    LAYOUTS,
    DType,
    Layout,
    Quant,
    TensorSpec,
    integer_bounds,
    round_up,
)
from ...functions.support.arrays import Array, Pair
from ...kernel.kernel import Call
from ...tensors.memory import working
from ...tensors.packing import CopyPair, copy_pairs
from ...tensors.tensor_classes import PlainFloatTensor, new_tensor
from ...tensors.tensors import Tensor
from . import pointwise
from .calls import CHUNK, Floats, hoisted, in_order, lasting, scratch, spans

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


Real = tuple[PlainFloatTensor, list[Call]]
"""A tensor of real numbers, and the calls that fill it before use or store it afterwards."""

Pairs = Callable[[Array], Sequence[CopyPair]]
"""From an array of real numbers to views of stored elements and of the same ones in the array."""


def read(tensor: Tensor, storage_order: bool = False, scaled: bool = True) -> Real:
    """Make a tensor of the values and the calls that fill it; no calls where it is flat f32.

    `storage_order`: not in the tensor's shape but in storage order, with extent 1 where the tensor
    has it; only for tensors that are `alike`. `scaled` False: without the scale, as integers.
    """
    if _is_plain(tensor):
        return _real(tensor.shape, tensor.bytes, tensor.constant), []
    real = _scratch(tensor, storage_order)
    calls = _decoded(tensor.spec, real.array, _pairs(tensor, storage_order), scaled)
    return real, hoisted([tensor], calls)


def written(tensor: Tensor, storage_order: bool = False) -> Real:
    """Make memory for a tensor's values and the calls that store them."""
    if _is_plain(tensor):
        return _real(tensor.shape, tensor.bytes, False), []
    real = _scratch(tensor, storage_order)
    return real, list(_encoded(tensor.spec, real.array, _pairs(tensor, storage_order)))


def alike(tensors: Sequence[Tensor]) -> bool:
    """Tell whether elements correspond in storage order, without encodings along an axis."""
    first = tensors[0].spec
    return all(
        spec.layout is first.layout
        and (tensor.flat or spec.dtype.itemsize == first.dtype.itemsize)
        and has_one_encoding(tensor)
        for tensor, spec in ((tensor, tensor.spec) for tensor in tensors)
    )


def has_one_encoding(tensor: Tensor) -> bool:
    """Tell whether equal elements are equal numbers: no encoding along an axis."""
    return tensor.spec.quant is None or tensor.spec.quant.axis is None


def _is_plain(tensor: Tensor) -> bool:
    return tensor.flat and tensor.spec.dtype is DType.Float32


def _real(shape: tuple[int, ...], memory: Array, constant: bool) -> PlainFloatTensor:
    spec = TensorSpec(shape, DType.Float32, None, FLAT_DDR)
    return PlainFloatTensor(spec, memory.view(np.uint8), constant)


def _scratch(tensor: Tensor, storage_order: bool) -> PlainFloatTensor:
    shape = spread(tensor).shape if storage_order else tensor.shape
    memory = lasting(prod(shape)) if tensor.constant else scratch(prod(shape))
    return _real(shape, memory, tensor.constant)


def _pairs(tensor: Tensor, storage_order: bool) -> Pairs:
    return (lambda real: [(spread(tensor), real)]) if storage_order else tensor.copy_pairs


def _decoded(spec: TensorSpec, real: Array, pairs: Pairs, scaled: bool) -> Iterator[Call]:
    """The calls that read stored elements."""
    quant = spec.quant
    wide = np.empty(real.shape, np.float64) if spec.dtype is DType.QInt32 else real
    yield from (partial(np.copyto, to, stored, casting="unsafe") for stored, to in pairs(wide))
    if quant is None:
        return
    zeros, scales = vectors(quant, real.ndim)
    for source, target in zip(_pieces(wide, quant), _pieces(real, quant), strict=True):
        if any(quant.zero_points):
            yield partial(np.subtract, source, zeros, source, casting="same_kind")
        if source is not target:
            yield partial(np.copyto, target, source, casting="same_kind")
        if scaled:
            yield partial(np.multiply, target, scales, target)


def _encoded(spec: TensorSpec, real: Array, pairs: Pairs) -> Iterator[Call]:
    """The calls that store elements; `real` is scratch and holds something else afterwards."""
    wide = real
    if spec.quant is not None:
        wide = np.empty(real.shape, np.float64) if spec.dtype is DType.QInt32 else real
        for source, target in zip(
            _pieces(real, spec.quant), _pieces(wide, spec.quant), strict=True
        ):
            yield in_order(_quantized(spec.dtype, spec.quant, source, target))
    yield from (partial(np.copyto, stored, to, casting="unsafe") for stored, to in pairs(wide))


def _quantized(dtype: DType, quant: Quant, real: Array, whole: Array) -> Iterator[Call]:
    """whole = the stored numbers of `real`, still as floats; both may be one array."""
    zeros, scales = vectors(quant, real.ndim)
    nothing = np.empty(real.shape, np.bool_)
    low, high = integer_bounds(dtype.storage)
    low, high = (
        low if quant.low is None else quant.low,
        high if quant.high is None else quant.high,
    )
    yield partial(np.divide, real, scales, real)
    yield partial(np.isnan, real, nothing)
    yield partial(np.copyto, real, np.zeros((), real.dtype), where=nothing)
    yield partial(np.rint, real, whole)
    if any(quant.zero_points):
        yield partial(np.add, whole, zeros, whole, casting="same_kind")
    yield partial(np.maximum, whole, low, out=whole)
    yield partial(np.minimum, whole, high, out=whole)


def vectors(quant: Quant, rank: int) -> tuple[Array, Array]:
    """Zero points and scales, which broadcast to a tensor of this rank.

    Zero points of 16 bits and less are exact in f32; wider ones are kept in f64.
    """
    shape = () if quant.axis is None else tuple(-1 if i == quant.axis else 1 for i in range(rank))
    small = all(abs(zero) < 1 << 24 for zero in quant.zero_points)
    zeros = np.array(quant.zero_points, np.float32 if small else np.float64)
    return zeros.reshape(shape), np.array(quant.scales, np.float32).reshape(shape)


def _pieces(values: Array, quant: Quant) -> list[Array]:
    """An array in pieces that fit the cache; in one where the encoding has an axis."""
    if quant.axis is not None:
        return [values]
    flat = values.reshape(-1)
    return [flat[span] for span in spans(flat.size, CHUNK)]


Region = tuple[slice, ...]


@dataclass(frozen=True)
class Overlap:
    """The elements that a slice and its input share, by their position in each of the two."""

    source: Region
    target: Region

    @property
    def empty(self) -> bool:
        """Tell whether the slice is wholly outside the input."""
        return any(span.stop <= span.start for span in self.target)


def overlap(shape: Sequence[int], first: Sequence[int], size: Sequence[int]) -> Overlap:
    """Find which of `size` elements from index `first` on, maybe negative, are inside `shape`."""
    lows = [max(0, -begin) for begin in first]
    highs = [min(n, whole - begin) for n, whole, begin in zip(size, shape, first, strict=True)]
    target = tuple(slice(low, max(low, high)) for low, high in zip(lows, highs, strict=True))
    source = tuple(
        slice(span.start + begin, span.stop + begin)
        for span, begin in zip(target, first, strict=True)
    )
    return Overlap(source, target)


def everything(shape: Sequence[int], start: Sequence[int] | None = None) -> Region:
    """Slice the block of this shape that begins at `start`, by default the origin."""
    begins = start if start is not None else [0] * len(shape)
    return tuple(slice(begin, begin + n) for begin, n in zip(begins, shape, strict=True))


def filler(value: float, spec: TensorSpec) -> Array:
    """Store a real number as the spec does; the array broadcasts to the spec's shape."""
    axis = spec.quant.axis if spec.quant else None
    shape = tuple(n if i == axis else 1 for i, n in enumerate(spec.shape))
    tensor = new_tensor(spec.with_shape(shape).with_place(None))
    tensor.store(
        np.full(shape, value, np.float32 if spec.quant or spec.dtype.is_float else np.int64)
    )
    return tensor.stored()

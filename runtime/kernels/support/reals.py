"""Tensors of any class as flat f32 tensors: read as real numbers, or written from them.

A quantised element is real = (stored - zero point) * scale, computed in f32; written, it is divided
by the scale in f32, rounded half to even, moved by the zero point and saturated, NaN as the real
number 0. 32-bit elements lose no digits to their zero point: it is taken off and added in f64.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod

import numpy as np

from ....dialects.value import FLAT_DDR, DType, Quant, TensorSpec, integer_bounds
from ...functions.support.arrays import Array
from ...kernel.kernel import Call
from ...tensors.packing import CopyPair
from ...tensors.tensor_classes import PlainFloatTensor
from ...tensors.tensors import Tensor
from .bands import spread
from .calls import CHUNK, hoisted, in_order, lasting, scratch, spans

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

"""Tensors of any class as flat f32 tensors: read as real numbers, or written from them.

A quantised element is real = (stored - zero point) * scale, computed in f32; written, it is divided
by the scale in f32, rounded half to even, moved by the zero point and saturated, NaN as the real
number 0. 32-bit elements lose no digits to their zero point: it is taken off and added in f64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod

import numpy as np

from ....dialects.value.dtypes import DType, Quant
from ....dialects.value.place import FLAT_DDR
from ....dialects.value.spec import TensorSpec
from ...functions.arrays import Array, integer_bounds
from ...kernel.kernel import Call
from ...tensors.packing import CopyPair
from ...tensors.tensor_classes import PlainFloatTensor
from ...tensors.tensors import Tensor
from .calls import CHUNK, in_order, spans
from .croutons import spread
from .hoisting import hoisted

Real = tuple[PlainFloatTensor, list[Call]]
"""A tensor of real numbers, and the calls that fill it before use or store it afterwards."""

Pairs = Callable[[Array], Sequence[CopyPair]]
"""From an array of real numbers to views of stored elements and of the same ones in the array."""


def read(tensor: Tensor, lying: bool = False, scaled: bool = True) -> Real:
    """The values of a tensor, and the calls that bring them; none where it is a flat f32 one.

    `lying`: not of the tensor's shape but as its elements lie in memory, with extent 1 where the
    tensor has it; only for tensors that are `alike`. `scaled` False: without the scale, as whole
    numbers.
    """
    if _is_plain(tensor):
        return _real(tensor.shape, tensor.bytes, tensor.constant), []
    held = _scratch(tensor, lying)
    calls = _decoded(tensor.spec, held.array, _pairs(tensor, lying), scaled)
    return held, hoisted([tensor], calls)


def written(tensor: Tensor, lying: bool = False) -> Real:
    """Memory for a tensor's values, and the calls that store them."""
    if _is_plain(tensor):
        return _real(tensor.shape, tensor.bytes, False), []
    held = _scratch(tensor, lying)
    return held, list(_encoded(tensor.spec, held.array, _pairs(tensor, lying)))


def alike(tensors: Sequence[Tensor]) -> bool:
    """Whether elements correspond as they lie in memory, and have no encoding along an axis."""
    first = tensors[0].spec
    return all(
        spec.layout is first.layout
        and (tensor.flat or spec.dtype.itemsize == first.dtype.itemsize)
        and ungraded(tensor)
        for tensor, spec in ((tensor, tensor.spec) for tensor in tensors)
    )


def ungraded(tensor: Tensor) -> bool:
    """Whether equal elements stand for equal numbers: no encoding along an axis."""
    return tensor.spec.quant is None or tensor.spec.quant.axis is None


def _is_plain(tensor: Tensor) -> bool:
    return tensor.flat and tensor.spec.dtype is DType.Float32


def _real(shape: tuple[int, ...], memory: Array, constant: bool) -> PlainFloatTensor:
    spec = TensorSpec(shape, DType.Float32, None, FLAT_DDR)
    return PlainFloatTensor(spec, memory.view(np.uint8), constant)


def _scratch(tensor: Tensor, lying: bool) -> PlainFloatTensor:
    shape = spread(tensor).shape if lying else tensor.shape
    return _real(shape, np.empty(prod(shape), np.float32), tensor.constant)


def _pairs(tensor: Tensor, lying: bool) -> Pairs:
    return (lambda real: [(spread(tensor), real)]) if lying else tensor.copy_pairs


def _decoded(spec: TensorSpec, real: Array, pairs: Pairs, scaled: bool) -> Iterator[Call]:
    """The calls that read stored elements."""
    quant = spec.quant
    held = np.empty(real.shape, np.float64) if spec.dtype is DType.QInt32 else real
    yield from (partial(np.copyto, to, stored, casting="unsafe") for stored, to in pairs(held))
    if quant is None:
        return
    zeros, scales = vectors(quant, real.ndim)
    for source, target in zip(_pieces(held, quant), _pieces(real, quant), strict=True):
        if any(quant.zero_points):
            yield partial(np.subtract, source, zeros, source, casting="same_kind")
        if source is not target:
            yield partial(np.copyto, target, source, casting="same_kind")
        if scaled:
            yield partial(np.multiply, target, scales, target)


def _encoded(spec: TensorSpec, real: Array, pairs: Pairs) -> Iterator[Call]:
    """The calls that store elements; `real` is scratch and holds something else afterwards."""
    held = real
    if spec.quant is not None:
        held = np.empty(real.shape, np.float64) if spec.dtype is DType.QInt32 else real
        for source, target in zip(
            _pieces(real, spec.quant), _pieces(held, spec.quant), strict=True
        ):
            yield in_order(_quantized(spec.dtype, spec.quant, source, target))
    yield from (partial(np.copyto, stored, to, casting="unsafe") for stored, to in pairs(held))


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

"""Shapes and constants that a replacement makes, and the elements that constants have.

The filters of a transposed convolution become those of a plain one (sub-pixel convolution). Row
stride * q + r of the result is the sum over t of row q - t of the input times tap stride * t + r.
So the rows of one phase r are a convolution of their own, and those of all phases are one with a
filter for each. Cost: one pass over the filter. Example: of taps a b c and stride 2, rows 2q are c
x[q-1] + a x[q], and rows 2q+1 are b x[q].

Source: W. Shi et al., Is the deconvolution layer the same as a convolutional layer?, 2016.

Stored numbers times factors are an encoding again, of other scales. Channel by channel,
(stored - zero) * scale * factor is (stored - zero) * (scale * |factor|), where a negative factor
mirrors the stored numbers at the zero point, and 0 makes all of them that. Cost: one pass over the
constant. Example: scale 0.5, zero point 1 and stored 3 are 1.0; times -2 they are scale 1.0 and
stored -1.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.spec_of import Array
from ....dialects.value import RANK, DType, Shape, TensorSpec, integer_bounds
from ....dialects.value.dtypes import CODES_IN_A_BYTE, packed, unpacked
from ..graph.graph import INT_MAX, INT_MIN, EvaluationError, ExprKind, Node, Number, convert
from ..tree.build import Builder, NoChange, Reference
from ..tree.expr import External
from ..tree.function import Anything, builds, function
from .external import called
from .queries import tensor


def scaled(array: Array, spec: TensorSpec, factors: Array) -> tuple[Array, TensorSpec] | None:
    """Multiply quantised numbers [..., m] by m factors, or by one: they and their spec.

    None where their scales are along another dim, or a product is none of the storage type's.
    """
    quant, last = spec.quant, len(spec.shape) - 1
    if quant is None or quant.axis not in (None, last) or factors.size not in (1, spec.shape[-1]):
        return None
    by, scales, zeros = (
        np.broadcast_to(np.reshape(each, -1), spec.shape[-1:])
        for each in (factors.astype(np.float64), quant.scales, quant.zero_points)
    )
    stored = zeros + np.sign(by) * (array.astype(np.int64) - zeros)
    sizes = scales * np.where(by == 0, 1, np.abs(by))
    low, high = integer_bounds(spec.dtype.storage)
    low, high = (
        (low if quant.low is None else quant.low),
        (high if quant.high is None else quant.high),
    )
    in_f32 = sizes.astype(np.float32)
    if not (np.isfinite(in_f32) & (in_f32 > 0)).all() or stored.min() < low or stored.max() > high:
        return None
    encoding = replace(
        quant,
        scales=tuple(map(float, sizes)),
        zero_points=tuple(map(int, zeros)),
        axis=last,
    )
    return stored.astype(spec.dtype.storage), replace(spec, quant=encoding)


def phases(
    array: Array, spec: TensorSpec, stride: Sequence[int], groups: int
) -> tuple[Array, TensorSpec]:
    """Turn filters [kh, kw, c, m / groups] into [th, tw, c / groups, m * stride * stride]."""
    (kh, kw, depth, width), (down, across) = array.shape, stride
    th, tw, each = -(-kh // down), -(-kw // across), depth // groups
    # What is stored for the real number 0.
    zeros = spec.quant.zero_points if spec.quant else 0
    dense = np.full((th * down, tw * across, each, groups, width), zeros, array.dtype)
    dense[:kh, :kw] = array.reshape(kh, kw, groups, each, width).swapaxes(2, 3)
    split = dense.reshape(th, down, tw, across, each, groups * width)[::-1, :, ::-1]
    filters = split.transpose(0, 2, 4, 5, 1, 3).reshape(th, tw, each, -1)
    return filters, repeated(spec, filters.shape, groups)


def repeated(spec: TensorSpec, shape: tuple[int, ...], groups: int = 1) -> TensorSpec:
    """Give each scale along the last dim to as many elements in turn as that dim grows by."""
    quant = spec.quant
    if quant is not None and quant.axis is not None:
        times = shape[-1] // (spec.shape[-1] * groups)
        both = (np.tile(each, groups) for each in (quant.scales, quant.zero_points))
        scales, zeros = (tuple(np.repeat(each, times).tolist()) for each in both)
        quant = replace(quant, scales=scales, zero_points=zeros)
    return replace(spec, shape=shape, quant=quant)


MAX_ELEMENTS = 1 << 24
"""Most elements of a generated array: 64 MiB."""


@function
def gen_Shape(first: int, *rest: int) -> Shape:
    """A shape with these dims. Example: `gen_Shape(1, DIM_HEIGHT("S"), 1, 1)`"""
    return tuple(map(int, (first, *rest)))


@function
def gen_ShapeOf(dims: Shape) -> Shape:
    """The dims of a node as a shape. Example: `gen_ShapeOf("*")`"""
    return dims


@builds
def gen_ConstScalar_f32(builder: Builder, ref: Reference, value: Number) -> SSAValue:
    """A constant of one Float32 number. Example: `gen_ConstScalar_f32(1)`"""
    return _array(builder, DType.Float32, [value])


@builds
def gen_ConstScalar_i32(builder: Builder, ref: Reference, value: Number) -> SSAValue:
    """A constant of one Int32 number. Example: `gen_ConstScalar_i32(1)`"""
    return _array(builder, DType.Int32, [value])


@builds
def gen_ConstArr_f32(builder: Builder, ref: Reference, value: Number, count: int) -> SSAValue:
    """A constant of `count` elements of one Float32 number.

    Example: `gen_ConstArr_f32(0.5, DIM_DEPTH("*"))`
    """
    return _array(builder, DType.Float32, [value], count)


@builds
def gen_ConstArr_i32(builder: Builder, ref: Reference, value: Number, count: int) -> SSAValue:
    """A constant of `count` elements of one Int32 number.

    Example: `gen_ConstArr_i32(0.5, DIM_DEPTH("*"))`
    """
    return _array(builder, DType.Int32, [value], count)


@builds
def gen_ConstArr_vals_i32(builder: Builder, ref: Reference, first: int, *rest: int) -> SSAValue:
    """A constant i32 array of these numbers. Example: `gen_ConstArr_vals_i32(0, 1, 3, 2)`"""
    return _array(builder, DType.Int32, [first, *rest])


@builds
def gen_ConstLike(
    builder: Builder, ref: Reference, number: Number, node: Node, dims: Shape
) -> SSAValue:
    """A constant of one number in the element type of a node that is not quantised.

    Example: `gen_ConstLike(1.0, "X", gen_Shape(1, 1, 1, DIM_DEPTH("X")))`
    """
    dtype = tensor(node).dtype
    if dtype.is_quantized:
        raise EvaluationError(f"a node of {dtype.name}; plain numbers alone are made like one")
    if prod(dims) > MAX_ELEMENTS:
        raise EvaluationError(f"{prod(dims)} elements; at most {MAX_ELEMENTS} are allowed")
    return builder.const(np.full(dims, number, dtype.storage), TensorSpec(dims, dtype))


@builds
def gen_ConstFrom(
    builder: Builder, ref: Reference, external: External, node: Node, *rest: Anything
) -> SSAValue:
    """The constant that a registered function makes of nodes, in the float type of the first.

    It has the rank of the function's array.

    Example: `gen_ConstFrom("turned_weights", "W")`
    """
    dtype = tensor(node).dtype
    array = called(builder.env, external, node, *rest)
    if not dtype.is_float or not isinstance(array, np.ndarray):
        raise EvaluationError(f"{external} of a node of {dtype.name} gave no array of floats")
    return builder.const(array.astype(dtype.storage), TensorSpec(array.shape, dtype))


@builds
def gen_ConstTurned(builder: Builder, ref: Reference, node: Node) -> SSAValue:
    """A constant matrix, or a stack of them, with rows and columns exchanged.

    The axis of its encoding goes with them. Example: `gen_ConstTurned("W")`
    """
    array, spec = node.constant, tensor(node)
    if array is None or array.ndim < len(("rows", "columns")):
        raise EvaluationError(f"{node.name} is no constant matrix")
    quant = spec.quant
    if quant is not None and quant.axis is not None:
        axes = [*range(array.ndim - 2), array.ndim - 1, array.ndim - 2]
        quant = replace(quant, axis=axes[quant.axis])
    turned = np.ascontiguousarray(array.swapaxes(-1, -2))
    return builder.const(turned, TensorSpec(turned.shape, spec.dtype, quant))


@builds
def gen_ConstBlocks(
    builder: Builder, ref: Reference, node: Node, groups: int, start: int, size: int
) -> SSAValue:
    """The constant filters from `start` on, of a convolution in groups, as ones of all channels
    that these groups read: a filter is 0 at those of the other groups.

    Example: `gen_ConstBlocks("W", CONSTVAL_INT("group", 0), 0, DIM_OF("W", 3))`
    """
    array, spec = node.constant, tensor(node)
    each = spec.shape[-1] // groups if groups > 0 else 0
    if array is None or array.ndim != RANK or not each or start % each or size % each:
        raise EvaluationError(f"{node.name} has no whole groups of {groups} there")
    part = spec.sliced((0, 0, 0, start), (*spec.shape[:3], size))
    shape = (*spec.shape[:2], size // each * spec.shape[2], size)
    if prod(shape) > MAX_ELEMENTS:
        raise EvaluationError(f"{prod(shape)} elements; at most {MAX_ELEMENTS} are allowed")
    # What is stored for the real number 0.
    dense = np.full(shape, part.quant.zero_points if part.quant else 0, array.dtype)
    for number, columns in enumerate(range(0, size, each)):
        rows = slice(number * spec.shape[2], (number + 1) * spec.shape[2])
        own = array[..., start + columns : start + columns + each]
        dense[:, :, rows, columns : columns + each] = own
    return builder.const(dense, part.with_shape(shape))


@builds
def gen_ConstPhases(
    builder: Builder, ref: Reference, node: Node, stride: Shape, groups: int
) -> SSAValue:
    """The constant filters of a transposed convolution, as those of one of stride 1 whose outputs
    are the places in the stride.

    Example: `gen_ConstPhases("W", gen_Shape(2, 2), CONSTVAL_INT("group", 0))`
    """
    array, spec = node.constant, tensor(node)
    if array is None or array.ndim != RANK or groups < 1 or array.shape[2] % groups:
        raise EvaluationError(f"{node.name} is no constant filter of {groups} groups")
    return builder.const(*phases(array, spec, stride, groups))


@builds
def gen_ConstRepeated(builder: Builder, ref: Reference, node: Node, times: int) -> SSAValue:
    """A constant with each element of its last dim repeated in turn, and its scale with it.

    Example: `gen_ConstRepeated("Bias", 4)`
    """
    array, spec = node.constant, tensor(node)
    if array is None or times < 1 or array.size * times > MAX_ELEMENTS:
        raise EvaluationError(f"{node.name} is no constant, or none to have {times} times")
    longer = np.repeat(array, times, axis=-1)
    return builder.const(longer, repeated(spec, longer.shape))


@builds
def gen_ConstScaled(builder: Builder, ref: Reference, node: Node, factors: Node) -> SSAValue:
    """A quantised constant times constant factors, one for each index of its last dim, or one.

    Its scales change, and the signs of what is stored; where its type lacks a product, the rule
    has no place. Example: `gen_ConstScaled("W", "Scale")`
    """
    array, by = node.constant, factors.constant
    product = None if array is None or by is None else scaled(array, tensor(node), by)
    if product is None:
        raise NoChange
    return builder.const(*product)


@builds
def gen_ConstTurnedCodes(builder: Builder, ref: Reference, node: Node, table: Node) -> SSAValue:
    """The constant codes of a matrix with its two dims exchanged; the table says codes in a byte.

    Example: `gen_ConstTurnedCodes("C", "T")`
    """
    array, count = node.constant, CODES_IN_A_BYTE.get(prod(tensor(table).shape))
    if array is None or count is None or len(array) % count:
        raise EvaluationError(f"{node.name} is no constant of codes whose rows fill bytes")
    turned = packed(np.ascontiguousarray(unpacked(array.astype(np.uint8), count).T), count)
    return builder.const(turned, TensorSpec(turned.shape, DType.UInt8))


def _array(builder: Builder, dtype: DType, values: Sequence[Number], count: int = 1) -> SSAValue:
    """Make a constant [1, 1, 1, n] of these numbers, repeated `count` times."""
    if not 0 < count <= MAX_ELEMENTS:
        raise EvaluationError(f"{count} elements; 1 to {MAX_ELEMENTS} are allowed")
    kind = ExprKind.INT if dtype is DType.Int32 else ExprKind.FLOAT
    converted = [convert(value, kind) for value in values] * count
    shape: Shape = (1, 1, 1, len(converted))
    with np.errstate(over="ignore"):
        array = np.array(converted, dtype=dtype.storage).reshape(shape)
    return builder.const(array, TensorSpec(shape, dtype))


def element(node: Node, index: int) -> float:
    """Return an element of a constant in reading order as a real number; NaN without one."""
    array = node.constant
    if array is None or not 0 <= index < array.size:
        return math.nan
    stored, quant = float(array.flat[index]), node.spec.quant
    if quant is None:
        return stored
    channel = int(np.unravel_index(index, node.shape)[quant.axis]) if quant.axis is not None else 0
    return (stored - quant.zero_points[channel]) * quant.scales[channel]


def int_element(node: Node, index: int) -> int:
    """Return an element of a constant as an int32; INT_MIN where it is none."""
    return int(element(node, index)) if _is_int(node, index) else INT_MIN


def _is_int(node: Node, index: int) -> bool:
    value = element(node, index)
    return math.isfinite(value) and value.is_integer() and INT_MIN <= value <= INT_MAX


def is_number(node: Node, number: float) -> bool:
    """Test that all elements of a constant are a number, within the rounding of their dtype."""
    array, spec, quant = node.constant, node.spec, node.spec.quant
    if array is None or not array.size:
        return False
    values = array.astype(np.float64)
    if quant is not None:
        values = values if quant.axis is None else np.moveaxis(values, quant.axis, -1)
        values = (values - np.array(quant.zero_points)) * np.array(quant.scales)
    step = _STEPS * _PLACE.get(spec.dtype, 0.0) * abs(number)
    return bool(np.all(np.abs(values - number) <= step))


_STEPS = 4
"""Largest error of a constant in units in the last place: exporters compute in other types."""
_PLACE = {DType.Float32: 2.0**-23, DType.Float16: 2.0**-10}
"""The unit in the last place of 1."""


@function
def CONSTVAL_IS(node: Node, number: Number) -> bool:
    """All elements of a constant are this number, within four roundings of their dtype.

    Example: `CONSTVAL_IS("half", 0.5)`
    """
    return is_number(node, number)


@function
def CONSTVAL_INT(node: Node, index: int) -> int:
    """An element of a constant, in reading order, as int; the least int where it is none.

    Example: `EQ(CONSTVAL_INT("axis", 0), 3)`
    """
    return int_element(node, index)


@function
def CONSTVAL_INT_VALID(node: Node, index: int) -> bool:
    """There is such an element and it is an int. Example: `CONSTVAL_INT_VALID("axis", 0)`"""
    return _is_int(node, index)


@function
def CONSTVAL_FLOAT(node: Node, index: int) -> float:
    """An element of a constant, dequantised, as a real number; NaN where there is none.

    Example: `EQ(CONSTVAL_FLOAT("beta", 0), 1.0)`
    """
    return element(node, index)


@function
def CONSTVAL_FLOAT_VALID(node: Node, index: int) -> bool:
    """There is such an element. Example: `CONSTVAL_FLOAT_VALID("beta", 0)`"""
    array = node.constant
    return array is not None and 0 <= index < array.size

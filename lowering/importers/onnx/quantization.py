"""QuantizeLinear and DequantizeLinear: encodings where these say it all, else arithmetic."""

from dataclasses import astuple, dataclass, replace
from math import prod

import numpy as np
from xdsl.utils.exceptions import VerifyException

from ....dialects.qti_aisw.ops.const import const
from ....dialects.spec_of import element_type, text
from ....dialects.value import DType, Quant, TensorSpec, integer_bounds
from ..graph.value import Value, spec_of_array
from ..support.codes import codes_of, in_bytes, is_encoding
from ..support.registry import ImporterSet, NodeContext, counted_axis, require
from ..support.types import QUANTIZED, STORED, dtype_of_onnx, require_few
from .tensors.casts import converted, held

ONNX = ImporterSet(keeps_stored=False)


@dataclass(frozen=True)
class _Blocks:
    """The attributes that say which elements share a scale and a zero point."""

    axis: int = 1
    block_size: int = 0


@ONNX.importer("QuantizeLinear", folds=True)
def quantize(
    ctx: NodeContext,
    x: Value,
    scale: Value,
    zero: Value | None,
    *,
    blocks: _Blocks,
    saturate: bool = True,
    precision: int = 0,
    output_dtype: int = 0,
) -> Value:
    """QuantizeLinear: Quantize of f32 to the encoding that scale, zero point and axis give.

    Where no encoding says them (they are computed, or of blocks, or the type is not an integer of 8
    or 16 bits), or the quotient is not f32, the stored values are computed.
    """
    dtype = ctx.out().dtype
    real = dtype_of_onnx(precision) if precision else x.dtype
    is_f32 = x.dtype is real is DType.Float32
    encoding = _encoding(x, scale, zero, dtype, blocks) if is_f32 else None
    if encoding is not None:
        return x.op("Quantize", to=element_type(*encoding))
    scale, offset = _factor(1, scale, x, blocks), _offset(zero, x, blocks)
    divisor = x if scale.dtype is DType.Float8E8M0FNU else scale
    real = dtype_of_onnx(precision) if precision else divisor.dtype
    return _stored(x.cast(real) / scale.cast(real), offset, dtype, saturate)


def _stored(quotient: Value, offset: Value | None, dtype: DType, saturate: bool) -> Value:
    """x / scale + zero point, of integers rounded before the sum and bounded after it.

    The quotient has the type of the scale, or that of `precision`; the sum is f32. A scale that is
    a power of two has no such type: the data has.
    Source: ONNX spec, QuantizeLinear.
    """
    number = quotient.cast(DType.Float32)
    number = number.round() if dtype.is_integer else number
    number = number if offset is None else number + offset
    if dtype.is_float:
        return converted(number, dtype, saturate=saturate)
    return converted(number.clip(*integer_bounds(dtype.storage)), dtype)


@ONNX.importer("DequantizeLinear", folds=True, keeps_stored=True)
def dequantize(
    ctx: NodeContext,
    x: Value,
    scale: Value,
    zero: Value | None,
    *,
    blocks: _Blocks,
    output_dtype: int = 0,
) -> Value:
    """DequantizeLinear: Dequantize what was quantised so, else (x - zero_point) * scale in f32."""
    spec, wanted = x.spec, ctx.out().dtype
    weights = _stored_weights(x, scale, zero, blocks) if wanted is DType.Float32 else None
    if weights is not None:
        return weights
    if spec.quant is None:
        real, offset = held(x).cast(DType.Float32), _offset(zero, x, blocks)
        real = real if offset is None else real - offset
        return (real * _factor(1, scale, x, blocks).cast(DType.Float32)).cast(wanted)
    stored = STORED[spec.dtype]
    encoding = _encoding(x, scale, zero, stored, blocks)
    same = encoding is not None and spec.same_encoding(TensorSpec((), *encoding))
    problem = "its scale, zero point or axis is not what the input was quantised with"
    require(same, problem, "use the same values on both sides")
    return x.op("Dequantize").cast(wanted)


def _stored_weights(x: Value, scale: Value, zero: Value | None, blocks: _Blocks) -> Value | None:
    """Return constant weights as an encoding or codes say them; None where neither does."""
    stored, scales, zeros = x.array, scale.array, None if zero is None else zero.array
    if stored is None or scales is None or (zero is not None and zeros is None):
        return None
    if stored.ndim > len(("rows", "columns")):
        stored = in_bytes(stored)
    if is_encoding(stored, scales) and not blocks.block_size:
        encoding = _encoding(x, scale, zero, spec_of_array(stored).dtype, blocks)
        if encoding is not None:
            (weights,) = x.emitter.add(const(stored, TensorSpec(stored.shape, *encoding)))
            return Value(weights, x.emitter).op("Dequantize")
    if stored.ndim != len(("rows", "columns")):
        return None
    codes = codes_of(stored, scales, zeros, counted_axis(blocks.axis, stored.ndim))
    if codes is None:
        return None
    first, *others = map(x.const, astuple(codes))
    return first.op("DecodeWeights", *others)


def _factor(index: int, value: Value, x: Value, blocks: _Blocks) -> Value:
    """Return a scale or zero point, an input, in a form that broadcasts to the data."""
    value = held(value)
    own, block, shape = value.shape, blocks.block_size, x.shape
    if prod(own) == 1:
        return value.reshape()
    axis = counted_axis(blocks.axis, x.rank)
    require(block >= 0, f"attribute 'block_size' is {block}")
    if not block:
        fits = own == shape[axis : axis + 1]
        require(fits, f"input {index} has shape {text(own)}, dim {axis} has {shape[axis]}")
        return value.reshape(*own, *(1,) * (x.rank - 1 - axis))
    wanted = (*shape[:axis], -(-shape[axis] // block), *shape[axis + 1 :])
    problem = f"input {index} has shape {text(own)}, blocks of {block} make {text(wanted)}"
    require(own == wanted, problem)
    require_few(shape[axis], f"has blocks along {shape[axis]} elements")
    places = np.arange(shape[axis], dtype=np.int32) // block
    if value.array is not None:
        return value.const(np.take(value.array, places, axis))
    return value.gather(places, axis)


def _offset(zero: Value | None, x: Value, blocks: _Blocks) -> Value | None:
    """Return the zero point as f32; None where it is left out or changes nothing."""
    factor = None if zero is None else _factor(2, zero, x, blocks)
    if factor is None or (factor.array is not None and not factor.array.any()):
        return None
    return factor.cast(DType.Float32)


def _encoding(
    x: Value, scale: Value, zero: Value | None, stored: DType, blocks: _Blocks
) -> tuple[DType, Quant] | None:
    """Return the quantised dtype of a stored one, and its encoding; None where there is none.

    One says constants that are one number, or one for each index of a dim.
    """
    constants = [each.array for each in (scale, zero) if each is not None]
    known = [array for array in constants if array is not None and array.ndim <= 1]
    if stored not in QUANTIZED or blocks.block_size or len(known) < len(constants):
        return None
    scales, zeros = known if zero is not None else (*known, np.zeros(known[0].shape, np.int64))
    require(scales.shape == zeros.shape, "scale and zero point differ in shape")
    quant = Quant(
        tuple(float(number) for number in scales.astype(np.float32).reshape(-1)),
        tuple(int(number) for number in zeros.reshape(-1)),
    )
    if scales.size == 1:
        return QUANTIZED[stored], quant
    axis = blocks.axis
    require(-x.rank <= axis < x.rank, f"attribute 'axis' is {axis}")
    if x.shape[axis] != scales.size:
        problem = f"scale has {scales.size} elements, dim {axis} has {x.shape[axis]}"
        raise VerifyException(problem)
    return QUANTIZED[stored], replace(quant, axis=axis % x.rank)

"""QuantizeLinear and DequantizeLinear: encodings where these say it all, else arithmetic."""

from __future__ import annotations

from dataclasses import astuple, replace
from math import prod

import numpy as np
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from .....dialects.checks import text
from .....dialects.qti_aisw.ops.const import ConstOp, const
from .....dialects.spec_of import element_type, spec_of
from .....dialects.value.dtypes import DType, Quant, integer_bounds
from .....dialects.value.spec import Shape, TensorSpec
from ...graph.arrays import spec_of_array
from ..support.codes import codes_of, in_bytes, is_encoding
from ..support.context import NodeContext
from ..support.faults import NodeFault
from ..support.registry import ImporterSet
from ..support.types import QUANTIZED, dtype_of_onnx
from .tensors.casts import converted, held, plain

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("QuantizeLinear", folds=True)
def quantize(ctx: NodeContext) -> list[SSAValue]:
    """QuantizeLinear: Quantize of f32 to the encoding that scale, zero point and axis give.

    Where no encoding says them (they are computed, or of blocks, or the type is no integer of 8 or
    16 bits), or the quotient is not f32, the stored values are computed.
    """
    saturate, dtype = bool(ctx.integer("saturate", 1)), ctx.out().dtype
    x = ctx.value(0)
    precision = ctx.integer("precision")
    real = dtype_of_onnx(precision) if precision else ctx.dtype(x)
    ctx.integer("output_dtype")
    encoded = ctx.dtype(x) is real is DType.Float32 and dtype in QUANTIZED and _is_encoding(ctx)
    if encoded:
        return [ctx.emit("Quantize", x, to=element_type(*_encoding(ctx, dtype)))]
    return [_stored(ctx, x, dtype, precision, saturate)]


def _stored(
    ctx: NodeContext, x: SSAValue, dtype: DType, precision: int, saturate: bool
) -> SSAValue:
    """x / scale + zero point, of integers rounded before the sum and bounded after it.

    The quotient has the type of the scale, or that of `precision`; the sum is f32. A scale that is
    a power of two has no such type: the data has.
    Source: ONNX spec, QuantizeLinear.
    """
    shape = ctx.shape(x)
    scale, zero = _factor(ctx, 1, shape), _zero(ctx, shape)
    divisor = x if ctx.dtype(scale) is DType.Float8E8M0FNU else scale
    real = dtype_of_onnx(precision) if precision else ctx.dtype(divisor)
    quotient = ctx.emit("ElementWiseDivide", plain(ctx, x, real), plain(ctx, scale, real))
    number = plain(ctx, quotient, DType.Float32)
    if dtype.is_integer:
        number = ctx.emit("ElementWiseRound", number)
    if zero is not None:
        number = ctx.emit("ElementWiseAdd", number, zero)
    if dtype.is_float:
        return converted(ctx, number, dtype, saturate=saturate)
    least, most = integer_bounds(dtype.storage)
    within = ctx.emit("ReluMinMax", number, min_value=float(least), max_value=float(most))
    return converted(ctx, within, dtype)


@ONNX.importer("DequantizeLinear", folds=True, keeps_stored=True)
def dequantize(ctx: NodeContext) -> list[SSAValue]:
    """DequantizeLinear: Dequantize what was quantised so, else (x - zero_point) * scale in f32."""
    ctx.integer("output_dtype")
    weights = _stored_weights(ctx)
    if weights is not None:
        return [weights]
    x = held(ctx, 0)
    spec = spec_of(x)
    if spec.quant is None:
        real, zero = plain(ctx, x, DType.Float32), _zero(ctx, spec.shape)
        if zero is not None:
            real = ctx.emit("ElementWiseSubtract", real, zero)
        scale = plain(ctx, _factor(ctx, 1, spec.shape), DType.Float32)
        real = ctx.emit("ElementWiseMultiply", real, scale)
        return [plain(ctx, real, ctx.out().dtype)]
    stored = next(plain for plain, dtype in QUANTIZED.items() if dtype is spec.dtype)
    same = _is_encoding(ctx) and spec.same_encoding(TensorSpec((), *_encoding(ctx, stored)))
    if not same:
        problem = "its scale, zero point or axis is not what the input was quantised with"
        raise NodeFault(problem, "use the same values on both sides")
    return [plain(ctx, ctx.emit("Dequantize", x), ctx.out().dtype)]


def _stored_weights(ctx: NodeContext) -> SSAValue | None:
    """Return constant weights as an encoding or codes say them; None where neither does."""
    constant = all(name in ctx.emitter.constants for name in ctx.node.input if name)
    if not constant or ctx.out().dtype is not DType.Float32:
        return None
    stored, scale, zero = ctx.constant(0), ctx.constant(1), ctx.optional_constant(2)
    if stored.ndim > len(("rows", "columns")):
        stored = in_bytes(stored)
    if is_encoding(stored, scale) and not ctx.integer("block_size"):
        narrow = spec_of_array(stored).dtype
        spec = TensorSpec(stored.shape, *_encoding(ctx, narrow))
        return ctx.emit("Dequantize", ctx.emitter.add(const(stored, spec))[0])
    if stored.ndim != len(("rows", "columns")):
        return None
    ctx.integer("block_size")
    codes = codes_of(stored, scale, zero, ctx.axis(stored.ndim, 1))
    return None if codes is None else ctx.emit("DecodeWeights", *map(ctx.const, astuple(codes)))


def _is_encoding(ctx: NodeContext) -> bool:
    """Tell whether inputs 1 and 2 are constant, and one number or one for each index of a dim."""
    names = [name for name in ctx.node.input[1:] if name]
    constants = [ctx.emitter.constants.get(name) for name in names]
    return not ctx.integer("block_size") and all(a is not None and a.ndim <= 1 for a in constants)


def _factor(ctx: NodeContext, index: int, shape: Shape) -> SSAValue:
    """Return a scale or zero point in a form that broadcasts to the shape of input 0."""
    value = held(ctx, index)
    own, block = ctx.shape(value), ctx.integer("block_size")
    ctx.integer("axis")
    if prod(own) == 1:
        return ctx.reshape(value, ())
    axis = ctx.axis(len(shape), 1)
    ctx.require(block >= 0, f"attribute 'block_size' is {block}")
    if not block:
        fits = own == shape[axis : axis + 1]
        ctx.require(fits, f"input {index} has shape {text(own)}, dim {axis} has {shape[axis]}")
        return ctx.reshape(value, (*own, *(1,) * (len(shape) - 1 - axis)))
    blocks = (*shape[:axis], -(-shape[axis] // block), *shape[axis + 1 :])
    problem = f"input {index} has shape {text(own)}, blocks of {block} make {text(blocks)}"
    ctx.require(own == blocks, problem)
    places = np.arange(shape[axis], dtype=np.int32) // block
    if isinstance(value.owner, ConstOp):
        return ctx.const(np.take(value.owner.array, places, axis))
    return ctx.emit("Gather", value, ctx.const(places), axis=axis)


def _zero(ctx: NodeContext, shape: Shape) -> SSAValue | None:
    """Return the zero point as f32; None where it is left out or changes nothing."""
    if not ctx.has(2):
        return None
    zero = _factor(ctx, 2, shape)
    if isinstance(zero.owner, ConstOp) and not zero.owner.array.any():
        return None
    return plain(ctx, zero, DType.Float32)


def _encoding(ctx: NodeContext, stored: DType) -> tuple[DType, Quant]:
    """Return the quantised dtype and its encoding, from inputs 1 and 2 and the attribute `axis`."""
    scales = ctx.constant(1).astype(np.float32)
    zeros = ctx.optional_constant(2)
    axis = ctx.integer("axis", 1)
    if zeros is None:
        zeros = np.zeros(scales.shape, np.int64)
    ctx.require(scales.shape == zeros.shape, "scale and zero point differ in shape")
    quant = Quant(
        tuple(float(scale) for scale in scales.reshape(-1)),
        tuple(int(zero) for zero in zeros.reshape(-1)),
    )
    if scales.size == 1:
        return QUANTIZED[stored], quant
    shape = ctx.shape(ctx.value(0))
    ctx.require(-len(shape) <= axis < len(shape), f"attribute 'axis' is {axis}")
    if shape[axis] != scales.size:
        raise VerifyException(f"scale has {scales.size} elements, dim {axis} has {shape[axis]}")
    return QUANTIZED[stored], replace(quant, axis=axis % len(shape))

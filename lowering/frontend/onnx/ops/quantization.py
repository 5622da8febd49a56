"""Changes of element type: Cast, QuantizeLinear, DequantizeLinear."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from .....dialects.spec_of import element_type, plain_element_type, spec_of
from .....dialects.value.dtypes import DType, Quant
from .....dialects.value.spec import TensorSpec
from ...graph.arrays import UnknownType
from ..support.context import NodeContext
from ..support.faults import NodeFault
from ..support.registry import ImporterSet
from ..support.types import QUANTIZED, dtype_of_onnx

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Cast", folds=True)
def cast(ctx: NodeContext) -> list[SSAValue]:
    """Cast; attributes that only concern 8-bit floats change nothing."""
    ctx.only("saturate", 0, 1)
    ctx.only("round_mode", "up", "down", "nearest")
    x, to = ctx.value(0), ctx.integer("to")
    try:
        dtype = dtype_of_onnx(to)
    except UnknownType as problem:
        raise NodeFault(f"attribute 'to' is {problem}", "cast to another type") from problem
    return [x if dtype is ctx.dtype(x) else ctx.emit("Cast", x, to=plain_element_type(dtype))]


@ONNX.importer("CastLike", folds=True)
def cast_like(ctx: NodeContext) -> list[SSAValue]:
    """CastLike: the dtype of the second input."""
    ctx.only("saturate", 0, 1)
    ctx.only("round_mode", "up", "down", "nearest")
    x, dtype = ctx.value(0), ctx.dtype(ctx.value(1))
    return [x if dtype is ctx.dtype(x) else ctx.emit("Cast", x, to=plain_element_type(dtype))]


@ONNX.importer("QuantizeLinear", folds=True)
def quantize(ctx: NodeContext) -> list[SSAValue]:
    """QuantizeLinear: Quantize to the encoding that scale, zero point and axis give.

    With a scale that is computed, the stored integers are computed too.
    """
    ctx.only("saturate", 0, 1)
    ctx.only("precision", 0, 1)
    x = ctx.value(0)
    ctx.integer("output_dtype")
    if ctx.has(1) and ctx.node.input[1] not in ctx.emitter.constants:
        return [_stored(ctx, x, ctx.out().dtype)]
    dtype, quant = _encoding(ctx, ctx.out().dtype)
    return [ctx.emit("Quantize", x, to=element_type(dtype, quant))]


def _stored(ctx: NodeContext, x: SSAValue, dtype: DType) -> SSAValue:
    """round(x / scale) + zero point, within the bounds of the dtype, as DynamicQuantizeLinear does.

    Source: ONNX spec, QuantizeLinear.
    """
    scale, zero = ctx.value(1), ctx.optional(2)
    widest = 2 if ctx.dtype(x) is DType.Float32 else 1
    exact = dtype in QUANTIZED and dtype.itemsize <= widest
    ctx.require(exact, f"a computed scale cannot give {dtype.name}", "make it an initializer")
    one = all(ctx.shape(v) in ((), (1,)) for v in (scale, zero) if v is not None)
    ctx.require(one, "its computed scale is not one number", "make it an initializer")
    ctx.require(not ctx.integer("block_size"), "attribute 'block_size' is not supported")
    ctx.integer("axis")
    quotient = ctx.emit("ElementWiseDivide", x, ctx.reshape(scale, ()))
    number = ctx.emit("ElementWiseRound", quotient)
    if zero is not None:
        shift = ctx.emit("Cast", ctx.reshape(zero, ()), to=plain_element_type(ctx.dtype(x)))
        number = ctx.emit("ElementWiseAdd", number, shift)
    bounds = np.iinfo(dtype.storage.str)
    within = ctx.emit(
        "ReluMinMax", number, min_value=float(bounds.min), max_value=float(bounds.max)
    )
    return ctx.emit("Cast", within, to=plain_element_type(dtype))


@ONNX.importer("DequantizeLinear", folds=True, keeps_stored=True)
def dequantize(ctx: NodeContext) -> list[SSAValue]:
    """DequantizeLinear: Dequantize what was quantised so, else (x - zero_point) * scale."""
    ctx.only("output_dtype", 0, 1)
    x = ctx.value(0)
    spec = spec_of(x)
    if spec.quant is None:
        return [_computed(ctx, x, *_encoding(ctx, spec.dtype))]
    stored = next(plain for plain, dtype in QUANTIZED.items() if dtype is spec.dtype)
    expected = spec.with_type(TensorSpec((), *_encoding(ctx, stored)))
    if expected != spec:
        problem = "its scale, zero point or axis is not what the input was quantised with"
        raise NodeFault(problem, "use the same values on both sides")
    return [ctx.emit("Dequantize", x)]


def _encoding(ctx: NodeContext, stored: DType) -> tuple[DType, Quant]:
    """Return the quantised dtype and its encoding, from inputs 1 and 2 and the attribute `axis`."""
    ctx.require(stored in QUANTIZED, f"{stored.name} cannot hold quantised values")
    ctx.require(not ctx.integer("block_size"), "attribute 'block_size' is not supported")
    scales = ctx.constant(1).astype(np.float32)
    zeros = ctx.optional_constant(2)
    axis = ctx.integer("axis", 1)
    if zeros is None:
        zeros = np.zeros(scales.shape, np.int64)
    ctx.require(scales.shape == zeros.shape, "scale and zero point differ in shape")
    ctx.require(scales.ndim <= 1, f"scale has rank {scales.ndim}, 0 and 1 are supported")
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


def _computed(ctx: NodeContext, x: SSAValue, dtype: DType, quant: Quant) -> SSAValue:
    """(x - zero_point) * scale of plain integers."""
    rank, axis = len(ctx.shape(x)), quant.axis
    shape = () if axis is None else (len(quant.scales), *(1,) * (rank - 1 - axis))
    scales = np.asarray(quant.scales, np.float32).reshape(shape)
    zeros = np.asarray(quant.zero_points, np.float32).reshape(shape)
    real = ctx.emit("Cast", x, to=plain_element_type(DType.Float32))
    if zeros.any():
        real = ctx.emit("ElementWiseSubtract", real, ctx.const(zeros))
    return ctx.emit("ElementWiseMultiply", real, ctx.const(scales))

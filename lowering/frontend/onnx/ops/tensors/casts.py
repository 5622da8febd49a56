"""Cast, CastLike and BitCast, to all element types. Source: ONNX spec, Cast and BitCast."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.spec_of import element_type, plain_element_type, spec_of
from ......dialects.value.dtypes import INSTEAD, DType
from ....graph.arrays import UnknownType, spec_of_array
from ...support.context import NodeContext
from ...support.faults import NodeFault
from ...support.registry import ImporterSet
from ...support.types import dtype_of_onnx

ONNX = ImporterSet(keeps_stored=False)

_LARGEST = {
    DType.Float8E4M3FN: 448.0,
    DType.Float8E4M3FNUZ: 240.0,
    DType.Float8E5M2: 57344.0,
    DType.Float8E5M2FNUZ: 57344.0,
}
"""The largest number of each float type that a cast may saturate to."""

_POWERS = (2.0**-127, 2.0**127)
"""The least and the largest number of f8E8M0FNU, which has powers of two alone."""

_BYTE = (DType.Int8, DType.UInt8)


@ONNX.importer("Cast", folds=True)
def cast(ctx: NodeContext) -> list[SSAValue]:
    """Cast; a constant of a type that HTP lacks is widened at once."""
    to = ctx.integer("to")
    try:
        dtype = dtype_of_onnx(to)
    except UnknownType as problem:
        raise NodeFault(f"attribute 'to' is {problem}", "cast to another type") from problem
    return [_as_said(ctx, dtype)]


@ONNX.importer("CastLike", folds=True)
def cast_like(ctx: NodeContext) -> list[SSAValue]:
    """CastLike: the dtype of the second input."""
    return [_as_said(ctx, ctx.dtype(ctx.value(1)))]


@ONNX.importer("BitCast", folds=True)
def bit_cast(ctx: NodeContext) -> list[SSAValue]:
    """BitCast."""
    ctx.integer("to")
    x, dtype = ctx.value(0), ctx.out().dtype
    return [x if dtype is ctx.dtype(x) else ctx.emit("BitCast", x, to=plain_element_type(dtype))]


def _as_said(ctx: NodeContext, dtype: DType) -> SSAValue:
    """Return the input in a dtype, as the attributes say, which concern 8-bit floats alone."""
    saturate, mode = bool(ctx.integer("saturate", 1)), ctx.text("round_mode", "up")
    x = held(ctx, 0) if dtype.on_htp else ctx.value(0)
    if dtype is DType.Float8E8M0FNU and ctx.dtype(x) is not dtype:
        problem = f"attribute 'round_mode' is {mode}"
        ctx.require(mode in _MODES, problem, "use up, down or nearest")
        return _power_of_two(ctx, plain(ctx, x, DType.Float32), saturate, mode)
    return converted(ctx, x, dtype, saturate=saturate)


def converted(ctx: NodeContext, x: SSAValue, dtype: DType, *, saturate: bool = True) -> SSAValue:
    """Return the value in another dtype, nothing new where it has it already.

    Floats become integers of less than a byte by their low bits, as those of more bits do. Numbers
    past the largest 8-bit float become that, or with `saturate` off infinity or NaN.
    """
    source = ctx.dtype(x)
    if source.is_float and INSTEAD.get(dtype) in _BYTE:
        return plain(ctx, plain(ctx, x, DType.Int32), dtype)
    if saturate and dtype in _LARGEST and source is not dtype:
        # Bounds must be numbers of the type that is bounded.
        wide = x if source.is_float and source.itemsize > 1 else plain(ctx, x, DType.Float32)
        most = _LARGEST[dtype]
        x = ctx.emit("ReluMinMax", wide, min_value=-most, max_value=most)
    return plain(ctx, x, dtype)


def plain(ctx: NodeContext, x: SSAValue, dtype: DType) -> SSAValue:
    """Return the value after a Cast, nothing new where it has the dtype already."""
    return x if ctx.dtype(x) is dtype else ctx.emit("Cast", x, to=plain_element_type(dtype))


def real_of(dtype: DType) -> DType:
    """Return the float that fractions of numbers are computed in: a float itself, else a wide one.

    f64 holds integers of 32 bits, and is the widest for those of 64.
    """
    if dtype.is_float:
        return dtype
    return DType.Float64 if dtype.itemsize > 2 else DType.Float32


def rounded(ctx: NodeContext, x: SSAValue, dtype: DType) -> SSAValue:
    """Return reals in a dtype; an integer is the nearest one, the even one of two."""
    exact = dtype.is_float or ctx.dtype(x) is dtype
    return plain(ctx, x if exact else ctx.emit("ElementWiseRound", x), dtype)


def decoded(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """Return the real numbers of a quantised value; any other as it is."""
    return x if spec_of(x).quant is None else ctx.emit("Dequantize", x)


def encoded(ctx: NodeContext, x: SSAValue, like: SSAValue) -> SSAValue:
    """Return real numbers quantised as another value is, else in the dtype of the result."""
    spec = spec_of(like)
    if spec.quant is None:
        return rounded(ctx, x, ctx.out().dtype)
    return ctx.emit("Quantize", x, to=element_type(spec.dtype, spec.quant))


def real_number(ctx: NodeContext, stored: float, x: SSAValue) -> float:
    """Return the number that a stored one is in a value, in f32 where that is quantised."""
    quant = spec_of(x).quant
    if quant is None:
        return stored
    ctx.require(quant.axis is None, "sets elements of data with a scale for each index of a dim")
    return float(np.float32((stored - quant.zero_point) * quant.scale))


def held(ctx: NodeContext, index: int) -> SSAValue:
    """Return an input; a constant of a type that HTP lacks in a wider one that it has.

    Floats of 64 bits and unsigned integers of 64 bits have no wider type, and stay.
    """
    array = ctx.emitter.constants.get(ctx.node.input[index])
    dtype = None if array is None else spec_of_array(array).dtype
    if array is None or dtype not in _WIDER:
        return ctx.value(index)
    return ctx.const(ctx.constant(index).astype(_WIDER[dtype].storage))


_WIDER = {
    dtype: DType.Float32 if dtype.is_float else instead
    for dtype, instead in INSTEAD.items()
    if dtype not in (DType.Float64, DType.UInt64)
}
"""The type that HTP has for all numbers of one that it lacks."""


_MODES = {
    "up": ("ElementWiseGreater", 1.0),
    "down": ("ElementWiseGreaterEqual", 2.0),
    "nearest": ("ElementWiseGreaterEqual", 1.5),
}
"""The comparison that sends a number to the next power of two, and the factor of the last one."""


def _power_of_two(ctx: NodeContext, x: SSAValue, saturate: bool, mode: str) -> SSAValue:
    """Round f32 numbers to f8E8M0FNU, which Cast does to the nearest one.

    NaN stays. Of negative numbers, which the type lacks, and of 0 without `saturate`, NaN is made.
    """
    if saturate:
        x = ctx.emit("ReluMinMax", x, min_value=_POWERS[0], max_value=_POWERS[1])
    near = plain(ctx, plain(ctx, x, DType.Float8E8M0FNU), DType.Float32)
    half = ctx.emit("ElementWiseMultiply", near, ctx.scalar(0.5, near))
    above = ctx.emit("ElementWiseGreater", near, x)
    last = ctx.emit("ElementWiseSelect", above, half, near)
    comparison, factor = _MODES[mode]
    bound = ctx.emit("ElementWiseMultiply", last, ctx.scalar(factor, last))
    twice = ctx.emit("ElementWiseMultiply", last, ctx.scalar(2, last))
    chosen = ctx.emit("ElementWiseSelect", ctx.emit(comparison, x, bound), twice, last)
    return plain(ctx, chosen, DType.Float8E8M0FNU)

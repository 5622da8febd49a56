"""Cast, CastLike and BitCast, to all element types. Source: ONNX spec, Cast and BitCast."""

import numpy as np

from .....dialects.spec_of import element_type
from .....dialects.value import INSTEAD, DType
from ...graph.value import UnknownType, Value, where
from ...support.registry import ImporterSet, NodeContext, NodeFault, require
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
def cast(x: Value, *, to: int, saturate: bool = True, round_mode: str = "up") -> Value:
    """Cast; a constant of a type that HTP lacks is widened at once."""
    try:
        dtype = dtype_of_onnx(to)
    except UnknownType as problem:
        raise NodeFault(f"attribute 'to' is {problem}", "cast to another type") from problem
    return _as_said(x, dtype, saturate, round_mode)


@ONNX.importer("CastLike", folds=True)
def cast_like(x: Value, like: Value, *, saturate: bool = True, round_mode: str = "up") -> Value:
    """CastLike: the dtype of the second input."""
    return _as_said(x, like.dtype, saturate, round_mode)


@ONNX.importer("BitCast", folds=True)
def bit_cast(x: Value, *, to: int) -> Value:
    """BitCast."""
    dtype = dtype_of_onnx(to)
    return x if dtype is x.dtype else x.op("BitCast", to=dtype)


def _as_said(x: Value, dtype: DType, saturate: bool, mode: str) -> Value:
    """Return a value in a dtype, as the attributes say, which concern 8-bit floats alone."""
    x = held(x) if dtype.on_htp else x
    if dtype is DType.Float8E8M0FNU and x.dtype is not dtype:
        problem = f"attribute 'round_mode' is {mode}"
        require(mode in _MODES, problem, "use up, down or nearest")
        return _power_of_two(x.cast(DType.Float32), saturate, mode)
    return converted(x, dtype, saturate=saturate)


def converted(x: Value, dtype: DType, *, saturate: bool = True) -> Value:
    """Return the value in another dtype, nothing new where it has it already.

    Floats become integers of less than a byte by their low bits, as those of more bits do. Numbers
    past the largest 8-bit float become that, or with `saturate` off infinity or NaN.
    """
    source = x.dtype
    if source.is_float and INSTEAD.get(dtype) in _BYTE:
        return x.cast(DType.Int32).cast(dtype)
    if saturate and dtype in _LARGEST and source is not dtype:
        # Bounds must be numbers of the type that is bounded.
        wide = x if source.is_float and source.itemsize > 1 else x.cast(DType.Float32)
        x = wide.clip(-_LARGEST[dtype], _LARGEST[dtype])
    return x.cast(dtype)


def real_of(dtype: DType) -> DType:
    """Return the float that fractions of numbers are computed in: a float itself, else a wide one.

    f64 holds integers of 32 bits, and is the widest for those of 64.
    """
    if dtype.is_float:
        return dtype
    return DType.Float64 if dtype.itemsize > 2 else DType.Float32


def rounded(x: Value, dtype: DType) -> Value:
    """Return reals in a dtype; an integer is the nearest one, the even one of two."""
    exact = dtype.is_float or x.dtype is dtype
    return (x if exact else x.round()).cast(dtype)


def decoded(x: Value) -> Value:
    """Return the real numbers of a quantised value; any other value itself."""
    return x if x.spec.quant is None else x.op("Dequantize")


def encoded(ctx: NodeContext, x: Value, like: Value) -> Value:
    """Return real numbers quantised as another value is, else in the dtype of the result."""
    quant = like.spec.quant
    if quant is None:
        return rounded(x, ctx.out().dtype)
    return x.op("Quantize", to=element_type(like.dtype, quant))


def real_number(stored: float, x: Value) -> float:
    """Return the number that a stored one is in a value, in f32 where that is quantised."""
    quant = x.spec.quant
    if quant is None:
        return stored
    require(quant.axis is None, "sets elements of data with a scale for each index of a dim")
    return float(np.float32((stored - quant.zero_point) * quant.scale))


def held(x: Value) -> Value:
    """Return a value; a constant of a type that HTP lacks in a wider one that it has.

    Floats of 64 bits and unsigned integers of 64 bits have no wider type, and stay.
    """
    if x.array is None or x.dtype not in _WIDER:
        return x
    return x.const(x.array.astype(_WIDER[x.dtype].storage))


_WIDER: dict[DType, DType] = {
    dtype: DType.Float32 if dtype.is_float else instead
    for dtype, instead in INSTEAD.items()
    if dtype not in (DType.Float64, DType.UInt64)
}
"""For each type that HTP lacks one that it has and that holds all of its numbers."""


_MODES = {"up": (Value.__gt__, 1.0), "down": (Value.__ge__, 2.0), "nearest": (Value.__ge__, 1.5)}
"""The comparison that sends a number to the next power of two, and the factor of the last one."""


def _power_of_two(x: Value, saturate: bool, mode: str) -> Value:
    """Round f32 numbers to f8E8M0FNU, which Cast does to the nearest one.

    NaN stays. Of negative numbers, which the type lacks, and of 0 without `saturate`, NaN is made.
    """
    x = x.clip(*_POWERS) if saturate else x
    near = x.cast(DType.Float8E8M0FNU).cast(DType.Float32)
    half = near * 0.5
    last = where(near > x, half, near)
    is_past, factor = _MODES[mode]
    bound, twice = last * factor, last * 2
    return where(is_past(x, bound), twice, last).cast(DType.Float8E8M0FNU)

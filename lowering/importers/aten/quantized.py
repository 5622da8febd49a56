"""Quantize and dequantize ops: those of programs that PyTorch quantised, and ATen's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....dialects.qti_aisw.ops.const import const
from ....dialects.spec_of import element_type
from ....dialects.value import DType, Quant, TensorSpec, integer_bounds
from ....runtime.functions.quantize import dequantize, quantize
from ..graph.value import Value
from ..support.registry import require
from ..support.types import QUANTIZED
from .registry import TorchConversions

if TYPE_CHECKING:
    from .node import AtenNode

ATEN = TorchConversions()

_BY_NAME = {f"torch.{dtype.storage}": dtype for dtype in QUANTIZED}
"""The dtypes of PyTorch whose numbers are stored ones."""

_FAKE = ("aten.fake_quantize_per_tensor_affine", "aten.fake_quantize_per_channel_affine")
_STORED = tuple(f"quantized_decomposed.dequantize_per_{part}" for part in ("tensor", "channel"))

DEQUANTIZES = dict.fromkeys(_STORED, True)
"""The ops that take quantised tensors."""


@ATEN.conversion(*(f"quantized_decomposed.quantize_per_{part}" for part in ("tensor", "channel")))
def stored(node: AtenNode, input: Value) -> Value:
    """quantize_per_tensor and quantize_per_channel: Quantize."""
    return _quantized(input, *_encoding(node))


@ATEN.conversion(*_STORED)
def reals(node: AtenNode, input: Value) -> Value:
    """dequantize_per_tensor and dequantize_per_channel: Dequantize of the same encoding."""
    x, data = input, input.array
    dtype, quant = _encoding(node)
    spec = TensorSpec(x.shape, dtype, quant)
    if data is not None:
        if dtype is DType.QInt32:
            return x.const(dequantize(data, quant.scales, quant.zero_points, quant.axis))
        x = Value(x.emitter.add(const(data, spec))[0], x.emitter)
    problem = "its scale, zero point or range is not what the input was quantised with"
    require(x.spec.same_encoding(spec), problem, "use the same values on both sides")
    return x.op("Dequantize")


@ATEN.conversion(*_FAKE)
def there_and_back(node: AtenNode, self: Value) -> Value:
    """fake_quantize: Quantize and Dequantize."""
    return _quantized(self, *_encoding(node)).op("Dequantize")


def _quantized(x: Value, dtype: DType, quant: Quant) -> Value:
    if x.array is not None:
        pick = 0 if quant.axis is None else slice(None)
        scales, zeros = np.asarray(quant.scales)[pick], np.asarray(quant.zero_points)[pick]
        data = quantize(x.array, scales, zeros, dtype.storage, quant.axis)
        low, high = (end if end is not None else data for end in (quant.low, quant.high))
        data = np.clip(data, low, high).astype(data.dtype)
        (stored,) = x.emitter.add(const(data, TensorSpec(data.shape, dtype, quant)))
        return Value(stored, x.emitter)
    return x.op("Quantize", to=element_type(dtype, quant))


def _encoding(node: AtenNode) -> tuple[DType, Quant]:
    """Return the encoding that a node's arguments say."""
    args = node.info.args
    names = [
        next(name for name in (one, f"{one}s") if name in args) for one in ("scale", "zero_point")
    ]
    scales, zeros = (np.atleast_1d(_number(node, name)) for name in names)
    low, high, stated = args["quant_min"], args["quant_max"], args.get("dtype")
    dtype = _least(low, high) if stated is None else _BY_NAME.get(str(stated))
    require(dtype is not None, f"quantises to {stated}", "use 8 or 16 bits")
    plain = dtype or DType.UInt8
    axis = None if args.get("axis") is None else int(args["axis"]) % len(node.out().shape)
    ends = integer_bounds(plain.storage)
    whole = low is None or (low <= ends[0] and high >= ends[1])
    zeros = np.resize(zeros, scales.shape)
    return QUANTIZED[plain], Quant(
        tuple(float(scale) for scale in np.asarray(scales, np.float32)),
        tuple(int(zero) for zero in zeros),
        axis,
        *((None, None) if whole else (low, high)),
    )


def _number(node: AtenNode, name: str) -> np.ndarray | float:
    """Return a number, or the data of a constant tensor."""
    argument = node.info.args[name]
    if argument is None:
        return 0.0
    return argument if isinstance(argument, int | float) else node.constant(argument, name)


def _least(low: int, high: int) -> DType | None:
    """Return the dtype of the fewest bits that has a range of numbers."""
    dtypes = (DType.UInt8, DType.Int8, DType.UInt16, DType.Int16)
    bounds = ((dtype, integer_bounds(dtype.storage)) for dtype in dtypes)
    return next((d for d, (least, most) in bounds if least <= low and high <= most), None)

"""Quantize and dequantize ops: those of programs that PyTorch quantised, and ATen's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.qti_aisw.ops.const import ConstOp, const
from ....dialects.spec_of import element_type, spec_of
from ....dialects.value.dtypes import DType, Quant, integer_bounds
from ....dialects.value.spec import TensorSpec
from ....runtime.functions.quantize import dequantize, quantize
from ..onnx.support.types import QUANTIZED
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
def stored(node: AtenNode) -> SSAValue:
    """quantize_per_tensor and quantize_per_channel: Quantize."""
    return _quantized(node, node.value("input"), *_encoding(node))


@ATEN.conversion(*_STORED)
def reals(node: AtenNode) -> SSAValue:
    """dequantize_per_tensor and dequantize_per_channel: Dequantize of the same encoding."""
    x = node.value("input")
    dtype, quant = _encoding(node)
    spec = TensorSpec(node.shape(x), dtype, quant)
    if isinstance(x.owner, ConstOp):
        data = x.owner.array
        if dtype is DType.QInt32:
            return node.const(dequantize(data, quant.scales, quant.zero_points, quant.axis))
        x = node.emitter.add(const(data, spec))[0]
    problem = "its scale, zero point or range is not what the input was quantised with"
    node.require(spec_of(x).same_encoding(spec), problem, "use the same values on both sides")
    return node.emit("Dequantize", x)


@ATEN.conversion(*_FAKE)
def there_and_back(node: AtenNode) -> SSAValue:
    """fake_quantize: Quantize and Dequantize."""
    return node.emit("Dequantize", _quantized(node, node.value("self"), *_encoding(node)))


def _quantized(node: AtenNode, x: SSAValue, dtype: DType, quant: Quant) -> SSAValue:
    if isinstance(x.owner, ConstOp):
        pick = 0 if quant.axis is None else slice(None)
        scales, zeros = np.asarray(quant.scales)[pick], np.asarray(quant.zero_points)[pick]
        data = quantize(x.owner.array, scales, zeros, dtype.storage, quant.axis)
        low, high = (end if end is not None else data for end in (quant.low, quant.high))
        data = np.clip(data, low, high).astype(data.dtype)
        return node.emitter.add(const(data, TensorSpec(data.shape, dtype, quant)))[0]
    return node.emit("Quantize", x, to=element_type(dtype, quant))


def _encoding(node: AtenNode) -> tuple[DType, Quant]:
    """Return the encoding that a node's arguments say."""
    names = [node.first(*pair) for pair in (("scale", "scales"), ("zero_point", "zero_points"))]
    scales, zeros = (np.atleast_1d(_number(node, name)) for name in names)
    low, high = (node.argument(f"quant_{end}") for end in ("min", "max"))
    stated = str(node.argument("dtype"))
    dtype = _BY_NAME.get(stated) if node.given("dtype") else _least(low, high)
    node.require(dtype is not None, f"quantises to {stated}", "use 8 or 16 bits")
    plain = dtype or DType.UInt8
    axis = int(node.argument("axis")) % len(node.out().shape) if node.given("axis") else None
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
    argument = node.argument(name)
    if argument is None:
        return 0.0
    return argument if isinstance(argument, int | float) else node.constant(argument, name)


def _least(low: int, high: int) -> DType | None:
    """Return the dtype of the fewest bits that has a range of numbers."""
    dtypes = (DType.UInt8, DType.Int8, DType.UInt16, DType.Int16)
    bounds = ((dtype, integer_bounds(dtype.storage)) for dtype in dtypes)
    return next((d for d, (least, most) in bounds if least <= low and high <= most), None)

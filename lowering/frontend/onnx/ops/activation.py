"""Activations with attributes, and those that graph IR spells out in simpler ops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...graph.value import Value, where
from ..support.faults import require
from ..support.registry import ImporterSet
from ..support.types import DTYPES
from .tensors.casts import real_of
from .tensors.steps import fits_param

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Relu", folds=True)
def relu(x: Value) -> Value:
    """Relu; of integers the larger of the number and 0."""
    return x.maximum(0) if x.dtype.is_integer else x.op("Relu")


@ONNX.importer("LeakyRelu")
def leaky_relu(x: Value, *, alpha: float = 0.01) -> Value:
    return x.op("LeakyRelu", alpha=alpha)


@ONNX.importer("Elu")
def elu(x: Value, *, alpha: float = 1.0) -> Value:
    return x.op("Elu", alpha=alpha)


@ONNX.importer("PRelu")
def prelu(x: Value, slope: Value) -> Value:
    """PRelu; of integers a choice between the number and its product with the slope."""
    return x.op("Prelu", slope) if x.dtype.is_float else where(x < 0, x * slope, x)


@ONNX.importer("Gelu")
def gelu(x: Value, *, approximate: str = "none") -> Value:
    """Gelu, and GeluTanh for its other form."""
    require(approximate in ("none", "tanh"), f"attribute 'approximate' is {approximate}")
    return x.op("Gelu" if approximate == "none" else "GeluTanh")


@ONNX.importer("Swish")
def swish(x: Value, *, alpha: float = 1.0) -> Value:
    return x.op("Swish", alpha=alpha)


@ONNX.importer("HardSigmoid")
def hard_sigmoid(x: Value, *, alpha: float = 0.2, beta: float = 0.5) -> Value:
    """HardSigmoid: alpha * x + beta, bounded to [0, 1]."""
    return (x * alpha + beta).clip(0, 1)


@ONNX.importer("Softsign")
def softsign(x: Value) -> Value:
    """Softsign: x / (1 + |x|)."""
    return x / (x.abs() + 1)


@ONNX.importer("Mish")
def mish(x: Value) -> Value:
    """Mish: x * tanh(softplus(x))."""
    return x * x.softplus().tanh()


@ONNX.importer("Selu")
def selu(x: Value, *, alpha: float = 1.6732632, gamma: float = 1.0507010) -> Value:
    """Selu: gamma * Elu(x)."""
    return x.op("Elu", alpha=alpha) * gamma


def _is_signed(node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
    """Leave a Shrink of a type with negative numbers, which the body negates its threshold in."""
    type_ = types.get(node.input[0])
    dtype = DTYPES.get(type_.tensor_type.elem_type) if type_ else None
    return dtype is None or dtype.storage.kind != "u"


@ONNX.importer("Shrink", leaves=_is_signed)
def shrink(x: Value, *, lambd: float = 0.5, bias: float = 0.0) -> Value:
    """Shrink of unsigned integers: in reals, cut off at the end."""
    real = x.cast(real_of(x.dtype))
    above, below = real > lambd, real < -lambd
    near = where(above, real - bias, 0)
    return where(below, real + bias, near).cast(x.dtype)


@ONNX.importer("Clip", folds=True)
def clip(x: Value, low: Value | None, high: Value | None) -> Value:
    """Clip: ReluMinMax where the bounds are constant floats, else Maximum and Minimum."""
    least, most = _number(low), _number(high)
    if x.dtype.is_float and least is not None and most is not None:
        # Both ends are the upper one where they cross, as min(max(x, low), high) says.
        return x.clip(min(least, most), most)
    if x.dtype.is_float and least == 0 and high is None:
        return x.op("Relu")
    x = x if low is None else x.maximum(low.reshape())
    return x if high is None else x.minimum(high.reshape())


def _number(bound: Value | None) -> float | None:
    """Return the value of a constant scalar that a param holds; None for any other value."""
    if bound is None or bound.array is None or bound.array.size != 1:
        return None
    number = float(bound.array.reshape(()))
    return number if fits_param(number) else None

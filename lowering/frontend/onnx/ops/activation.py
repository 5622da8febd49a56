"""Activations with attributes, and those that graph IR spells out in simpler ops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.qti_aisw.ops.const import ConstOp
from .....dialects.spec_of import spec_of
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from ..support.types import DTYPES
from .tensors.casts import plain, real_of
from .tensors.steps import fits_param

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Relu", folds=True)
def relu(ctx: NodeContext) -> list[SSAValue]:
    """Relu; of integers the larger of the number and 0."""
    x = ctx.value(0)
    if ctx.dtype(x).is_integer:
        return [ctx.emit("ElementWiseMaximum", x, ctx.scalar(0, x))]
    return [ctx.emit("Relu", x)]


@ONNX.importer("LeakyRelu")
def leaky_relu(ctx: NodeContext) -> list[SSAValue]:
    """LeakyRelu."""
    return [ctx.emit("LeakyRelu", ctx.value(0), alpha=ctx.real("alpha", 0.01))]


@ONNX.importer("Elu")
def elu(ctx: NodeContext) -> list[SSAValue]:
    """Elu."""
    return [ctx.emit("Elu", ctx.value(0), alpha=ctx.real("alpha", 1.0))]


@ONNX.importer("PRelu")
def prelu(ctx: NodeContext) -> list[SSAValue]:
    """PRelu; of integers a choice between the number and its product with the slope."""
    x, slope = ctx.value(0), ctx.value(1)
    if ctx.dtype(x).is_float:
        return [ctx.emit("Prelu", x, slope)]
    below = ctx.emit("ElementWiseLess", x, ctx.scalar(0, x))
    return [ctx.emit("ElementWiseSelect", below, times(ctx, x, slope), x)]


@ONNX.importer("Gelu")
def gelu(ctx: NodeContext) -> list[SSAValue]:
    """Gelu, and GeluTanh for its other form."""
    x, form = ctx.value(0), ctx.text("approximate", "none")
    ctx.require(form in ("none", "tanh"), f"attribute 'approximate' is {form}")
    return [ctx.emit("Gelu" if form == "none" else "GeluTanh", x)]


@ONNX.importer("Swish")
def swish(ctx: NodeContext) -> list[SSAValue]:
    """Swish."""
    return [ctx.emit("Swish", ctx.value(0), alpha=ctx.real("alpha", 1.0))]


def times(ctx: NodeContext, a: SSAValue, b: SSAValue) -> SSAValue:
    """a * b."""
    return ctx.emit("ElementWiseMultiply", a, b)


def plus(ctx: NodeContext, a: SSAValue, b: SSAValue) -> SSAValue:
    """a + b."""
    return ctx.emit("ElementWiseAdd", a, b)


@ONNX.importer("HardSigmoid")
def hard_sigmoid(ctx: NodeContext) -> list[SSAValue]:
    """HardSigmoid: alpha * x + beta, bounded to [0, 1]."""
    return [hard_sigmoid_of(ctx, ctx.value(0), ctx.real("alpha", 0.2), ctx.real("beta", 0.5))]


def hard_sigmoid_of(ctx: NodeContext, x: SSAValue, alpha: float, beta: float) -> SSAValue:
    """alpha * x + beta, bounded to [0, 1]."""
    line = plus(ctx, times(ctx, x, ctx.scalar(alpha, x)), ctx.scalar(beta, x))
    return ctx.emit("ReluMinMax", line, min_value=0.0, max_value=1.0)


@ONNX.importer("Softsign")
def softsign(ctx: NodeContext) -> list[SSAValue]:
    """Softsign: x / (1 + |x|)."""
    return [softsign_of(ctx, ctx.value(0))]


def softsign_of(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """x / (1 + |x|)."""
    below = plus(ctx, ctx.emit("ElementWiseAbs", x), ctx.scalar(1, x))
    return ctx.emit("ElementWiseDivide", x, below)


@ONNX.importer("Mish")
def mish(ctx: NodeContext) -> list[SSAValue]:
    """Mish: x * tanh(softplus(x))."""
    x = ctx.value(0)
    return [times(ctx, x, ctx.emit("Tanh", ctx.emit("ElementWiseSoftplus", x)))]


@ONNX.importer("Selu")
def selu(ctx: NodeContext) -> list[SSAValue]:
    """Selu: gamma * Elu(x)."""
    x = ctx.value(0)
    bent = ctx.emit("Elu", x, alpha=ctx.real("alpha", 1.6732632))
    return [times(ctx, bent, ctx.scalar(ctx.real("gamma", 1.0507010), x))]


def _is_signed(node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
    """Leave a Shrink of a type with negative numbers, which the body negates its threshold in."""
    type_ = types.get(node.input[0])
    dtype = DTYPES.get(type_.tensor_type.elem_type) if type_ else None
    return dtype is None or dtype.storage.kind != "u"


@ONNX.importer("Shrink", leaves=_is_signed)
def shrink(ctx: NodeContext) -> list[SSAValue]:
    """Shrink of unsigned integers: in reals, cut off at the end."""
    x = plain(ctx, ctx.value(0), real_of(ctx.out().dtype))
    most, bias = ctx.real("lambd", 0.5), ctx.scalar(ctx.real("bias", 0.0), x)
    above = ctx.emit("ElementWiseGreater", x, ctx.scalar(most, x))
    below = ctx.emit("ElementWiseLess", x, ctx.scalar(-most, x))
    less = ctx.emit("ElementWiseSubtract", x, bias)
    near = ctx.emit("ElementWiseSelect", above, less, ctx.scalar(0, x))
    far = ctx.emit("ElementWiseSelect", below, plus(ctx, x, bias), near)
    return [plain(ctx, far, ctx.out().dtype)]


@ONNX.importer("Clip", folds=True)
def clip(ctx: NodeContext) -> list[SSAValue]:
    """Clip: ReluMinMax where the bounds are constant floats, else Maximum and Minimum."""
    x, low, high = ctx.value(0), ctx.optional(1), ctx.optional(2)
    numbers = [_number(bound) for bound in (low, high)]
    if ctx.dtype(x).is_float and None not in numbers:
        least, most = (float(n) for n in numbers if n is not None)
        # Both ends are the upper one where they cross, as min(max(x, low), high) says.
        return [ctx.emit("ReluMinMax", x, min_value=min(least, most), max_value=most)]
    if numbers[0] == 0 and high is None and ctx.dtype(x).is_float:
        return [ctx.emit("Relu", x)]
    if low is not None:
        x = ctx.emit("ElementWiseMaximum", x, ctx.reshape(low, ()))
    if high is not None:
        x = ctx.emit("ElementWiseMinimum", x, ctx.reshape(high, ()))
    return [x]


def _number(bound: SSAValue | None) -> float | None:
    """Return the value of a constant scalar that a param holds; None for any other value."""
    if bound is None or not isinstance(bound.owner, ConstOp) or spec_of(bound).elements != 1:
        return None
    number = float(np.asarray(bound.owner.array).reshape(()))
    return number if fits_param(number) else None

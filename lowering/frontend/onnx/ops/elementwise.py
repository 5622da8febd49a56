"""Element-wise arithmetic, comparisons and logic."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.spec_of import plain_element_type, spec_of
from ..support.context import NodeContext
from ..support.registry import Importer, ImporterSet

ONNX = ImporterSet(keeps_stored=False)


def unary(name: str) -> Importer:
    """One input, no attributes."""
    return lambda ctx: [ctx.emit(name, ctx.value(0))]


def binary(name: str) -> Importer:
    """Two inputs that broadcast, no attributes."""
    return lambda ctx: [ctx.emit(name, ctx.value(0), ctx.value(1))]


def folded_left(name: str) -> Importer:
    """Any number of inputs, joined two by two."""
    return lambda ctx: [_joined(ctx, name)]


def _joined(ctx: NodeContext, name: str) -> SSAValue:
    return reduce(lambda a, b: ctx.emit(name, a, b), ctx.values())


@ONNX.importer("Mean")
def mean(ctx: NodeContext) -> list[SSAValue]:
    """Mean of its inputs."""
    total = _joined(ctx, "ElementWiseAdd")
    return [ctx.emit("ElementWiseMultiply", total, ctx.scalar(1 / len(ctx.values()), total))]


@ONNX.importer("Pow", folds=True)
def power(ctx: NodeContext) -> list[SSAValue]:
    """Pow; the exponent takes the dtype of the base."""
    base, exponent = ctx.value(0), ctx.value(1)
    return [ctx.emit("ElementWisePower", base, cast_like(ctx, exponent, base))]


def cast_like(ctx: NodeContext, value: SSAValue, like: SSAValue) -> SSAValue:
    """Return the value in the dtype of another one."""
    if ctx.dtype(value) is ctx.dtype(like):
        return value
    return ctx.emit("Cast", value, to=plain_element_type(spec_of(like).dtype))


@ONNX.importer("Mod", folds=True)
def modulo(ctx: NodeContext) -> list[SSAValue]:
    """Mod: the sign of the divisor, or with fmod=1 the sign of the dividend."""
    a, b = ctx.value(0), ctx.value(1)
    if not ctx.integer("fmod", 0):
        return [ctx.emit("ElementWiseMod", a, b)]
    sizes = [ctx.emit("ElementWiseAbs", value) for value in (a, b)]
    size = ctx.emit("ElementWiseMod", *sizes)
    return [ctx.emit("ElementWiseMultiply", size, ctx.emit("ElementWiseSign", a))]


@ONNX.importer("IsNaN", folds=True)
def is_nan(ctx: NodeContext) -> list[SSAValue]:
    """IsNaN: what differs from itself."""
    x = ctx.value(0)
    return [ctx.emit("ElementWiseNotEqual", x, x)]


@ONNX.importer("IsInf", folds=True)
def is_infinite(ctx: NodeContext) -> list[SSAValue]:
    """IsInf, of either sign or of one."""
    x, most = ctx.value(0), math.inf
    below, above = (bool(ctx.integer(f"detect_{sign}", 1)) for sign in ("negative", "positive"))
    if below and above:
        return [ctx.emit("ElementWiseEqual", ctx.emit("ElementWiseAbs", x), ctx.scalar(most, x))]
    if below or above:
        return [ctx.emit("ElementWiseEqual", x, ctx.scalar(most if above else -most, x))]
    return [ctx.const(np.zeros(ctx.shape(x), np.bool_))]


@ONNX.importer("BitShift", folds=True)
def bit_shift(ctx: NodeContext) -> list[SSAValue]:
    """BitShift: a product with, or a quotient by, a power of two, which is 0 past the last bit."""
    x, direction = ctx.value(0), ctx.text("direction", "")
    ctx.require(direction in _SHIFTS, f"attribute 'direction' is {direction}", "use LEFT or RIGHT")
    power = ctx.emit("ElementWisePower", ctx.scalar(2, x), ctx.value(1))
    if direction == "LEFT" or ctx.dtype(x).storage.kind == "u":
        return [ctx.emit(_SHIFTS[direction], x, power)]
    # A quotient rounds to 0 and a shift rounds down; where the power is not there, signs remain.
    whole = ctx.emit("ElementWiseSubtract", x, ctx.emit("ElementWiseMod", x, power))
    sign = ctx.emit("ElementWiseMinimum", ctx.emit("ElementWiseSign", x), ctx.scalar(0, x))
    inside = ctx.emit("ElementWiseGreater", power, ctx.scalar(0, x))
    shifted = ctx.emit("ElementWiseDivide", whole, power)
    return [ctx.emit("ElementWiseSelect", inside, shifted, sign)]


_SHIFTS = {"LEFT": "ElementWiseMultiply", "RIGHT": "ElementWiseDivide"}


@ONNX.importer("Where", folds=True)
def where(ctx: NodeContext) -> list[SSAValue]:
    """ONNX's Where."""
    return [ctx.emit("ElementWiseSelect", ctx.value(0), ctx.value(1), ctx.value(2))]


_UNARY = {
    "Abs": "ElementWiseAbs",
    "Neg": "ElementWiseNeg",
    "Exp": "ElementWiseExp",
    "Log": "ElementWiseLog",
    "Sqrt": "ElementWiseSquareRoot",
    "Sin": "ElementWiseSin",
    "Cos": "ElementWiseCos",
    "Asin": "ElementWiseAsin",
    "Atan": "ElementWiseAtan",
    "Floor": "ElementWiseFloor",
    "Ceil": "ElementWiseCeil",
    "Round": "ElementWiseRound",
    "Sign": "ElementWiseSign",
    "Not": "ElementWiseNot",
    "BitwiseNot": "ElementWiseNot",
    "Reciprocal": "ElementWiseReciprocal",
    "Erf": "ElementWiseErf",
    "Softplus": "ElementWiseSoftplus",
    "Sigmoid": "Sigmoid",
    "Tanh": "Tanh",
    "HardSwish": "HardSwish",
}
"""Graph op by ONNX op, for ops with one input and no attributes."""

_BINARY = {
    "Add": "ElementWiseAdd",
    "Sub": "ElementWiseSubtract",
    "Mul": "ElementWiseMultiply",
    "Div": "ElementWiseDivide",
    "Less": "ElementWiseLess",
    "LessOrEqual": "ElementWiseLessEqual",
    "Greater": "ElementWiseGreater",
    "GreaterOrEqual": "ElementWiseGreaterEqual",
    "Equal": "ElementWiseEqual",
    "And": "ElementWiseAnd",
    "Or": "ElementWiseOr",
    "Xor": "ElementWiseXor",
    "BitwiseAnd": "ElementWiseAnd",
    "BitwiseOr": "ElementWiseOr",
    "BitwiseXor": "ElementWiseXor",
}
"""Graph op by ONNX op, for ops with two inputs that broadcast and no attributes."""

_FOLDED_LEFT = {
    "Max": "ElementWiseMaximum",
    "Min": "ElementWiseMinimum",
    "Sum": "ElementWiseAdd",
}
"""Graph op that joins two inputs, by ONNX op of any number of inputs."""

for _family, _importer in ((_UNARY, unary), (_BINARY, binary), (_FOLDED_LEFT, folded_left)):
    for _op, _name in _family.items():
        ONNX.importer(_op, folds=True)(_importer(_name))

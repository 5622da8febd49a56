"""Element-wise arithmetic, comparisons and logic."""

from __future__ import annotations

from functools import reduce

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
    "Floor": "ElementWiseFloor",
    "Ceil": "ElementWiseCeil",
    "Round": "ElementWiseRound",
    "Sign": "ElementWiseSign",
    "Not": "ElementWiseNot",
    "Reciprocal": "ElementWiseReciprocal",
    "Erf": "ElementWiseErf",
    "Softplus": "ElementWiseSoftplus",
    "Relu": "Relu",
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

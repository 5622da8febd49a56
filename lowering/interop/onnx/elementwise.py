"""Element-wise ops, casts and encodings as nodes."""

import numpy as np

from ....dialects.value import DType
from .call import PrintedOp, PrinterSet
from .draft import ELEMENTS, ModelTensor

PRINTS = PrinterSet()

_SAME = {
    **{f"ElementWise{op}": op for op in ("Abs", "Neg", "Exp", "Log", "Sin", "Cos", "Asin", "Atan")},
    **{f"ElementWise{op}": op for op in ("Floor", "Ceil", "Round", "Sign", "Reciprocal", "Erf")},
    **{"ElementWiseSquareRoot": "Sqrt", "ElementWiseSoftplus": "Softplus"},
    **{op: op for op in ("Relu", "Sigmoid", "Tanh", "HardSwish")},
    **{f"ElementWise{op}": op for op in ("Add", "Less", "Greater", "Equal")},
    **{"ElementWiseSubtract": "Sub", "ElementWiseMultiply": "Mul", "ElementWiseDivide": "Div"},
    **{"ElementWiseMaximum": "Max", "ElementWiseMinimum": "Min", "ElementWisePower": "Pow"},
    **{f"ElementWise{op}Equal": f"{op}OrEqual" for op in ("Less", "Greater")},
    **{"Prelu": "PRelu", "ElementWiseSelect": "Where", "Elu": "Elu", "LeakyRelu": "LeakyRelu"},
    **{"Quantize": "", "Dequantize": ""},
}
"""The ONNX op of the same inputs, by graph op; none where the result's grid says it all."""


@PRINTS.op(*_SAME)
def _same(call: PrintedOp) -> ModelTensor:
    inputs, op = [*map(call.real, range(len(call.operands)))], _SAME[call.mnemonic]
    return call.node(op, *inputs, **call.params("alpha")) if op else inputs[0]


@PRINTS.op(*(f"ElementWise{op}" for op in ("And", "Or", "Xor", "Not")))
def _logic(call: PrintedOp) -> ModelTensor:
    """An op of truth values, or the one of bits."""
    op = call.mnemonic.removeprefix("ElementWise")
    inputs = map(call.stored, range(len(call.operands)))
    return call.node(op if call.spec.dtype is DType.Bool8 else f"Bitwise{op}", *inputs)


@PRINTS.op("ElementWiseNotEqual")
def _not_equal(call: PrintedOp) -> ModelTensor:
    """IsNaN, where a value is compared with itself."""
    a, b = call.operands
    if a == b and call.op.operands[0] is call.op.operands[1]:
        return call.node("IsNaN", call.real(0))
    return call.node("Not", call.node("Equal", call.real(0), call.real(1)))


@PRINTS.op("ElementWiseRsqrt")
def _rsqrt(call: PrintedOp) -> ModelTensor:
    return call.node("Reciprocal", call.node("Sqrt", call.real()))


@PRINTS.op("ElementWiseSquaredDifference")
def _squared_difference(call: PrintedOp) -> ModelTensor:
    difference = call.node("Sub", call.real(0), call.real(1))
    return call.node("Mul", difference, difference)


@PRINTS.op("ElementWiseMod")
def _mod(call: PrintedOp) -> ModelTensor:
    """Mod, whose sign is that of the divisor in ONNX for integers alone."""
    a, b = call.real(0), call.real(1)
    if call.spec.dtype.is_integer:
        return call.node("Mod", a, b)
    whole = call.node("Floor", call.node("Div", a, b))
    return call.node("Sub", a, call.node("Mul", whole, b))


@PRINTS.op("Swish")
def _swish(call: PrintedOp) -> ModelTensor:
    x, alpha = call.real(), call.param("alpha")
    if call.opset >= 24:
        return call.node("Swish", x, alpha=alpha)
    scaled = x if alpha == 1 else call.node("Mul", x, call.like(alpha))
    return call.node("Mul", x, call.node("Sigmoid", scaled))


@PRINTS.op("Gelu", "GeluTanh")
def _gelu(call: PrintedOp) -> ModelTensor:
    x, by_tanh = call.real(), call.mnemonic == "GeluTanh"
    if call.opset >= 20:
        return call.node("Gelu", x, approximate="tanh" if by_tanh else None)
    if by_tanh:
        cube = call.node("Mul", call.node("Pow", x, call.like(3)), call.like(0.044715))
        inner = call.node("Mul", call.node("Add", x, cube), call.like(np.sqrt(2 / np.pi)))
        sides = call.node("Add", call.node("Tanh", inner), call.like(1))
        return call.node("Mul", call.node("Mul", x, call.like(0.5)), sides)
    erf = call.node("Erf", call.node("Div", x, call.like(np.sqrt(2))))
    sides = call.node("Mul", x, call.node("Add", erf, call.like(1)))
    return call.node("Mul", sides, call.like(0.5))


@PRINTS.op("ReluMinMax")
def _clip(call: PrintedOp) -> ModelTensor:
    bounds = (call.like(call.param(name)) for name in ("min_value", "max_value"))
    return call.node("Clip", call.real(), *bounds)


@PRINTS.op("Cast")
def _cast(call: PrintedOp) -> ModelTensor:
    """Cast; what was narrowed from the integers of an index is widened by leaving that out."""
    x, to = call.stored(), call.element("to")
    return x.wide if to is DType.Int64 and x.wide is not None else call.cast(x, to)


@PRINTS.op("BitCast")
def _bit_cast(call: PrintedOp) -> ModelTensor:
    return call.node("BitCast", call.stored(), to=ELEMENTS[call.element("to")])

"""Element-wise arithmetic, comparisons, logic, activations and trigonometry.

Graph IR spells trigonometric and hyperbolic functions out in simpler ops. Each keeps its digits
near 0, where the textbook form would cancel: e to the power of x, less 1, is Elu of a negative
number, and log(1 + x) is the softplus of log x. None overflows before its result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ..graph.value import Value, where
from ..support.registry import Importer, ImporterSet, require
from ..support.types import DTYPES, require_few
from .tensors.casts import real_of
from .tensors.steps import fits_param

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto


ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Mean")
def mean(*inputs: Value) -> Value:
    return reduce(Value.__add__, inputs) * (1 / len(inputs))


@ONNX.importer("Pow", folds=True)
def power(base: Value, exponent: Value) -> Value:
    """Pow; the exponent takes the dtype of the base."""
    return base ** exponent.cast(base.dtype)


@ONNX.importer("Mod", folds=True)
def modulo(a: Value, b: Value, *, fmod: bool = False) -> Value:
    """Mod: the sign of the divisor, or with fmod=1 the sign of the dividend."""
    return (a.abs() % b.abs()) * a.sign() if fmod else a % b


@ONNX.importer("IsNaN", folds=True)
def is_nan(x: Value) -> Value:
    """IsNaN: what differs from itself."""
    return x.not_equal(x)


@ONNX.importer("IsInf", folds=True)
def is_infinite(x: Value, *, detect_negative: bool = True, detect_positive: bool = True) -> Value:
    """IsInf, of either sign or of one."""
    if detect_negative and detect_positive:
        return x.abs().equal(math.inf)
    if detect_negative or detect_positive:
        return x.equal(math.inf if detect_positive else -math.inf)
    require_few(math.prod(x.shape), f"gives {math.prod(x.shape)} elements")
    return x.const(np.zeros(x.shape, np.bool_))


@ONNX.importer("BitShift", folds=True)
def bit_shift(x: Value, bits: Value, *, direction: str = "") -> Value:
    """BitShift: a product with, or a quotient by, a power of two, which is 0 past the last bit."""
    known = direction in ("LEFT", "RIGHT")
    require(known, f"attribute 'direction' is {direction}", "use LEFT or RIGHT")
    power = 2**bits
    if direction == "LEFT":
        return x * power
    if x.dtype.storage.kind == "u":
        return x / power
    # A quotient rounds to 0 and a shift rounds down; where the power is not there, signs remain.
    whole = x - x % power
    sign = x.sign().minimum(0)
    return where(power > 0, whole / power, sign)


@ONNX.importer("Where", folds=True)
def chosen(condition: Value, x: Value, y: Value) -> Value:
    return where(condition, x, y)


_UNARY = {
    **{op: f"ElementWise{op}" for op in ("Abs", "Neg", "Exp", "Log", "Sin", "Cos", "Asin", "Atan")},
    **{op: f"ElementWise{op}" for op in ("Floor", "Ceil", "Round", "Sign", "Not", "Reciprocal")},
    **{op: f"ElementWise{op}" for op in ("Erf", "Softplus")},
    **{op: op for op in ("Sigmoid", "Tanh", "HardSwish")},
    **{"Sqrt": "ElementWiseSquareRoot", "BitwiseNot": "ElementWiseNot"},
}
"""Graph op by ONNX op, for ops with one input and no attributes."""

_BINARY = {
    **{op: f"ElementWise{op}" for op in ("Add", "Less", "Greater", "Equal", "And", "Or", "Xor")},
    **{f"Bitwise{op}": f"ElementWise{op}" for op in ("And", "Or", "Xor")},
    **{f"{op}OrEqual": f"ElementWise{op}Equal" for op in ("Less", "Greater")},
    **{"Sub": "ElementWiseSubtract", "Mul": "ElementWiseMultiply", "Div": "ElementWiseDivide"},
}
"""Graph op by ONNX op, for ops with two inputs that broadcast and no attributes."""

_FOLDED_LEFT = {"Max": "ElementWiseMaximum", "Min": "ElementWiseMinimum", "Sum": "ElementWiseAdd"}
"""Graph op that joins two inputs, by ONNX op of any number of inputs."""


def unary(name: str) -> Importer:
    """One input, no attributes."""
    return lambda x: x.op(name)


def binary(name: str) -> Importer:
    """Two inputs that broadcast, no attributes."""
    return lambda a, b: a.op(name, b)


def folded_left(name: str) -> Importer:
    """Any number of inputs, joined two by two."""
    return lambda *inputs: reduce(lambda a, b: a.op(name, b), inputs)


for _family, _importer in ((_UNARY, unary), (_BINARY, binary), (_FOLDED_LEFT, folded_left)):
    for _op, _name in _family.items():
        ONNX.importer(_op, folds=True)(_importer(_name))


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


@ONNX.importer("Tan", folds=True)
def tan(x: Value) -> Value:
    return x.sin() / x.cos()


@ONNX.importer("Acos", folds=True)
def acos(x: Value) -> Value:
    """2 atan(sqrt((1 - x) / (1 + x)))."""
    one = x.like(1)
    return ((one - x) / (one + x)).sqrt().atan() * 2


@ONNX.importer("Cosh", folds=True)
def cosh(x: Value) -> Value:
    """(a a + b b) / 2, where a and b are e to the power of x / 2 and of -x / 2."""
    rising, falling = (x * 0.5).exp(), (x * -0.5).exp()
    return rising * 0.5 * rising + falling * 0.5 * falling


@ONNX.importer("Acosh", folds=True)
def acosh(x: Value) -> Value:
    """log(1 + d + sqrt(d) sqrt(d + 2)), where d is x - 1."""
    above = x - 1
    return _log_one_plus(above + above.sqrt() * (x + 1).sqrt())


def _sinh(x: Value) -> Value:
    """(1 - e to the power of -2 x) / 2, times that of x / 2 twice."""
    root = (x * 0.5).exp()
    return (x * -2).op("Elu") * -0.5 * root * root


def _asinh(x: Value) -> Value:
    """log(1 + x + x / (u + sqrt(u u + 1))), where u is 1 / x."""
    inverse = x.reciprocal()
    square = inverse * inverse + 1
    return _log_one_plus(x + x / (inverse + square.sqrt()))


def _atanh(x: Value) -> Value:
    """log(1 + 2 x / (1 - x)) / 2."""
    rest = 1 - x
    return _log_one_plus(x * 2 / rest) * 0.5


def _log_one_plus(x: Value) -> Value:
    return x.log().softplus()


def _odd(op: str, function: Callable[[Value], Value]) -> None:
    """Declare f(-x) = -f(x), from the function of numbers >= 0."""
    ONNX.importer(op, folds=True)(lambda x: function(x.abs()) * x.sign())


for _op, _function in {"Sinh": _sinh, "Asinh": _asinh, "Atanh": _atanh}.items():
    _odd(_op, _function)

"""Element-wise arithmetic, comparisons and logic."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np

from ...graph.value import Value
from ...graph.value import where as chosen
from ..support.faults import require
from ..support.registry import Importer, ImporterSet

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
    return chosen(power > 0, whole / power, sign)


@ONNX.importer("Where", folds=True)
def where(condition: Value, x: Value, y: Value) -> Value:
    return chosen(condition, x, y)


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

"""Functions of one tensor, element by element."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from .....dialects.value.dtypes import DType
from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

_REAL = {
    "acos": "Acos",
    "acosh": "Acosh",
    "asin": "Asin",
    "asinh": "Asinh",
    "atan": "Atan",
    "atanh": "Atanh",
    "cos": "Cos",
    "cosh": "Cosh",
    "erf": "Erf",
    "exp": "Exp",
    "log": "Log",
    "reciprocal": "Reciprocal",
    "sigmoid": "Sigmoid",
    "sin": "Sin",
    "sinh": "Sinh",
    "sqrt": "Sqrt",
    "tan": "Tan",
    "tanh": "Tanh",
}
"""ONNX op by ATen op, whose result is a float whatever the tensor is."""
_ANY = {"abs": "Abs", "neg": "Neg", "relu": "Relu", "sign": "Sign"}
"""ONNX op by ATen op, of floats and integers."""
_ROUNDING = {"ceil": "Ceil", "floor": "Floor", "round.default": "Round"}
"""ONNX op by ATen op, which leaves integers as they are."""
_TESTS = {
    "isinf": ("IsInf", DType.Float32),
    "isnan": ("IsNaN", DType.Float32),
    "logical_not": ("Not", DType.Bool8),
}
"""ONNX op by ATen op, and the dtype that it asks of other tensors than floats."""
_BASES = {"log2": 2.0, "log10": 10.0}


def _same_dtype(op: str, node: AtenNode) -> SSAValue:
    return node.one(op, node.as_out("self"))


def _rounded(op: str, node: AtenNode) -> SSAValue:
    x = node.value("self")
    return node.one(op, x) if node.dtype(x).is_float else x


def _test(op: str, dtype: DType, node: AtenNode) -> SSAValue:
    x = node.value("self")
    is_float = node.dtype(x).is_float and dtype is not DType.Bool8
    return node.one(op, x if is_float else node.cast(x, dtype))


def _log_of_base(base: float, node: AtenNode) -> SSAValue:
    log = node.one("Log", node.as_out("self"))
    return node.one("Mul", log, node.scalar(1 / math.log(base), log))


for _table, _build in ((_REAL, _same_dtype), (_ANY, _same_dtype), (_ROUNDING, _rounded)):
    for _name, _op in _table.items():
        ATEN.conversion(f"aten.{_name}")(partial(_build, _op))
for _name, (_op, _dtype) in _TESTS.items():
    ATEN.conversion(f"aten.{_name}")(partial(_test, _op, _dtype))
for _name, _base in _BASES.items():
    ATEN.conversion(f"aten.{_name}")(partial(_log_of_base, _base))


@ATEN.conversion("aten.trunc")
def truncate(node: AtenNode) -> SSAValue:
    """trunc: towards zero."""
    x = node.value("self")
    return truncated(node, x) if node.dtype(x).is_float else x


def truncated(node: AtenNode, x: SSAValue) -> SSAValue:
    """Return a float without its fraction."""
    return node.one("Mul", node.one("Floor", node.one("Abs", x)), node.one("Sign", x))


@ATEN.conversion("aten.round.decimals")
def round_decimals(node: AtenNode) -> SSAValue:
    """round to a number of decimals."""
    x = node.value("self")
    power = node.scalar(10.0 ** node.argument("decimals"), x)
    return node.one("Div", node.one("Round", node.one("Mul", x, power)), power)


@ATEN.conversion("aten.rsqrt")
def reciprocal_root(node: AtenNode) -> SSAValue:
    """rsqrt: 1 / sqrt(x)."""
    return node.one("Reciprocal", node.one("Sqrt", node.as_out("self")))


@ATEN.conversion("aten.expm1")
def exp_less_one(node: AtenNode) -> SSAValue:
    """expm1 as tanh(x / 2) * (exp(x) + 1), which is exact near 0."""
    x = node.as_out("self")
    half = node.one("Tanh", node.one("Mul", x, node.scalar(0.5, x)))
    return node.one("Mul", half, node.one("Add", node.one("Exp", x), node.scalar(1, x)))


@ATEN.conversion("aten.log1p")
def log_of_one_more(node: AtenNode) -> SSAValue:
    """log1p as log(u) * x / (u - 1) with u = 1 + x; x itself where u is 1."""
    x = node.as_out("self")
    one = node.scalar(1, x)
    u = node.one("Add", x, one)
    is_one = node.one("Equal", u, one)
    rest = node.one("Where", is_one, one, node.one("Sub", u, one))
    log = node.one("Div", node.one("Mul", node.one("Log", u), x), rest)
    return node.one("Where", is_one, x, log)


@ATEN.conversion("aten.bitwise_not")
def bitwise_not(node: AtenNode) -> SSAValue:
    """bitwise_not of truth values and integers."""
    return node.one("Not" if node.out().dtype is DType.Bool8 else "BitwiseNot", node.value("self"))


@ATEN.conversion("aten._to_copy", "prims.convert_element_type")
def cast(node: AtenNode) -> SSAValue:
    """Casts; what stays the same is passed on."""
    return node.as_out(node.first("self", "a"))


@ATEN.conversion("aten.clone", "aten.alias", "aten.detach", "aten.lift_fresh_copy")
def same(node: AtenNode) -> SSAValue:
    """Copies."""
    return node.value("self")

"""Functions of two tensors, or of a tensor and a number, with PyTorch's promotion of dtypes."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from .....dialects.value.dtypes import DType
from ..registry import TorchConversions
from .unary import truncated

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

_PROMOTED = {
    "div.Scalar": "Div",
    "div.Tensor": "Div",
    "eq": "Equal",
    "ge": "GreaterOrEqual",
    "gt": "Greater",
    "le": "LessOrEqual",
    "lt": "Less",
    "maximum": "Max",
    "minimum": "Min",
    "mul": "Mul",
    "remainder": "Mod",
}
"""ONNX op by ATen op, of both arguments in the dtype that they are promoted to."""
_LOGICAL = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}
"""ONNX op by ATen op, of truth values."""
_BITWISE = {"bitwise_and": "And", "bitwise_or": "Or", "bitwise_xor": "Xor"}
"""ONNX op by ATen op, of truth values; that of integers begins with Bitwise."""


def _promoted(op: str, node: AtenNode) -> SSAValue:
    return node.one(op, *node.promoted("self", "other"))


def _logical(op: str, node: AtenNode) -> SSAValue:
    return node.one(op, *(node.cast(node.value(name), DType.Bool8) for name in ("self", "other")))


def _bitwise(op: str, node: AtenNode) -> SSAValue:
    name = op if node.out().dtype is DType.Bool8 else f"Bitwise{op}"
    return node.one(name, *node.promoted("self", "other"))


_FAMILIES = ((_PROMOTED, _promoted), (_LOGICAL, _logical), (_BITWISE, _bitwise))
for _table, _build in _FAMILIES:
    for _name, _op in _table.items():
        ATEN.conversion(f"aten.{_name}")(partial(_build, _op))


@ATEN.conversion("aten.ne")
def not_equal(node: AtenNode) -> SSAValue:
    """ne."""
    return node.one("Not", node.one("Equal", *node.promoted("self", "other")))


@ATEN.conversion("aten.add", "aten.sub")
def add(node: AtenNode) -> SSAValue:
    """add and sub: self plus or minus alpha times other."""
    a, b = node.promoted("self", "other")
    if node.out().dtype is DType.Bool8:
        return node.one("Or", a, b)
    op = "Add" if node.info.op.startswith("aten.add") else "Sub"
    return node.one(op, a, scaled(node, b, "alpha"))


@ATEN.conversion("aten.rsub")
def reversed_sub(node: AtenNode) -> SSAValue:
    """rsub: other minus alpha times self."""
    a, b = node.promoted("self", "other")
    return node.one("Sub", b, scaled(node, a, "alpha"))


def scaled(node: AtenNode, x: SSAValue, name: str) -> SSAValue:
    """Return a value times an argument that is a number."""
    factor = node.argument(name)
    return x if factor == 1 else node.one("Mul", x, node.scalar(factor, x))


@ATEN.conversion("aten.fmod")
def fmod(node: AtenNode) -> SSAValue:
    """fmod: the sign of the dividend."""
    return node.one("Mod", *node.promoted("self", "other"), fmod=1)


@ATEN.conversion("aten.div.Tensor_mode", "aten.div.Scalar_mode", "aten.floor_divide")
def divide_rounded(node: AtenNode) -> SSAValue:
    """div with rounding_mode: None, floor, or trunc."""
    a, b = node.promoted("self", "other")
    mode = "floor" if "floor" in node.info.op else node.argument("rounding_mode")
    if mode is None:
        return node.one("Div", a, b)
    if not node.dtype(a).is_float:
        # Integers divide towards zero: without the remainder nothing is left to round.
        return node.one(
            "Div", node.one("Sub", a, node.one("Mod", a, b)) if mode == "floor" else a, b
        )
    quotient = node.one("Div", a, b)
    return node.one("Floor", quotient) if mode == "floor" else truncated(node, quotient)


@ATEN.conversion("aten.pow")
def power(node: AtenNode) -> SSAValue:
    """pow of tensors and numbers."""
    return node.one("Pow", *node.promoted("self", "exponent"))


@ATEN.conversion("aten.atan2.default")
def angle(node: AtenNode) -> SSAValue:
    """atan2: the angle of (other, self), by quadrants."""
    y, x = node.promoted("self", "other")
    zero, pi = node.scalar(0, x), node.scalar(math.pi, x)
    is_up = node.one("Equal", x, zero)
    slope = node.one("Atan", node.one("Div", y, node.one("Where", is_up, node.scalar(1, x), x)))
    turn = node.one("Where", node.one("Less", y, zero), node.one("Neg", pi), pi)
    behind = node.one("Where", node.one("Less", x, zero), node.one("Add", slope, turn), slope)
    up = node.one("Mul", node.one("Sign", y), node.scalar(math.pi / 2, x))
    return node.one("Where", is_up, up, behind)


@ATEN.conversion("aten.where.self")
def where(node: AtenNode) -> SSAValue:
    """where."""
    condition = node.cast(node.value("condition"), DType.Bool8)
    return node.one("Where", condition, *node.promoted("self", "other"))

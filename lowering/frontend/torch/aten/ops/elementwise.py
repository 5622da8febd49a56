"""Element-wise ops of ATen, with PyTorch's promotion of dtypes."""

from __future__ import annotations

from functools import partial
from typing import Any

from xdsl.ir import SSAValue

from ......dialects.value.dtypes import DType
from ..node import AtenNode
from ..registry import TorchConversions

ATEN = TorchConversions()

_UNARY = {
    "abs": "Abs",
    "acos": "Acos",
    "acosh": "Acosh",
    "asin": "Asin",
    "asinh": "Asinh",
    "atan": "Atan",
    "atanh": "Atanh",
    "ceil": "Ceil",
    "cos": "Cos",
    "cosh": "Cosh",
    "erf": "Erf",
    "exp": "Exp",
    "floor": "Floor",
    "hardswish": "HardSwish",
    "isinf": "IsInf",
    "isnan": "IsNaN",
    "log": "Log",
    "logical_not": "Not",
    "mish": "Mish",
    "neg": "Neg",
    "reciprocal": "Reciprocal",
    "relu": "Relu",
    "round": "Round",
    "sigmoid": "Sigmoid",
    "sign": "Sign",
    "sin": "Sin",
    "sinh": "Sinh",
    "sqrt": "Sqrt",
    "tan": "Tan",
    "tanh": "Tanh",
}
"""ONNX op by ATen op, of one tensor."""
_BINARY = {
    "bitwise_and": "BitwiseAnd",
    "bitwise_or": "BitwiseOr",
    "bitwise_xor": "BitwiseXor",
    "div.Scalar": "Div",
    "div.Tensor": "Div",
    "eq": "Equal",
    "fmod": "Mod",
    "ge": "GreaterOrEqual",
    "gt": "Greater",
    "le": "LessOrEqual",
    "logical_and": "And",
    "logical_or": "Or",
    "logical_xor": "Xor",
    "lt": "Less",
    "maximum": "Max",
    "minimum": "Min",
    "mul": "Mul",
    "pow": "Pow",
    "remainder": "Mod",
}
"""ONNX op by ATen op, of two tensors or a tensor and a number."""
_ATTRIBUTES: dict[str, dict[str, Any]] = {"fmod": {"fmod": 1}}


def _unary(op: str, node: AtenNode) -> SSAValue:
    """Build a function of one tensor; integers become floats where the result is one."""
    x = node.value("self")
    keeps = node.out().dtype.is_float
    return node.onnx(op, node.cast(x, node.out().dtype) if keeps else x)[0]


def _binary(op: str, attributes: dict[str, Any], node: AtenNode) -> SSAValue:
    """Build a function of two tensors, both in the dtype that PyTorch promotes them to."""
    if node.out().dtype is DType.Bool8:
        op = op.removeprefix("Bitwise")
    return node.onnx(op, *node.promoted("self", "other"), **attributes)[0]


for _name, _op in _UNARY.items():
    ATEN.conversion(f"aten.{_name}")(partial(_unary, _op))
for _name, _op in _BINARY.items():
    ATEN.conversion(f"aten.{_name}")(partial(_binary, _op, _ATTRIBUTES.get(_name, {})))


@ATEN.conversion("aten.add", "aten.sub")
def add(node: AtenNode) -> SSAValue:
    """add and sub: self plus or minus alpha times other."""
    a, b = node.promoted("self", "other")
    factor = node.argument("alpha")
    if factor != 1:
        b = node.onnx("Mul", b, node.scalar(factor, b))[0]
    return node.onnx("Add" if node.info.op.startswith("aten.add") else "Sub", a, b)[0]


@ATEN.conversion("aten.rsub")
def reversed_sub(node: AtenNode) -> SSAValue:
    """rsub: other minus alpha times self."""
    a, b = node.promoted("self", "other")
    factor = node.argument("alpha")
    return node.onnx(
        "Sub", b, a if factor == 1 else node.onnx("Mul", a, node.scalar(factor, a))[0]
    )[0]


@ATEN.conversion("aten.div.Tensor_mode", "aten.div.Scalar_mode")
def divide_rounded(node: AtenNode) -> SSAValue:
    """div with rounding_mode: None, floor, or trunc."""
    a, b = node.promoted("self", "other")
    mode = node.argument("rounding_mode")
    quotient = node.onnx("Div", a, b)[0]
    if mode is None or not node.dtype(quotient).is_float:
        node.require(mode != "floor", "floor division of integers is not converted", "use floats")
        return quotient
    if mode == "floor":
        return node.onnx("Floor", quotient)[0]
    return node.onnx(
        "Mul", node.onnx("Floor", node.onnx("Abs", quotient)[0])[0], node.onnx("Sign", quotient)[0]
    )[0]


@ATEN.conversion("aten.rsqrt")
def reciprocal_root(node: AtenNode) -> SSAValue:
    """rsqrt: 1 / sqrt(x)."""
    return node.onnx("Reciprocal", node.onnx("Sqrt", node.value("self"))[0])[0]


@ATEN.conversion("aten.clamp", "aten.clamp_min", "aten.clamp_max", "aten.hardtanh", "aten.relu6")
def clamp(node: AtenNode) -> SSAValue:
    """clamp and its kin: bounds are numbers, or None."""
    x = node.cast(node.value("self"), node.out().dtype)
    names = {"min": ("min", "min_val"), "max": ("max", "max_val")}
    default = {"min": 0, "max": 6} if "relu6" in node.info.op else {}
    bounds = []
    for name, spellings in names.items():
        stated = [node.argument(each) for each in spellings if node.given(each)]
        number = stated[0] if stated else default.get(name)
        bounds.append(None if number is None else node.array(number, x))
    return node.onnx("Clip", x, *bounds)[0]


@ATEN.conversion("aten.silu")
def silu(node: AtenNode) -> SSAValue:
    """silu: x times sigmoid(x)."""
    x = node.value("self")
    return node.onnx("Mul", x, node.onnx("Sigmoid", x)[0])[0]


@ATEN.conversion("aten.gelu")
def gelu(node: AtenNode) -> SSAValue:
    """gelu: exact, or by tanh."""
    return node.onnx("Gelu", node.value("self"), approximate=node.argument("approximate"))[0]


@ATEN.conversion("aten.leaky_relu")
def leaky_relu(node: AtenNode) -> SSAValue:
    """leaky_relu."""
    return node.onnx("LeakyRelu", node.value("self"), alpha=float(node.argument("negative_slope")))[
        0
    ]


@ATEN.conversion("aten.elu")
def elu(node: AtenNode) -> SSAValue:
    """elu with scale and input_scale 1, and selu, which is elu with a scale."""
    node.require(node.argument("input_scale") == 1, "input_scale is not 1", "scale the input")
    out = node.onnx("Elu", node.value("self"), alpha=float(node.argument("alpha")))[0]
    scale = node.argument("scale")
    return out if scale == 1 else node.onnx("Mul", out, node.scalar(scale, out))[0]


@ATEN.conversion("aten.hardsigmoid")
def hardsigmoid(node: AtenNode) -> SSAValue:
    """hardsigmoid: x / 6 + 1 / 2, bounded to [0, 1]."""
    return node.onnx("HardSigmoid", node.value("self"), alpha=1 / 6, beta=0.5)[0]


@ATEN.conversion("aten.softplus")
def softplus(node: AtenNode) -> SSAValue:
    """softplus with beta 1; its threshold changes no digit."""
    node.require(node.argument("beta") == 1, "beta is not 1", "scale the input and the result")
    return node.onnx("Softplus", node.value("self"))[0]


@ATEN.conversion("aten.prelu", "aten._prelu_kernel")
def prelu(node: AtenNode) -> SSAValue:
    """prelu: one slope, or one for each channel."""
    x, slope = node.value("self"), node.value("weight")
    rank = len(node.shape(x))
    if len(node.shape(slope)) == 1 and rank > 1:
        slope = node.reshape(
            slope, (-1, *(1,) * (rank - 2)) if False else (node.shape(slope)[0], *(1,) * (rank - 2))
        )
    return node.onnx("PRelu", x, slope)[0]


@ATEN.conversion(
    "aten.where.self", "aten.where.ScalarOther", "aten.where.ScalarSelf", "aten.where.Scalar"
)
def where(node: AtenNode) -> SSAValue:
    """where."""
    return node.onnx("Where", node.value("condition"), *node.promoted("self", "other"))[0]


@ATEN.conversion("aten.masked_fill")
def masked_fill(node: AtenNode) -> SSAValue:
    """masked_fill: value where the mask is true."""
    x = node.value("self")
    value = node.cast(node.value("value"), node.dtype(x))
    return node.onnx("Where", node.value("mask"), value, x)[0]


@ATEN.conversion("aten._to_copy", "aten.to", "prims.convert_element_type")
def cast(node: AtenNode) -> SSAValue:
    """Casts; what stays the same is passed on."""
    name = "a" if "a" in node.info.args else "self"
    return node.cast(node.value(name), node.out().dtype)


@ATEN.conversion(
    *("aten.clone", "aten.alias", "aten.detach", "aten.contiguous", "aten.lift_fresh_copy"),
    *("aten.dropout", "aten.native_dropout", "aten.feature_dropout", "aten.lift_fresh"),
)
def same(node: AtenNode) -> SSAValue:
    """Copies, and dropout, which is none in a model that is exported for inference."""
    node.require(not node.info.args.get("train"), "dropout is in training", "call model.eval()")
    return node.value("self" if "self" in node.info.args else "input")

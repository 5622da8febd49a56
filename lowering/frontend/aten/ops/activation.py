"""Activations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

_PARAMS: dict[str, tuple[str, dict[str, str]]] = {
    "gelu": ("Gelu", {"approximate": "approximate"}),
    "hardswish": ("HardSwish", {}),
    "leaky_relu": ("LeakyRelu", {"alpha": "negative_slope"}),
    "mish": ("Mish", {}),
}
"""ONNX op by ATen op, with the arguments that become its attributes."""


def _activation(op: str, attributes: dict[str, str], node: AtenNode) -> SSAValue:
    values = {name: node.argument(source) for name, source in attributes.items()}
    real = {n: v if isinstance(v, str) else float(v) for n, v in values.items()}
    return node.one(op, node.value("self"), **real)


for _name, (_op, _attributes) in _PARAMS.items():
    ATEN.conversion(f"aten.{_name}")(partial(_activation, _op, _attributes))


@ATEN.conversion("aten.clamp", "aten.hardtanh")
def clamp(node: AtenNode) -> SSAValue:
    """clamp and its kin: bounds are numbers, tensors, or None."""
    x, ends = node.as_out("self"), (("min", "min_val"), ("max", "max_val"))
    low, high = (next(map(node.as_out, filter(node.given, names)), None) for names in ends)
    if all(end is None or not node.shape(end) for end in (low, high)):
        return node.one("Clip", x, low, high)
    for op, end in (("Max", low), ("Min", high)):
        x = x if end is None else node.one(op, x, end)
    return x


@ATEN.conversion("aten.silu")
def silu(node: AtenNode) -> SSAValue:
    """silu: x times sigmoid(x)."""
    x = node.value("self")
    return node.one("Mul", x, node.one("Sigmoid", x))


@ATEN.conversion("aten.elu")
def elu(node: AtenNode) -> SSAValue:
    """elu: scale * x above 0, scale * alpha * (exp(input_scale * x) - 1) below."""
    x, alpha, scale = node.value("self"), float(node.argument("alpha")), node.argument("scale")
    inner = node.argument("input_scale")
    below = x if inner == 1 else node.one("Mul", x, node.scalar(inner, x))
    out = node.one("Elu", below, alpha=alpha)
    if inner != 1:
        out = node.one("Where", node.one("Greater", x, node.scalar(0, x)), x, out)
    return out if scale == 1 else node.one("Mul", out, node.scalar(scale, out))


@ATEN.conversion("aten.hardsigmoid")
def hardsigmoid(node: AtenNode) -> SSAValue:
    """hardsigmoid: x / 6 + 1 / 2, bounded to [0, 1]."""
    return node.one("HardSigmoid", node.value("self"), alpha=1 / 6, beta=0.5)


@ATEN.conversion("aten.softplus")
def softplus(node: AtenNode) -> SSAValue:
    """softplus with any beta; its threshold changes no digit."""
    x, beta = node.value("self"), node.argument("beta")
    if beta == 1:
        return node.one("Softplus", x)
    steep = node.one("Softplus", node.one("Mul", x, node.scalar(beta, x)))
    return node.one("Mul", steep, node.scalar(1 / beta, x))


@ATEN.conversion("aten._prelu_kernel")
def prelu(node: AtenNode) -> SSAValue:
    """prelu: one slope, or one for each channel, already in its dims."""
    return node.one("PRelu", node.value("self"), node.value("weight"))


@ATEN.conversion("aten._softmax", "aten._safe_softmax")
def softmax(node: AtenNode) -> SSAValue:
    """softmax along a dim."""
    return _along("Softmax", node)


@ATEN.conversion("aten._log_softmax")
def log_softmax(node: AtenNode) -> SSAValue:
    """log_softmax along a dim."""
    return _along("LogSoftmax", node)


def _along(op: str, node: AtenNode) -> SSAValue:
    """Build a softmax; that of one number without dims is along a dim of one."""
    x = node.as_out("self")
    shape = node.shape(x) or (1,)
    return node.reshape(node.one(op, node.reshape(x, shape), axis=node.axis()), node.out().shape)


@ATEN.conversion("aten.masked_fill")
def masked_fill(node: AtenNode) -> SSAValue:
    """masked_fill: value where the mask is true."""
    return node.one("Where", node.value("mask"), node.as_out("value"), node.value("self"))


@ATEN.conversion("aten.tril", "aten.triu")
def triangle(node: AtenNode) -> SSAValue:
    """tril and triu."""
    upper = int("triu" in node.info.op)
    return node.one("Trilu", node.value("self"), np.array(node.argument("diagonal")), upper=upper)

"""Reductions, searches, softmax and sums along a dim."""

from __future__ import annotations

from functools import partial

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.value.dtypes import DType
from ..node import AtenNode
from ..registry import TorchConversions

ATEN = TorchConversions()

_REDUCTIONS = {
    "amax": "ReduceMax",
    "amin": "ReduceMin",
    "mean": "ReduceMean",
    "prod": "ReduceProd",
    "sum": "ReduceSum",
}


def _reduce(op: str, node: AtenNode) -> SSAValue:
    """Build a reduction over one dim, some, or all."""
    x = node.cast(node.value("self"), node.out().dtype)
    return _over(node, op, x)


def _over(node: AtenNode, op: str, x: SSAValue) -> SSAValue:
    dims = node.info.args.get("dim")
    chosen = [dims] if isinstance(dims, int) else list(dims or range(len(node.shape(x))))
    keep = int(bool(node.info.args.get("keepdim")))
    return node.onnx(op, x, np.array(chosen, np.int64), keepdims=keep)[0]


for _name, _op in _REDUCTIONS.items():
    ATEN.conversion(f"aten.{_name}")(partial(_reduce, _op))


@ATEN.conversion("aten.any", "aten.all")
def truth(node: AtenNode) -> SSAValue:
    """any and all of truth values."""
    x = node.cast(node.value("self"), DType.Bool8)
    largest = node.info.op.startswith("aten.any")
    return _over(node, "ReduceMax" if largest else "ReduceMin", x)


@ATEN.conversion("aten.var.correction", "aten.std.correction")
def variance(node: AtenNode) -> SSAValue:
    """var and std, with Bessel's correction or another."""
    x = node.value("self")
    dims = list(node.argument("dim") or range(len(node.shape(x))))
    axes = np.array(dims, np.int64)
    apart = node.onnx("Sub", x, node.onnx("ReduceMean", x, axes, keepdims=1)[0])[0]
    squares = node.onnx(
        "ReduceSum", node.onnx("Mul", apart, apart)[0], axes, keepdims=int(node.argument("keepdim"))
    )[0]
    count = int(np.prod([node.shape(x)[dim] for dim in dims]))
    correction = node.argument("correction")
    left = count - (1 if correction is None else correction)
    spread = node.onnx(
        "Mul", squares, node.scalar(1 / max(left, 0) if left > 0 else float("nan"), x)
    )[0]
    return node.onnx("Sqrt", spread)[0] if "std" in node.info.op else spread


@ATEN.conversion("aten.softmax", "aten._softmax", "aten._safe_softmax")
def softmax(node: AtenNode) -> SSAValue:
    """softmax along a dim."""
    x = node.cast(node.value("self"), node.out().dtype)
    return node.onnx("Softmax", x, axis=node.axis())[0]


@ATEN.conversion("aten.log_softmax", "aten._log_softmax")
def log_softmax(node: AtenNode) -> SSAValue:
    """log_softmax along a dim."""
    x = node.cast(node.value("self"), node.out().dtype)
    return node.onnx("LogSoftmax", x, axis=node.axis())[0]


@ATEN.conversion("aten.argmax", "aten.argmin")
def index_of(node: AtenNode) -> SSAValue:
    """argmax and argmin along a dim, or of all elements."""
    x, op = node.value("self"), "ArgMax" if "argmax" in node.info.op else "ArgMin"
    if node.given("dim"):
        return node.onnx(op, x, axis=node.axis(), keepdims=int(node.argument("keepdim")))[0]
    flat = node.reshape(x, (int(np.prod(node.shape(x))),))
    return node.reshape(node.onnx(op, flat, axis=0, keepdims=0)[0], node.out().shape)


@ATEN.conversion("aten.max.dim", "aten.min.dim")
def best(node: AtenNode) -> list[SSAValue]:
    """max and min along a dim, and where they are."""
    largest = node.info.op.startswith("aten.max")
    x, keep = node.value("self"), int(node.argument("keepdim"))
    value = node.onnx(
        "ReduceMax" if largest else "ReduceMin", x, np.array([node.axis()]), keepdims=keep
    )[0]
    place = node.onnx("ArgMax" if largest else "ArgMin", x, axis=node.axis(), keepdims=keep)[0]
    return [value, place]


@ATEN.conversion("aten.topk")
def topk(node: AtenNode) -> list[SSAValue]:
    """topk."""
    return node.onnx(
        "TopK",
        node.value("self"),
        np.array([node.argument("k")], np.int64),
        outputs=2,
        axis=node.axis(),
        largest=int(node.argument("largest")),
        sorted=int(node.argument("sorted")),
    )


@ATEN.conversion("aten.cumsum")
def cumsum(node: AtenNode) -> SSAValue:
    """cumsum along a dim."""
    x = node.cast(node.value("self"), node.out().dtype)
    return node.onnx("CumSum", x, np.array(node.axis(), np.int64))[0]

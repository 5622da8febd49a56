"""Reductions, searches, and sums along a dim."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.value.dtypes import DType
from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

_REDUCTIONS = {
    "amax": "ReduceMax",
    "amin": "ReduceMin",
    "max.default": "ReduceMax",
    "mean": "ReduceMean",
    "min.default": "ReduceMin",
    "prod": "ReduceProd",
    "sum": "ReduceSum",
}
"""ONNX op by ATen op."""
_TRUTHS = {"all": "ReduceMin", "any": "ReduceMax"}
_BEST = {"max.dim": ("ReduceMax", "ArgMax"), "min.dim": ("ReduceMin", "ArgMin")}
_SEARCHES = {"argmax": "ArgMax", "argmin": "ArgMin"}


def _reduce(op: str, node: AtenNode) -> SSAValue:
    return _over(node, op, node.as_out("self"))


def _truth(op: str, node: AtenNode) -> SSAValue:
    truths = _over(node, op, node.cast(node.value("self"), DType.Bool8))
    return node.cast(truths, node.out().dtype)


def _over(node: AtenNode, op: str, x: SSAValue) -> SSAValue:
    """Build a reduction over one dim, some, or all."""
    dims, keep = _dims(node, x), int(bool(node.argument("keepdim")))
    if not node.shape(x):
        return x
    return node.one(op, x, np.array(dims, np.int64), keepdims=keep)


def _dims(node: AtenNode, x: SSAValue) -> list[int]:
    dims = node.argument("dim")
    return [dims] if isinstance(dims, int) else list(dims or range(len(node.shape(x))))


def _best(value_op: str, place_op: str, node: AtenNode) -> list[SSAValue]:
    """Build max or min along a dim, and where it is."""
    x, keep = node.value("self"), int(node.argument("keepdim"))
    row = node.reshape(x, node.shape(x) or (1,))
    value = node.one(value_op, row, np.array([node.axis()]), keepdims=keep)
    place = node.one(place_op, row, axis=node.axis(), keepdims=keep)
    return [node.reshape(each, node.out().shape) for each in (value, place)]


def _search(op: str, node: AtenNode) -> SSAValue:
    """Build argmax or argmin along a dim, or of all elements."""
    x, axis = node.value("self"), 0
    shape: tuple[int, ...] = (int(np.prod(node.shape(x))),)
    if node.given("dim") and node.shape(x):
        shape, axis = node.shape(x), node.axis()
    place = node.one(op, node.reshape(x, shape), axis=axis, keepdims=0)
    return node.reshape(place, node.out().shape)


for _table, _build in ((_REDUCTIONS, _reduce), (_TRUTHS, _truth), (_SEARCHES, _search)):
    for _name, _op in _table.items():
        ATEN.conversion(f"aten.{_name}")(partial(_build, _op))
for _name, _ops in _BEST.items():
    ATEN.conversion(f"aten.{_name}")(partial(_best, *_ops))


@ATEN.conversion("aten.var", "aten.std")
def variance(node: AtenNode) -> SSAValue:
    """var and std, with Bessel's correction or another."""
    x = node.value("self")
    dims = _dims(node, x)
    axes, keep = np.array(dims, np.int64), int(bool(node.argument("keepdim")))
    unbiased, correction = node.argument("unbiased"), node.argument("correction")
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    left = max(0, int(np.prod([node.shape(x)[dim] for dim in dims])) - correction)
    apart = node.one("Sub", x, node.one("ReduceMean", x, axes)) if dims else node.one("Sub", x, x)
    squares = node.one("Mul", apart, apart)
    total = node.one("ReduceSum", squares, axes, keepdims=keep) if dims else squares
    spread = node.one("Mul", total, node.scalar(1 / left if left else float("nan"), x))
    return node.one("Sqrt", spread) if "std" in node.info.op else spread


@ATEN.conversion("aten.topk")
def topk(node: AtenNode) -> list[SSAValue]:
    """topk."""
    return _sorted(node, node.argument("k"), node.argument("largest"))


@ATEN.conversion("aten.sort")
def sort(node: AtenNode) -> list[SSAValue]:
    """sort: TopK of all; equal elements stay in their order."""
    x = node.value("self")
    count = node.shape(x)[node.axis()] if node.shape(x) else 1
    return _sorted(node, count, node.argument("descending"))


def _sorted(node: AtenNode, count: int, largest: bool) -> list[SSAValue]:
    x = node.value("self")
    row = node.reshape(x, node.shape(x) or (1,))
    results = node.onnx(
        "TopK", row, np.array([count]), outputs=2, axis=node.axis(), largest=int(largest)
    )
    return [node.reshape(each, node.out().shape) for each in results]


@ATEN.conversion("aten.cumsum")
def cumsum(node: AtenNode) -> SSAValue:
    """cumsum along a dim."""
    x = node.as_out("self")
    return node.one("CumSum", x, np.array(node.axis(), np.int64)) if node.shape(x) else x

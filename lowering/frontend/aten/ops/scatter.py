"""Elements written along a dim to places that a tensor names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.value.dtypes import DType
from ..dtypes import bounds
from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

_REDUCTIONS = {
    "add": "add",
    "multiply": "mul",
    "sum": "add",
    "mean": "add",
    "prod": "mul",
    "amax": "max",
    "amin": "min",
}
"""ONNX's reduction by PyTorch's."""
_NEUTRAL: dict[str, Callable[[DType], float]] = {
    "add": lambda dtype: 0,
    "mul": lambda dtype: 1,
    "max": lambda dtype: bounds(dtype)[0],
    "min": lambda dtype: bounds(dtype)[1],
}
"""The number that changes nothing in a reduction."""


@ATEN.conversion("aten.scatter", "aten.scatter_add")
def scatter(node: AtenNode) -> SSAValue:
    """scatter of a tensor or a number, also with a reduction."""
    name = "add" if "scatter_add" in node.info.op else node.argument("reduce")
    return _written(node, node.value("self"), _source(node), _REDUCTIONS.get(name, "none"))


@ATEN.conversion("aten.scatter_reduce.two")
def scatter_reduce(node: AtenNode) -> SSAValue:
    """scatter_reduce, with what is there before or without."""
    x, name = node.value("self"), node.argument("reduce")
    reduction, source = _REDUCTIONS[name], _source(node)
    ones, zeros = (node.const(np.full(node.shape(x), n, node.dtype(x).storage)) for n in (1, 0))
    written = node.const(np.ones(node.shape(source), node.dtype(x).storage))
    base = x
    if not node.argument("include_self"):
        number = node.array(_NEUTRAL[reduction](node.dtype(x)), x)
        neutral = node.const(np.full(node.shape(source), number))
        base = _written(node, x, neutral, "none")
        count = _written(node, zeros, written, "add")
        counts = node.one("Max", count, ones)
    else:
        counts = _written(node, ones, written, "add")
    total = _written(node, base, source, reduction)
    return node.one("Div", total, counts) if name == "mean" else total


def _source(node: AtenNode) -> SSAValue:
    """Return what is written, of the shape of the index."""
    shape = node.shape(node.value("index"))
    if node.given("value"):
        return node.const(np.full(shape, node.argument("value"), node.out().dtype.storage))
    source = node.value("src")
    if node.shape(source) == shape or not shape:
        return source
    ends, starts = np.array(shape, np.int64), np.zeros(len(shape), np.int64)
    return node.one("Slice", source, starts, ends)


def _written(node: AtenNode, x: SSAValue, source: SSAValue, reduction: str) -> SSAValue:
    shape = node.shape(x)
    parts = (node.reshape(v, node.shape(v) or (1,)) for v in (x, node.value("index"), source))
    out = node.one("ScatterElements", *parts, axis=node.axis(), reduction=reduction)
    return node.reshape(out, shape)

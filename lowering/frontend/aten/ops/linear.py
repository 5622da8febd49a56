"""Products of matrices, and distances of rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions
from .binary import scaled

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion("aten.linear")
def linear(node: AtenNode) -> SSAValue:
    """linear: input times the transposed weight, plus bias."""
    weight = node.value("weight")
    if len(node.shape(weight)) == 2:
        weight = node.transpose(weight, (1, 0))
    out = node.one("MatMul", node.value("input"), weight)
    return node.one("Add", out, node.value("bias")) if node.given("bias") else out


@ATEN.conversion("aten.mm", "aten.bmm", "aten.matmul")
def matmul(node: AtenNode) -> SSAValue:
    """Products of matrices."""
    return node.one("MatMul", node.value("self"), node.value(node.first("mat2", "other")))


@ATEN.conversion("aten.addmm")
def addmm(node: AtenNode) -> SSAValue:
    """addmm: beta times self plus alpha times a product."""
    product = node.one("MatMul", node.value("mat1"), node.value("mat2"))
    return node.one("Add", scaled(node, product, "alpha"), scaled(node, node.value("self"), "beta"))


@ATEN.conversion("aten._cdist_forward")
def distances(node: AtenNode) -> SSAValue:
    """cdist: the p-norm of each row of x1 less each row of x2."""
    x1, x2 = node.value("x1"), node.value("x2")
    (*batch, rows, width), (*other, columns, _) = node.shape(x1), node.shape(x2)
    left = node.reshape(x1, (*batch, rows, 1, width))
    return _norm(node, node.one("Sub", left, node.reshape(x2, (*other, 1, columns, width))))


@ATEN.conversion("aten._pdist_forward")
def distances_of_pairs(node: AtenNode) -> SSAValue:
    """pdist: the p-norm of each row less each row behind it."""
    x = node.value("self")
    first, second = (node.one("Gather", x, n) for n in np.triu_indices(node.shape(x)[0], 1))
    return _norm(node, node.one("Sub", first, second))


def _norm(node: AtenNode, x: SSAValue) -> SSAValue:
    """Return the p-norm over the last dim."""
    p, size, axes = node.argument("p"), node.one("Abs", x), np.array([-1])
    if p == math.inf:
        return node.one("ReduceMax", size, axes, keepdims=0)
    if p == 0:
        size = node.one("Sign", size)
    powers = size if p in (0, 1) else node.one("Pow", size, node.scalar(p, x))
    total = node.one("ReduceSum", powers, axes, keepdims=0)
    return total if p in (0, 1) else node.one("Pow", total, node.scalar(1 / p, x))

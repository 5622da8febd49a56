"""Tensors that are all of one number, of another tensor's shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion("aten.empty", "aten.empty_strided", "aten.empty_like", "aten.empty_permuted")
def empty(node: AtenNode) -> SSAValue:
    """Tensors of no stated numbers: zeros."""
    return _filled(node, 0)


@ATEN.conversion("aten.full_like", "aten.fill.Scalar")
def full(node: AtenNode) -> SSAValue:
    """A number for every element."""
    return _filled(node, node.argument(node.first("fill_value", "value")))


def _filled(node: AtenNode, number: float) -> SSAValue:
    out = node.out()
    return node.const(np.full(out.shape, number, out.dtype.storage))


@ATEN.conversion("aten.copy", "aten.fill.Tensor")
def copy(node: AtenNode) -> SSAValue:
    """copy: another tensor in this one's shape and dtype."""
    x = node.as_out(node.first("src", "value"))
    shape = node.out().shape
    return x if node.shape(x) == shape else node.one("Expand", x, np.array(shape, np.int64))

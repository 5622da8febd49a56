"""scaled_dot_product_attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion("aten.scaled_dot_product_attention")
def attention(node: AtenNode) -> SSAValue:
    """scaled_dot_product_attention without dropout."""
    node.require(not node.argument("dropout_p"), "dropout is in training", "call model.eval()")
    q, k, v = (node.value(name) for name in ("query", "key", "value"))
    rank, width = len(node.shape(q)), node.shape(q)[-1]
    if node.argument("enable_gqa"):
        groups = node.shape(q)[-3] // node.shape(k)[-3]
        k, v = (_repeated(node, each, groups) for each in (k, v))
    scale = node.argument("scale")
    scaled = node.one("Mul", q, node.scalar(width**-0.5 if scale is None else scale, q))
    turned = node.transpose(k, [*range(rank - 2), rank - 1, rank - 2])
    scores = node.one("MatMul", scaled, turned)
    mask = node.optional("attn_mask")
    if node.argument("is_causal"):
        mask = node.const(np.tril(np.ones(node.shape(scores)[-2:], bool)))
    if mask is not None and node.dtype(mask).is_float:
        scores = node.one("Add", scores, mask)
    elif mask is not None:
        scores = node.one("Where", mask, scores, node.scalar(float("-inf"), scores))
    return node.one("MatMul", node.one("Softmax", scores, axis=-1), v)


def _repeated(node: AtenNode, x: SSAValue, groups: int) -> SSAValue:
    """Repeat each head of keys or values for the queries of its group."""
    *batch, heads, steps, width = node.shape(x)
    apart = node.reshape(x, (*batch, heads, 1, steps, width))
    shape = (*batch, heads, groups, steps, width)
    wide = node.one("Expand", apart, np.array(shape, np.int64))
    return node.reshape(wide, (*batch, heads * groups, steps, width))

"""Rules for the reshapes and the Transpose that put the depth into another order.

A Gather does the same with the rows where they are, and can be cut into tiles of some of them.
"""

from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...dialects.value import DType, TensorSpec
from ..rules import (
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    OPCONST,
    QNN,
    Op,
    external_constraint,
    external_replacement,
    rule,
    rules,
)
from ..rules.graph.graph import Node
from ..rules.tree.build import Builder, Reference


@external_constraint("shuffles_depth")
def shuffles_depth(joined: Node, data: Node) -> bool:
    """A Reshape of a Transpose of a Reshape puts the depth of the data into another order."""
    return joined.shape == data.shape and len(_order(joined)) > 0


@external_replacement("shuffled_depth")
def shuffled_depth(builder: Builder, root: Node) -> Node | SSAValue:
    """Gather the depth in its new order."""
    data = root.inputs[0].inputs[0].inputs[0]
    numbers = (_order(root), np.array([len(data.shape) - 1]))
    rows = [array.astype(np.int32).reshape(1, 1, 1, -1) for array in numbers]
    indices = [builder.const(row, TensorSpec(row.shape, DType.Int32)) for row in rows]
    return builder.native("Gather", [data.value, *indices], Reference(root.spec))


def _order(joined: Node) -> NDArray[np.intp]:
    """Return the elements of the depth in their new order; none where other dims move, too."""
    split, perm = joined.inputs[0].inputs
    axes = [] if perm.constant is None else perm.constant.reshape(-1).tolist()
    first = next((at for at, dim in enumerate(axes) if at != dim), len(axes))
    depth, parts = joined.shape[-1], split.shape[first:]
    if prod(parts) != depth:
        return np.arange(0)
    inner = [dim - first for dim in axes[first:]]
    return np.arange(depth).reshape(parts).transpose(inner).reshape(-1)


SHUFFLES = rules(
    rule(
        QNN + 6,
        Op("Reshape", Op("Transpose", Op("Reshape", "X"), OPCONST("Perm"))),
        EXTERNAL_CONSTRAINT(shuffles_depth, "*", "X"),
        EXTERNAL_REPLACE(shuffled_depth),
        name="shuffled depth",
    ),
)

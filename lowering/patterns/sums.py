"""Pass group TILING: a sum over a dim becomes the sum of sums over its parts.

The plan on the op says how; where there is none and no cut of the result makes the op small enough,
its sum is halved. The order of additions changes, so rows of the table allow it for f32 alone.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.value.layout import round_up
from ..planner.tiling import SUMMED
from ..rules import (
    AND,
    DIM_OF,
    EXTERNAL_REPLACE,
    GT,
    LT,
    OR,
    PLANNED_CHUNK,
    TILING,
    external_replacement,
    rule,
)
from ..rules.definition.rule import Rule
from ..rules.graph.env import Split
from ..rules.graph.graph import Node
from ..rules.language.split import slices, take_slice
from ..rules.language.tile_plan import carried, planned_chunk
from ..rules.tree.build import Builder, Reference
from .conditions import EXCEEDS_ITS_SHARE
from .tile_table import DEPTH_CHUNK, ROWS, Summed, TileRow


@external_replacement("sum_of_parts")
def sum_of_parts(builder: Builder, root: Node) -> Node | SSAValue:
    """Add up the op on parts of the dim that it sums over, one after the other."""
    row = ROWS[root.name]
    if row.summed is None:
        return root
    named = dict(zip(row.operands, root.inputs, strict=True))
    name, dim = row.summed.extent
    extent = named[name].shape[dim]
    chunk = planned_chunk(root, SUMMED) or round_up(-(-extent // 2), DEPTH_CHUNK)
    ref = Reference(root.spec, attributes=carried(builder.root, SUMMED, chunk))
    params = [named.pop(param).value for param in row.summed.params]
    total: SSAValue | None = None
    for cut in slices(SUMMED, extent, chunk):
        operands = [_part(builder, row.summed, *operand, cut) for operand in named.items()]
        part = builder.native(row.summed.plain, operands, ref)
        total = part if total is None else builder.native("Add", [total, part], ref)
    if total and row.summed.then:
        total = builder.native(row.summed.then, [total, *params], ref)
    return total or root


def _part(builder: Builder, summed: Summed, name: str, node: Node, cut: Split) -> SSAValue:
    """Slice the part of an operand that one partial sum reads."""
    if name == summed.once and cut.start > 0:
        return builder.const(np.zeros(node.shape, np.float32), node.spec)
    dim = summed.dims.get(name)
    if dim is None:
        return node.value
    start = tuple(cut.start if axis == dim else 0 for axis in range(node.spec.rank))
    size = (*node.shape[:dim], cut.size, *node.shape[dim + 1 :])
    return take_slice(builder, node.value, start, size, Reference(node.spec))


def sums(row: TileRow, summed: Summed) -> Rule:
    """Make the rule that cuts the sum of a row's op."""
    name, dim = summed.extent
    extent, chunk = DIM_OF(name, dim), PLANNED_CHUNK("*", SUMMED)
    by_plan = AND(GT(chunk, 0), LT(chunk, extent))
    halves = AND(GT(extent, DEPTH_CHUNK), EXCEEDS_ITS_SHARE)
    return rule(
        TILING,
        row.op,
        AND(summed.condition, OR(by_plan, halves)),
        EXTERNAL_REPLACE(sum_of_parts),
        name=f"tile {row.name} along its sum",
    )

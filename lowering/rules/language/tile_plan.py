"""The tile plan of an op, and the queries of rules about it.

`htp.tile = [array<i64: 1, 16>, array<i64: 3, 64>]`: cut the result along dim 1 into tiles of 16,
then each of these along dim 3 into tiles of 64. Dim 4 is what the result is summed over: parts of
it give partial sums. An empty plan says that the op stays whole.
`htp.in_step` marks ops whose tiles run in step with those of a later op: each tile is computed when
the next tile of that op needs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Attribute, Operation

from ....dialects.attributes import IN_STEP, TILE_PLAN
from ...planner.tiling.program import Cuts
from ..graph.graph import Node
from ..tree.function import Size, function


def plan_attr(cuts: Sequence[tuple[int, int]]) -> Attribute:
    """Return a plan as the attribute of an op."""
    return ArrayAttr([DenseArrayBase.from_list(i64, cut) for cut in cuts])


def plan_of(op: Operation | None) -> Cuts | None:
    """Return the plan of an op; None where there is none, or where it is no list of pairs."""
    attr = op.attributes.get(TILE_PLAN) if op else None
    if not isinstance(attr, ArrayAttr):
        return None
    pairs = [pair for pair in attr if isinstance(pair, DenseArrayBase) and len(pair) == 2]
    if len(pairs) != len(attr):
        return None
    values = [pair.get_values() for pair in pairs]
    return tuple((int(dim), int(chunk)) for dim, chunk in values)


def carried(op: Operation, dim: int, chunk: int) -> tuple[tuple[str, Attribute], ...]:
    """Return the attributes of the tiles of an op that its plan cut; empty if it did not."""
    plan = plan_of(op)
    if not plan or plan[0] != (dim, chunk):
        return ()
    step = op.attributes.get(IN_STEP)
    return ((TILE_PLAN, plan_attr(plan[1:])), *([(IN_STEP, step)] if step else []))


def planned_chunk(node: Node, dim: int) -> int:
    """Return the size of the tiles into which an op's plan cuts a dim next; 0 without one."""
    plan = plan_of(node.op)
    return plan[0][1] if plan and plan[0][0] == dim and plan[0][1] > 0 else 0


@function
def PLANNED_CHUNK(node: Node, dim: int) -> Size:
    """The size of the tiles into which the plan on the node's op cuts a dim next; 0 where it does
    not. Dim 4 is what the result is summed over. AUTOSPLIT by it gives the tiles the rest of the
    plan.

    Example: `AUTOSPLIT(1, "I", PLANNED_CHUNK("*", 1), Op("Relu", TYPICAL_SLICE("X", "I")))`
    """
    return planned_chunk(node, dim)

"""The tile plan that an op carries, and what rules ask of it.

`htp.tile = [array<i64: 1, 16>, array<i64: 3, 64>]`: cut the result along dim 1 into tiles of 16,
then each of these along dim 3 into tiles of 64. Dim 4 is what the result is summed over: parts of
it give sums that are added up. An empty plan says that the op stays whole.
`htp.in_step` is on ops whose tiles run in step with those of an op behind them: each is made when
that one's next tile needs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Attribute, Operation

from ...planner.tiling.program import Cuts
from ..graph.graph import Node
from ..graph.types import Kind
from ..tree.function import INTEGER, NODE, Function, strict

TILE_PLAN = "htp.tile"
IN_STEP = "htp.in_step"


def plan_attr(cuts: Sequence[tuple[int, int]]) -> Attribute:
    """A plan as the attribute of an op."""
    return ArrayAttr([DenseArrayBase.from_list(i64, cut) for cut in cuts])


def plan_of(op: Operation | None) -> Cuts | None:
    """The plan on an op; None where there is none, or where it is no list of pairs."""
    found = op.attributes.get(TILE_PLAN) if op else None
    if not isinstance(found, ArrayAttr):
        return None
    held = [pair for pair in found if isinstance(pair, DenseArrayBase) and len(pair) == 2]
    if len(held) != len(found):
        return None
    values = [pair.get_values() for pair in held]
    return tuple((int(dim), int(chunk)) for dim, chunk in values)


def carried(op: Operation, dim: int, chunk: int) -> tuple[tuple[str, Attribute], ...]:
    """The attributes of the tiles of an op that was cut by its plan; none where it was not."""
    plan = plan_of(op)
    if not plan or plan[0] != (dim, chunk):
        return ()
    step = op.attributes.get(IN_STEP)
    return ((TILE_PLAN, plan_attr(plan[1:])), *([(IN_STEP, step)] if step else []))


def planned_chunk(node: Node, dim: int) -> int:
    """The size of the parts into which an op's plan cuts a dim next; 0 where it does not."""
    plan = plan_of(node.op)
    return plan[0][1] if plan and plan[0][0] == dim and plan[0][1] > 0 else 0


PLANNED_CHUNK = Function(
    "PLANNED_CHUNK",
    (NODE, INTEGER),
    Kind.SIZE,
    strict(planned_chunk),
    doc=(
        "The size of the tiles into which the plan on the node's op cuts a dim next; 0 where it "
        "does not. Dim 4 is what the result is summed over. AUTOSPLIT by it gives the tiles the "
        "rest of the plan. Example: "
        '`AUTOSPLIT(1, "I", PLANNED_CHUNK("*", 1), Op("Relu", TYPICAL_SLICE("X", "I")))`'
    ),
)

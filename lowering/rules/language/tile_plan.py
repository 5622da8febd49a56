"""The tile plan of an op, and the queries of rules about it.

`htp.tile = [array<i64: 1, 16>, array<i64: 3, 64>]`: cut the result along dim 1 into tiles of 16,
then each of these along dim 3 into tiles of 64. Dim 4 is what the result is summed over: parts of
it give partial sums. An empty plan says that the op stays whole.
`htp.in_step` marks ops whose tiles run in step with those of a later op: each tile is computed when
the next tile of that op needs it.
`htp.layout = "flat"` says in which layout the plan has the result, where kernels leave that open.
`htp.made_anew = array<i64: 2, 0, 33, 31, 64>` comes before the plan: make columns 0 to 32 and 31 to
63 one by one. A reader takes the block that holds what it reads; the tiles are those of each block.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Attribute, Operation

from ....dialects.attributes import IN_STEP, MADE_ANEW, PLANNED_LAYOUT, TILE_PLAN
from ....dialects.htp import ConcatOp, SliceShapeOp
from ...planner.tiling.program import Cuts
from ...planner.tiling.tilings import Windows
from ..graph.graph import Node
from ..tree.function import Size, function


def plan_attr(cuts: Sequence[tuple[int, int]]) -> Attribute:
    """Return a plan as the attribute of an op."""
    return ArrayAttr([DenseArrayBase.from_list(i64, cut) for cut in cuts])


def plan_of(op: Operation | None) -> Cuts | None:
    """Return the plan of an op; None where there is none, or where it is not a list of pairs."""
    attr = op.attributes.get(TILE_PLAN) if op else None
    if not isinstance(attr, ArrayAttr):
        return None
    pairs = [pair for pair in attr if isinstance(pair, DenseArrayBase) and len(pair) == 2]
    if len(pairs) != len(attr):
        return None
    values = [pair.get_values() for pair in pairs]
    return tuple((int(dim), int(chunk)) for dim, chunk in values)


def windows_attr(windows: Windows) -> Attribute:
    """Return windows as the attribute of an op."""
    ends = (end for span in windows.spans for end in span)
    return DenseArrayBase.from_list(i64, [windows.dim, *ends])


def windows_on(op: Operation | None) -> Windows | None:
    """Return the windows on an op; None where there are none."""
    attr = op.attributes.get(MADE_ANEW) if op else None
    if not isinstance(attr, DenseArrayBase):
        return None
    dim, *ends = map(int, attr.get_values())
    return Windows(dim, tuple(zip(ends[::2], ends[1::2], strict=True)))


def carried(op: Operation, dim: int, chunk: int) -> tuple[tuple[str, Attribute], ...]:
    """Return the attributes of the tiles of an op that its plan cut; empty if it did not."""
    plan, windows = plan_of(op), windows_on(op)
    if plan is None or (windows is None and plan[:1] != ((dim, chunk),)):
        return ()
    rest = plan[1:] if windows is None else plan
    marks = ((name, op.attributes.get(name)) for name in (IN_STEP, PLANNED_LAYOUT))
    return ((TILE_PLAN, plan_attr(rest)), *((name, mark) for name, mark in marks if mark))


def planned_chunk(node: Node, dim: int) -> int:
    """Return the size of the tiles into which an op's plan cuts a dim next; 0 without one.

    A block that was made anew waits until all its readers have found it.
    """
    plan, windows = plan_of(node.op), windows_on(node.op)
    if windows is not None:
        low, high = windows.parts[0]
        return high - low if windows.dim == dim else 0
    if not plan or _is_awaited(node):
        return 0
    return plan[0][1] if plan[0][0] == dim and plan[0][1] > 0 else 0


def _is_awaited(node: Node) -> bool:
    """Tell whether a Concat still represents the blocks of which this is one."""
    readers = {use.operation for use in node.value.uses}
    parts = {part for part in readers if isinstance(part, SliceShapeOp)}
    behind = {use.operation for part in parts for use in part.results[0].uses}
    return any(isinstance(op, ConcatOp) and windows_on(op) for op in readers | behind)


@function
def PLANNED_CHUNK(node: Node, dim: int) -> Size:
    """The size of the tiles into which the plan on the node's op cuts a dim next; 0 where it does
    not. Dim 4 is what the result is summed over. AUTOSPLIT by it gives the tiles the rest of the
    plan.

    Example: `AUTOSPLIT(1, "I", PLANNED_CHUNK("*", 1), Op("Relu", TYPICAL_SLICE("X", "I")))`
    """
    return planned_chunk(node, dim)

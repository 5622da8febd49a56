"""The pass that puts the ops into an order of execution that suits the TCM."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from ....dialects.attributes import (
    DRAINED,
    GATHERED,
    IN_STEP,
    MADE_ANEW,
    PLANNED_LAYOUT,
    TILE_PLAN,
)
from ....dialects.htp.base import NativeOp
from ....dialects.htp.in_place import is_in_place
from ....dialects.htp.ops.const import ConstOp, ShapeOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.htp.ops.movement import ConcatOp, ReshapeOp, TransposeOp
from ....dialects.htp.ops.slices import SlicePadShapeOp, SliceShapeOp
from ....dialects.htp.ops.state import StateReadOp, StateWriteOp
from ...levels import bodies
from ...planner.allocation.schedule import Task, schedule
from ...planner.allocation.steps import TcmBuffer
from ...rules.graph.graph import OpTables
from .select_kernels import scratch_of
from .tcm import (
    NO_TABLES,
    bytes_from_ddr,
    ddr_source,
    in_tcm,
    readable_in_ddr,
    root,
    tcm_bytes_of,
    wholes,
)
from .tcm_program import TcmPass

_MOVING = ReshapeOp, SliceShapeOp, SlicePadShapeOp, ConcatOp, TransposeOp
_LAZY = (ConstOp, ShapeOp, CopyOp, *_MOVING)
"""Classes of ops that compute nothing: each serves an op behind it, and is best close to it."""


@dataclass(frozen=True)
class Schedule(TcmPass):
    """Placed level to placed level, in execution order.

    Ops go tile by tile where that saves spills or lowers the peak of live TCM bytes; else the
    order stays. A state is read before it is written. Tile plans are dropped: no later pass reads
    them.
    """

    name = "htp-schedule"

    def run(self, module: ModuleOp, tables: OpTables) -> None:
        for block in bodies(module):
            schedule_block(block, self.tcm_bytes, self.alignment, tables)
            for inner in block.ops:
                for name in (TILE_PLAN, IN_STEP, MADE_ANEW, DRAINED, GATHERED, PLANNED_LAYOUT):
                    inner.attributes.pop(name, None)


def schedule_block(
    block: Block, tcm_bytes: int, alignment: int, tables: OpTables = NO_TABLES
) -> None:
    """Order the ops of one block; its terminator stays last."""
    ops = [op for op in block.ops if not op.has_trait(IsTerminator)]
    order = schedule(tasks_of(ops, tables), tcm_bytes, alignment)
    if order == tuple(range(len(ops))):
        return
    terminators = [op for op in block.ops if op.has_trait(IsTerminator)]
    for op in [*(ops[index] for index in order), *terminators]:
        block.detach_op(op)
        block.add_op(op)


def tasks_of(ops: Sequence[Operation], tables: OpTables = NO_TABLES) -> list[Task]:
    """Describe the ops as the planner sees them: values by number, with their bytes in TCM.

    Scratch is a buffer that an op writes and nothing reads. A view has no buffer of its own, but
    its readers come after the op that makes it.
    """
    buffers, viewed = _buffers_of(ops)
    readers: dict[str, list[int]] = defaultdict(list)
    for index, op in enumerate(ops):
        if isinstance(op, StateReadOp):
            readers[op.symbol].append(index)
    tasks: list[Task] = []
    for index, op in enumerate(ops):
        need, readable = scratch_of(op, tables.kernels), readable_in_ddr(op, tables)
        own = enumerate(need.tcm_bytes if need else ())
        task = Task(
            reads=tuple(buffers[operand] for operand in op.operands if operand in buffers),
            writes=(
                *(buffers[result] for result in op.results if result not in viewed),
                *(TcmBuffer(f"{index}.scratch{i}", size) for i, size in own),
            ),
            after=(
                *(readers[op.symbol] if isinstance(op, StateWriteOp) else ()),
                *(viewed[operand] for operand in op.operands if operand in viewed),
            ),
            lazy=IN_STEP in op.attributes or isinstance(op, _LAZY),
            takes={
                buffers[v].name: size
                for v, size in readable.items()
                if v not in viewed and (buffers[v].fetched is None or ddr_source(v) is not None)
            },
            onto=tuple(buffers[value].name for value in _onto(op)),
        )
        tasks.append(task)
    return tasks


def _buffers_of(
    ops: Sequence[Operation],
) -> tuple[dict[SSAValue, TcmBuffer], dict[SSAValue, int]]:
    """Give each value its buffer; list the views among them, with the op that makes each."""
    buffers, viewed = dict[SSAValue, TcmBuffer](), dict[SSAValue, int]()
    inside = wholes(op for op in ops if not is_in_place(op))
    kept = {root(value, inside) for value in inside}
    for index, op in enumerate(ops):
        for result in op.results:
            whole = root(result, inside)
            if whole is not result and whole in buffers:
                buffers[result], viewed[result] = buffers[whole], index
            else:
                fetched = None if result in kept else bytes_from_ddr(result)
                buffers[result] = TcmBuffer(str(len(buffers)), tcm_bytes_of(result), fetched)
    return buffers, viewed


def _onto(op: Operation) -> list[SSAValue]:
    """List the operands in TCM onto which an op may write a result in TCM.

    Where one is read behind it, in an order of ops, it does not.
    """
    able = op.overwritable() if isinstance(op, NativeOp) else ()
    inside = [op.operands[at] for at in able if in_tcm(op.operands[at])]
    return inside if any(map(in_tcm, op.results)) else []

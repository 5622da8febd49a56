"""The order of ops that a plan of tiles starts from.

Ops in step follow each other. So what makes the largest operand of an op comes last in front of it,
where nothing else reads that: queries behind the keys and values of their attention.
"""

from xdsl.ir import Block, Operation

from ....dialects.spec_of import spec_of
from .tile_program import data_operands


def bring_close(block: Block) -> None:
    """Move the ops that alone lead to the largest operand of an op to right in front of it."""
    for op in reversed(list(block.ops)):
        for own in _leading(op):
            own.detach()
            block.insert_op_before(own, op)


def _leading(op: Operation) -> list[Operation]:
    """List, in order, the ops that lead to the largest operand of an op, and to nothing else."""
    leading = list[Operation]()
    while (maker := _largest(leading[0] if leading else op)) is not None:
        leading.insert(0, maker)
    return leading


def _largest(op: Operation) -> Operation | None:
    """Return the op that makes the largest operand of an op for it alone."""
    computed = {
        v for _, v in data_operands(op) if isinstance(v.owner, Operation) and v.owner.operands
    }
    sizes = sorted((spec_of(value).nbytes for value in computed), reverse=True)
    for value in computed:
        is_largest = spec_of(value).nbytes == sizes[0] and sizes[1:2] < sizes[:1]
        if is_largest and value.has_one_use() and isinstance(value.owner, Operation):
            return value.owner
    return None

"""The order of ops that a plan of tiles starts from.

Ops in step follow each other. So what makes the largest operand of an op comes last in front of it,
where nothing else reads that: queries behind the keys and values of their attention.
"""

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.htp import NativeOp
from ....dialects.spec_of import spec_of
from .tile_program import data_operands


def bring_close(block: Block) -> None:
    """Move the ops that alone lead to the largest operand of an op to right in front of it."""
    native, moved = [op for op in block.ops if isinstance(op, NativeOp)], set[Operation]()
    for op in reversed(native):
        for own in () if op in moved else _leading(op):
            own.detach()
            block.insert_op_before(own, op)
            moved.add(own)


def _leading(op: Operation) -> list[Operation]:
    """List, in order, the ops that lead to the largest of an op's operands, and to nothing else."""
    leading, sizes = list[Operation](), sorted(map(_size, {*_computed(op)}))
    maker = _maker(op) if len(sizes) > 1 and sizes[-2] < sizes[-1] else None
    while maker is not None:
        leading.insert(0, maker)
        maker = _maker(maker)
    return leading


def _maker(op: Operation) -> Operation | None:
    """Return the op that makes the largest operand of an op for it alone, and nothing else."""
    value = max(_computed(op), key=_size, default=None)
    if value is None or not isinstance(value.owner, Operation) or not value.has_one_use():
        return None
    return value.owner if len(value.owner.results) == 1 else None


def _computed(op: Operation) -> list[SSAValue]:
    """List the operands of an op that other ops compute."""
    data = (value for _, value in data_operands(op))
    return [v for v in data if isinstance(v.owner, Operation) and v.owner.operands]


def _size(value: SSAValue) -> int:
    return spec_of(value).nbytes

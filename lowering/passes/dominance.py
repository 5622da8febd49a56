"""A check that every value is defined before it is used; xDSL's verifier does not look."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl.dominance import strictly_dominates

from ...dialects.faults.op_faults import fail_at


def check_dominance(module: ModuleOp) -> None:
    """Raise HtpError at the first operand whose definition does not come before its use."""
    position = {op: index for block in module.walk_blocks() for index, op in enumerate(block.ops)}
    for op in module.walk():
        for index, operand in enumerate(op.operands):
            if not _comes_before(operand, op, position):
                owner = operand.owner
                maker = "a block argument" if isinstance(owner, Block) else owner.name
                raise fail_at(
                    op,
                    f"operand {index} is used before it is defined",
                    f"it is made by {maker}; move that in front of the use",
                )


def _comes_before(value: SSAValue, user: Operation, position: dict[Operation, int]) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    scope: Operation | None = user
    while scope is not None and block is not None:
        here = scope.parent
        if here is block:
            return isinstance(owner, Block) or position[owner] < position[scope]
        if here is not None and here.parent is block.parent:
            return strictly_dominates(block, here)
        scope = scope.parent_op()
    return False

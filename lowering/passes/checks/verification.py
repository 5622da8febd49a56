"""Verification between passes, as an instrument.

xDSL's verifier does not look whether a value is defined before it is used.
"""

from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl.dominance import strictly_dominates
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ....dialects.faults.op_faults import fail_at, invalid
from ....runtime.passes import Instrument


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


Face = tuple[object, ...]
"""Everything of an op that its verifier may read."""


class Verifier:
    """A verifier that remembers valid ops and verifies them again where they have changed."""

    def __init__(self) -> None:
        self._valid: dict[Operation, Face] = {}

    def check(self, module: ModuleOp, after: str) -> None:
        """Verify the new and changed ops of a module; HtpError names the op and the pass before."""
        valid: dict[Operation, Face] = {}
        for op in module.walk():
            face = _face(op)
            if op.regions or self._valid.get(op) != face:
                try:
                    op.verify_()
                except VerifyException as error:
                    raise invalid(error, "", "this is a fault of the pass", after) from error
            valid[op] = face
        self._valid = valid


def _face(op: Operation) -> Face:
    """Operands, types, params; compared by identity first, so that large constants cost nothing."""
    return (
        op.operands,
        *(operand.type for operand in op.operands),
        *(result.type for result in op.results),
        *op.properties.items(),
        *op.attributes.items(),
    )


class Verification(Instrument):
    """Verifies after each pass what it changed, dominance included; HtpError names the pass."""

    hears_trials: ClassVar[bool] = True

    def __init__(self) -> None:
        self._verifier = Verifier()

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._verifier.check(module, step.name)
        check_dominance(module)

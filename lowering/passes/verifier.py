"""Verification between passes, of the ops that the last pass made or changed."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ...dialects.faults.op_faults import invalid

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

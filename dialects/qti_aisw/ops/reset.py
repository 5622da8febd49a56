"""The reset operand of ops that keep state."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...checks import require, text
from ...value.kinds import Kind
from ..base import GraphOp
from ..guards import tensor


def check_reset(op: GraphOp, reset: SSAValue | None, rule: str) -> None:
    """Check that an optional reset is one truth value: a scalar or a tensor of one element."""
    if reset is None:
        return
    spec = tensor(op, "reset", reset, Kind.BOOL, rule=rule)
    message = f"{rule}operand 'reset' has shape {text(spec.shape)}, it must hold one element"
    require(spec.elements == 1, op, message)

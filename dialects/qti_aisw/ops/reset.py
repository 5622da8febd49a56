"""The memory effect and the reset operand of ops that keep state."""

from collections.abc import Set as AbstractSet

from xdsl.ir import Operation, SSAValue
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

from ...spec_of import require, text
from ...value import Kind
from ..base import GraphOp
from ..guards import tensor


class KeepsState(MemoryEffect):
    """Reads and writes a state of its own: dead code elimination and CSE leave the op alone."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}


def check_reset(op: GraphOp, reset: SSAValue | None, rule: str) -> None:
    """Check that an optional reset is one truth value: a scalar or a tensor of one element."""
    if reset is None:
        return
    spec = tensor(op, "reset", reset, Kind.BOOL, rule=rule)
    message = f"{rule}operand 'reset' has shape {text(spec.shape)}, it must hold one element"
    require(spec.elements == 1, op, message)

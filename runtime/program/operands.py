"""Operands of graph ops in the order of their definition, absent ones included."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp

RESET = "reset"


def graph_operands(op: GraphOp) -> list[tuple[str, SSAValue | None]]:
    """Name and value of each operand: None for an absent one, one entry per variadic value."""
    slots: list[tuple[str, SSAValue | None]] = []
    for name, _ in op.get_irdl_definition().operands:
        held = getattr(op, name)
        if held is None or isinstance(held, SSAValue):
            slots.append((name, held))
        else:
            slots += [(name, value) for value in held]
    return slots


def reset_of(op: GraphOp) -> SSAValue | None:
    """The operand `reset`, where the op has one and it is given."""
    return next((value for name, value in graph_operands(op) if name == RESET), None)

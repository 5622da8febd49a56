"""The nodes of the model that the ops of lowered IR come from."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ...dialects.htp.ops.const import ConstOp
from ..conversion.builder import node_of


def source_nodes(ops: Sequence[Operation]) -> dict[Operation, str]:
    """For the ops of a block, in order: a node's name, of the op or of a neighbour, or nothing.

    The attribute `htp.name` says it, or the location: rules pass that on, text drops it. An op that
    came in later, such as a copy, belongs to who made its operand, or else to who reads it.
    """
    made: dict[Operation, str] = {}
    for op in ops:
        made[op] = node_of(op) or _made(op, made)
    read: dict[Operation, str] = {}
    for op in reversed(ops):
        read[op] = node_of(op) or _read(op, read)
    return {op: made[op] or read[op] for op in ops}


def _made(op: Operation, known: dict[Operation, str]) -> str:
    """The node behind an op's first operand; a constant belongs to no maker."""
    maker = op.operands[0].owner if op.operands else None
    if not isinstance(maker, Operation) or isinstance(maker, ConstOp):
        return ""
    return known.get(maker, "")


def _read(op: Operation, known: dict[Operation, str]) -> str:
    """The node of the first op that reads a result, or of who reads what that makes."""
    users = [use.operation for result in op.results for use in result.uses]
    named = (name for user in users if (name := node_of(user)))
    return next(named, "") or (known.get(users[0], "") if users else "")

"""The node of the model that an op of lowered IR comes from."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ...dialects.htp.const import ConstOp
from ...dialects.htp.copies import CopyOp
from ..conversion.builder import node_of


def source_node(op: Operation) -> str:
    """The node's name as the op carries it, or its neighbour for a copy; empty if nobody knows.

    The attribute `htp.name` says it, or the location: rules pass that on, text drops it. A copy
    belongs to who made its operand, a constant or a copy of one to who reads it.
    """
    own = node_of(op)
    if own:
        return own
    if isinstance(op, ConstOp):
        return _reader(op)
    if isinstance(op, CopyOp):
        return _made(op.operands[0]) or _reader(op)
    return ""


def _made(value: SSAValue) -> str:
    """The node behind a value, through copies; constants have none of their own."""
    maker = value.owner
    while isinstance(maker, CopyOp):
        maker = maker.operands[0].owner
    return node_of(maker) if isinstance(maker, Operation) and not isinstance(maker, ConstOp) else ""


def _reader(op: Operation) -> str:
    """The node of the first op that reads a result, through copies."""
    seen: set[Operation] = set()
    while op not in seen:
        seen.add(op)
        users = [use.operation for result in op.results for use in result.uses]
        named = next((name for user in users if (name := node_of(user))), "")
        if named or not users:
            return named
        op = users[0]
    return ""

"""The node of the model that an op of lowered IR comes from."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects.htp.const import ConstOp
from ..conversion.builder import node_of


def source_node(op: Operation) -> str:
    """The node's name as the op carries it, else that of its neighbour; empty if nobody knows.

    The attribute `htp.name` says it, or the location: rules pass that on, text drops it. An op that
    came in later, such as a copy, belongs to who made its operand, or else to who reads it.
    """
    return node_of(op) or _made(op) or _read(op)


def _made(op: Operation) -> str:
    """The node behind an op's first operand; a constant belongs to no maker."""
    seen: set[Operation] = set()
    while op.operands and op not in seen:
        seen.add(op)
        maker = op.operands[0].owner
        if not isinstance(maker, Operation) or isinstance(maker, ConstOp):
            return ""
        if node := node_of(maker):
            return node
        op = maker
    return ""


def _read(op: Operation) -> str:
    """The node of the first op that reads a result, or of who reads what that makes."""
    seen: set[Operation] = set()
    while op not in seen:
        seen.add(op)
        users = [use.operation for result in op.results for use in result.uses]
        named = next((name for user in users if (name := node_of(user))), "")
        if named or not users:
            return named
        op = users[0]
    return ""

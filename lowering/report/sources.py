"""Source nodes of ops: the nodes of the model that lowered IR comes from."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ...dialects.htp.ops.const import ConstOp
from ...dialects.locations import node_of
from .readers import Readers


def source_nodes(ops: Sequence[Operation]) -> dict[Operation, str]:
    """Map each op of a block to the name of its node in the model, or to an empty text.

    The name is the attribute `htp.name`, or the location, which rules pass on. An op that a pass
    added, such as a copy, has the node of its operand's producer, or else of its first reader.
    """
    produced: dict[Operation, str] = {}
    for op in ops:
        produced[op] = node_of(op) or _producer_node(op, produced)
    read: dict[Operation, str] = {}
    readers = Readers(ops)
    for op in reversed(ops):
        read[op] = node_of(op) or _reader_node(op, readers, read)
    return {op: produced[op] or read[op] for op in ops}


def _producer_node(op: Operation, known: dict[Operation, str]) -> str:
    """Return the node of the first operand's producer; a constant passes no node on."""
    producer = op.operands[0].owner if op.operands else None
    if not isinstance(producer, Operation) or isinstance(producer, ConstOp):
        return ""
    return known.get(producer, "")


def _reader_node(op: Operation, readers: Readers, known: dict[Operation, str]) -> str:
    """Return the node of the first reader of a result, or of that reader's own readers."""
    users = [use.operation for result in op.results for use in readers.uses(result)]
    named = (name for user in users if (name := node_of(user)))
    return next(named, "") or (known.get(users[0], "") if users else "")

"""Sources of ops: the nodes of the model that lowered IR comes from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue, Use

from ...dialects.htp.ops.const import ConstOp
from ...dialects.locations import node_of, origins_text


class Readers:
    """The uses of values in one block, in the order in which the ops run."""

    def __init__(self, ops: Iterable[Operation]) -> None:
        self._now = {op: index for index, op in enumerate(ops)}

    def uses(self, value: SSAValue) -> list[Use]:
        """List the uses of a value, the first reader first."""
        return sorted(value.uses, key=lambda use: (self._now[use.operation], use.index))


@dataclass(frozen=True)
class OpSource:
    """The first node that an op comes from, and all its nodes and places, as text."""

    node: str
    origins: str


def sources(ops: Sequence[Operation]) -> dict[Operation, OpSource]:
    """Map each op of a block to its source.

    The node is the attribute `htp.name`, or in the location. Where text has lost it, an op has the
    source of its first operand's producer, or else of its first reader.
    """
    produced: dict[Operation, Operation | None] = {}
    for op in ops:
        produced[op] = op if node_of(op) else _by_producer(op, produced)
    read: dict[Operation, Operation | None] = {}
    readers = Readers(ops)
    for op in reversed(ops):
        read[op] = op if node_of(op) else _by_reader(op, readers, read)
    named = {op: produced[op] or read[op] or op for op in ops}
    return {op: OpSource(node_of(other), origins_text(other)) for op, other in named.items()}


_Known = Mapping[Operation, Operation | None]


def _by_producer(op: Operation, known: _Known) -> Operation | None:
    """Return the named op behind the first operand; a constant passes no name on."""
    producer = op.operands[0].owner if op.operands else None
    if not isinstance(producer, Operation) or isinstance(producer, ConstOp):
        return None
    return known.get(producer)


def _by_reader(op: Operation, readers: Readers, known: _Known) -> Operation | None:
    """Return the first named reader of a result, or the one that the first reader has."""
    users = [use.operation for result in op.results for use in readers.uses(result)]
    named = (user for user in users if node_of(user))
    return next(named, None) or (known.get(users[0]) if users else None)

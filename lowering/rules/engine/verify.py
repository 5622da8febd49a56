"""Verifying new ops once per form: class, operand types, constant operands, results, properties."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.htp.ops.const import ConstOp

Kept = tuple[object, ...]


class Verifier:
    """Remembers what was good. Keys are identities, so what they stand for is kept alive."""

    def __init__(self) -> None:
        self._good: dict[Hashable, Kept] = {}

    def check(self, ops: Iterable[Operation]) -> None:
        """Verify each op that is unlike those verified before; VerifyException names its fault."""
        for op in ops:
            kept = _form(op)
            key = (type(op), *map(id, kept))
            if key not in self._good:
                op.verify_()
                self._good[key] = kept


def _form(op: Operation) -> Kept:
    """All that a verifier of ours may read: types, properties, and constants among the operands."""
    operands = [part for value in op.operands for part in (value.type, _constant(value))]
    results = [result.type for result in op.results]
    return (None, *operands, None, *results, None, *op.properties.values())


def _constant(value: SSAValue) -> Attribute | None:
    owner = value.owner
    if not isinstance(owner, ConstOp):
        return None
    held: DenseIntOrFPElementsAttr = owner.value
    return held

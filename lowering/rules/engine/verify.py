"""Verification of new ops, once per form: class, types, constant operands, properties."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.text.constant import Constant


class FormVerifier:
    """A cache of valid forms. Keys are identities, so the identified objects are kept alive."""

    def __init__(self) -> None:
        self._valid: dict[Hashable, tuple[object, ...]] = {}

    def check(self, ops: Iterable[Operation]) -> None:
        """Verify each op of a new form; VerifyException names its fault."""
        for op in ops:
            # A verifier of ours reads types, properties, and constants among the operands.
            operands = [part for value in op.operands for part in (value.type, _constant(value))]
            results = [result.type for result in op.results]
            form = (None, *operands, None, *results, None, *op.properties.values())
            key = (type(op), *map(id, form))
            if key not in self._valid:
                op.verify_()
                self._valid[key] = form


def _constant(value: SSAValue) -> Attribute | None:
    owner = value.owner
    if not isinstance(owner, Constant):
        return None
    data: DenseIntOrFPElementsAttr = owner.value
    return data

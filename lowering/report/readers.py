"""Uses of values in the order of the ops: that in which xDSL keeps them changes with the passes."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue, Use


class Readers:
    """The uses of values in one block, in the order in which the ops run."""

    def __init__(self, ops: Iterable[Operation]) -> None:
        self._now = {op: index for index, op in enumerate(ops)}

    def uses(self, value: SSAValue) -> list[Use]:
        """List the uses of a value, the first reader first."""
        return sorted(value.uses, key=lambda use: (self._now[use.operation], use.index))

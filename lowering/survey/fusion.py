"""The ops that rules take up into another one, by their nodes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.ir import Operation

from ...dialects.htp.base import NativeOp
from ...dialects.locations import node_of
from ..rules import Rule
from ..rules.engine.observer import Observer

_DEPTH = 4
"""The number of ops above a root, one behind the other, that are remembered."""


class Fusions(Observer):
    """The nodes whose op went when a rule fired, each with the node of the rule's root."""

    def __init__(self) -> None:
        self.into: dict[str, str] = {}
        self._above: dict[Operation, str] = {}

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        self._above = _above(root)

    def fired(self, rule: Rule, root: Operation, new: Sequence[Operation]) -> None:
        target = node_of(root)
        for op, node in self._above.items():
            if op.parent is None and node and node != target:
                self.into[node] = target

    def target(self, node: str) -> str:
        """Return the node that took a node up in the end; itself where none did."""
        seen = {node}
        while (target := self.into.get(node, "")) and target not in seen:
            seen.add(target)
            node = target
        return node


def _above(root: Operation) -> dict[Operation, str]:
    """Return the ops that a match at a root may hold, with their nodes."""
    above: dict[Operation, str] = {}
    level = [root]
    for _ in range(_DEPTH):
        owners = {operand.owner for op in level for operand in op.operands}
        level = [op for op in owners if isinstance(op, NativeOp) and op not in above]
        above |= {op: node_of(op) for op in level}
    return above

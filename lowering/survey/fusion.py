"""The ops that rules take up into another one, by their nodes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from xdsl.ir import Operation

from ...dialects.htp.base import NativeOp
from ...dialects.locations import node_of
from ...dialects.qti_aisw.base import GraphOp
from ...runtime.passes.instrument import FiredRule
from ..levels import mnemonic
from ..rules import Rule, RuleObserver

_DEPTH = 8
"""The number of ops above a root, one behind the other, that are remembered."""


class Fusions(RuleObserver):
    """The nodes that lost an op when a rule fired elsewhere, each with the node of its root.

    `before` holds those of earlier runs.
    """

    def __init__(self, before: Mapping[str, tuple[str, str]] = MappingProxyType({})) -> None:
        self.into: dict[str, tuple[str, str]] = {**before}
        """The op that went, and the node that has the rule's root, by node."""
        self._above: dict[Operation, str] = {}

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        self._above = _above(root)

    def fired(self, rule: FiredRule, root: Operation, new: Sequence[Operation]) -> None:
        target = node_of(root)
        for op, node in self._above.items():
            if op.parent is None and node and node != target and not only_moves(op):
                self.into[node] = mnemonic(op), target

    def target(self, node: str, own: Collection[str]) -> str:
        """Return the node that took up what is not left among a node's own ops; empty for none."""
        lost, target = self.into.get(node, ("", ""))
        if not target or lost in own:
            return ""
        seen = {node, target}
        while (following := self.into.get(target, ("", ""))[1]) and following not in seen:
            seen.add(following)
            target = following
        return target


def only_moves(op: Operation) -> bool:
    """Tell whether an op computes nothing: a slice, a join, a Transpose."""
    return isinstance(op, NativeOp) and op.ACCESS is not None and op.ACCESS.moves


def _above(root: Operation) -> dict[Operation, str]:
    """Return the ops that a match at a root may hold, with their nodes."""
    above: dict[Operation, str] = {}
    level = [root]
    for _ in range(_DEPTH):
        owners = {operand.owner for op in level for operand in op.operands}
        level = [op for op in owners if isinstance(op, NativeOp | GraphOp) and op not in above]
        above |= {op: node_of(op) for op in level}
    return above

"""The ops of each node once it is lowered: taken up into others by rules, or run by a kernel."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.htp.base import NativeOp
from ...dialects.htp.ops.copies import CopyOp
from ...dialects.locations import node_of
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value import FLAT_DDR, LayoutKind, Memory
from ...runtime.kernel.kernel import Cost
from ...runtime.kernel.library import KernelRegistry
from ...runtime.passes import FiredRule
from ..levels import bodies, mnemonic, runs
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


@dataclass(frozen=True)
class KernelUse:
    """A kernel that runs a native op, and where its result lies; an op may do nothing but move."""

    op: str
    kernel: str
    layout: LayoutKind
    memory: Memory
    is_reference: bool
    moves: bool

    @property
    def where(self) -> str:
        """The place in words."""
        if self.memory is Memory.DDR:
            return "main memory"
        return "TCM, croutons" if self.layout is LayoutKind.CROUTON else "TCM"


def kernel_uses(module: ModuleOp, registry: KernelRegistry) -> dict[str, tuple[KernelUse, ...]]:
    """List the kernels of each node, every one once; what only copies is left out."""
    uses: dict[str, dict[KernelUse, None]] = {}
    for op in (op for block in bodies(module) for op in block.ops):
        if runs(op) and not isinstance(op, CopyOp) and op.kernel is not None:
            costs = {kernel.name: kernel.cost for kernel in registry.kernels(op.name)}
            name, place = op.kernel.data, spec_of(op.results[0]).place or FLAT_DDR
            reference = costs.get(name) is Cost.GLACIAL
            use = KernelUse(
                mnemonic(op), name, place.layout, place.memory, reference, only_moves(op)
            )
            uses.setdefault(node_of(op), {})[use] = None
    return {node: tuple(of_node) for node, of_node in uses.items()}

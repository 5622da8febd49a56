"""The kernels that run a lowered module, by the node that each op comes from."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ...dialects.htp.ops.copies import CopyOp
from ...dialects.locations import node_of
from ...dialects.spec_of import spec_of
from ...dialects.value.place import FLAT_DDR, LayoutKind, Memory
from ...runtime.kernel.kernel import Cost
from ...runtime.kernel.registry import KernelRegistry
from ..levels import bodies, mnemonic, runs
from .fusion import only_moves


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

"""What a memory report shows of one allocated module."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.diagnostics import fail
from ...dialects.htp.base import NativeOp
from ...dialects.htp.in_place import is_in_place
from ...dialects.htp.ops.const import ConstOp, ShapeOp
from ...dialects.htp.ops.movement import ReshapeOp
from ...dialects.htp.ops.state import StateReadOp, StateWriteOp
from ...runtime.program.boundary import main_function
from ...runtime.program.placing import declared_tcm
from ..levels import mnemonic
from ..packages.packages import Packages
from .sources import source_nodes
from .tensors import Held, Role, tensors
from .totals import Totals, totals


@dataclass(frozen=True)
class Op:
    """An op that runs: its position in the function, its name and the model's node."""

    position: int
    name: str
    node: str


@dataclass(frozen=True)
class Plan:
    """The tensors, the ops that run and the figures of one allocated module."""

    tcm_bytes: int
    held: tuple[Held, ...]
    ops: tuple[Op, ...]
    totals: Totals

    @property
    def steps(self) -> int:
        """The number of ops that run."""
        return len(self.ops)

    @property
    def moves(self) -> tuple[Held, ...]:
        """The spills and fills."""
        return tuple(held for held in self.held if held.role in (Role.SPILL, Role.FILL))


def plan_of(module: ModuleOp, packages: Packages) -> Plan:
    """Read an allocated module; HtpError for one that says no TCM size."""
    size = declared_tcm(module)
    if size is None:
        raise fail("memory-report", "the module is not allocated", "run htp-lower before")
    held = tensors(module, packages)
    body = list(main_function(module).body.block.ops)
    nodes = source_nodes(body)
    ops = [
        Op(position, mnemonic(op), nodes[op]) for position, op in enumerate(body) if _is_step(op)
    ]
    return Plan(size, held, tuple(ops), totals(module, held))


def _is_step(op: Operation) -> bool:
    if isinstance(op, (ReshapeOp, ConstOp, ShapeOp)) or is_in_place(op):
        return False
    return isinstance(op, (NativeOp, StateReadOp, StateWriteOp))

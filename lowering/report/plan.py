"""The contents of a memory report on one allocated module."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.diagnostics import fail
from ...dialects.htp import ConstOp, NativeOp, ReshapeOp, ShapeOp, StateReadOp, StateWriteOp
from ...dialects.htp.in_place import is_in_place
from ...runtime.program.boundary import main_function
from ...runtime.program.placing import declared_tcm
from ..levels import mnemonic
from ..packages.packages import Packages
from ..passes.checks.too_large import TooLarge, too_large
from .by_node import NodeBytes, bytes_by_node
from .residencies import TensorResidency, TensorRole, residencies
from .sources import sources
from .totals import Totals, totals


@dataclass(frozen=True)
class Op:
    """An op that runs, with its position in the function and the model's node."""

    position: int
    name: str
    node: str


@dataclass(frozen=True)
class ModulePlan:
    """The tensors, the ops that run and the figures of one allocated module.

    `nodes` are the bytes moved by node, `too_large` the ops without room in TCM.
    """

    tcm_bytes: int
    residencies: tuple[TensorResidency, ...]
    ops: tuple[Op, ...]
    totals: Totals
    nodes: tuple[NodeBytes, ...]
    too_large: tuple[TooLarge, ...]

    @property
    def steps(self) -> int:
        """The number of ops that run."""
        return len(self.ops)

    @property
    def moves(self) -> tuple[TensorResidency, ...]:
        """The spills and fills."""
        return tuple(
            move for move in self.residencies if move.role in (TensorRole.SPILL, TensorRole.FILL)
        )


def plan_of(module: ModuleOp, packages: Packages) -> ModulePlan:
    """Read an allocated module; HtpError for one without a TCM size."""
    size = declared_tcm(module)
    if size is None:
        raise fail("memory-report", "the module is not allocated", "run htp-lower first")
    rows = residencies(module, packages)
    body = list(main_function(module).body.block.ops)
    of = sources(body)
    ops = [
        Op(position, mnemonic(op), of[op].node) for position, op in enumerate(body) if _is_step(op)
    ]
    return ModulePlan(
        size,
        rows,
        tuple(ops),
        totals(module, rows),
        bytes_by_node(module, packages, of),
        too_large(module, packages.tables),
    )


@dataclass(frozen=True)
class OtherPlan:
    """Another plan of the model, to stand beside: its name, and the plan or why there is none."""

    name: str
    plan: ModulePlan | None
    fault: str = ""


def _is_step(op: Operation) -> bool:
    if isinstance(op, (ReshapeOp, ConstOp, ShapeOp)) or is_in_place(op):
        return False
    return isinstance(op, (NativeOp, StateReadOp, StateWriteOp))

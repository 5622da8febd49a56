"""The pass that leaves ops in DDR that do not fit the TCM, for plans without tiling."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....dialects.attributes import DEFAULT_PLACEMENT
from ....dialects.htp.base import NativeOp
from ....dialects.value.layout import CHUNK_BYTES
from ...levels import bodies
from ...packages.loading import packages_of
from ...patterns.tcm_need import tcm_need
from ...rules.graph.graph import Node
from ...rules.graph.tables import OpTables
from ...soc import MIB, check_tcm_options


@dataclass(frozen=True)
class KeepHome(ModulePass):
    """Native level to native level: an op that does not fit the TCM gets the mark `htp.home`.

    All of its tensors then have the default placement, whatever its tensor properties say.
    htp-lower runs this pass where tiling is off.
    """

    name = "htp-keep-home"

    tcm_bytes: int = 8 * MIB

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes)
        tables = packages_of(ctx).tables
        for block in bodies(op):
            for inner in block.ops:
                if isinstance(inner, NativeOp) and _need(tables, inner) > self.tcm_bytes:
                    inner.attributes[DEFAULT_PLACEMENT] = UnitAttr()


def _need(tables: OpTables, op: Operation) -> int:
    """The bytes that an op demands in TCM, with each tensor beginning at a chunk."""
    scratch = (len(kernel.scratch) for kernel in tables.kernels.kernels(op.name))
    tensors = len(op.operands) + len(op.results) + max(scratch, default=0)
    need = tcm_need(tables, Node(op.results[0])) if op.results else 0
    return need + tensors * (CHUNK_BYTES - 1) if need else 0

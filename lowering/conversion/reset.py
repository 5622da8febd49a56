"""The reset input that stateful block ops share."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.block.buffer import BufferOp
from ...dialects.qti_aisw.block.stateful import StatefulGruOp, StatefulLstmOp
from ...dialects.value.dtypes import DType
from .builder import Builder


def reset_of(op: GraphOp, builder: Builder) -> SSAValue:
    """The reset input at rank 4; an omitted one is a constant false."""
    reset: SSAValue | None = None
    if isinstance(op, BufferOp | StatefulGruOp | StatefulLstmOp):
        reset = op.reset
    return builder.full((1, 1, 1, 1), 0, DType.Bool8) if reset is None else builder.get(reset)

"""The `qti_aisw` dialect: what a model says, op by op as the QNN op definitions name them."""

from __future__ import annotations

from xdsl.ir import Dialect

from .base import GraphOp, build
from .catalog import GRAPH_OPS
from .choices import BufferModeAttr, DirectionAttr, MaskModeAttr
from .ops.const import ConstOp, const
from .ops.custom import CustomOp, custom

__all__ = [
    "GRAPH_OPS",
    "QTI_AISW",
    "ConstOp",
    "CustomOp",
    "GraphOp",
    "build",
    "const",
    "custom",
]

QTI_AISW = Dialect(
    "qti_aisw",
    [ConstOp, CustomOp, *GRAPH_OPS.values()],
    [BufferModeAttr, MaskModeAttr, DirectionAttr],
)
"""All graph ops and the attributes of their params."""

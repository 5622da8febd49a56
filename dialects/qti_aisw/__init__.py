"""The `qti_aisw` dialect: what a model says, op by op as the QNN op definitions name them."""

from xdsl.ir import Dialect

from ..registrar import Table
from .base import GraphOp, build
from .choices import BufferModeAttr, DirectionAttr, MaskModeAttr
from .ops import (
    activation,
    attention,
    coded,
    convolution,
    detection,
    elementwise,
    experts,
    image,
    linear,
    losses,
    masked_softmax,
    movement,
    norm,
    optimisers,
    pool,
    quantize,
    reduce,
    rnn,
    rotary,
)
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

_FAMILIES: tuple[tuple[type[GraphOp], ...], ...] = (
    convolution.OPS,
    pool.OPS,
    image.OPS,
    linear.OPS,
    coded.OPS,
    attention.OPS,
    elementwise.OPS,
    activation.OPS,
    norm.OPS,
    rotary.OPS,
    losses.OPS,
    experts.OPS,
    optimisers.OPS,
    reduce.OPS,
    movement.OPS,
    detection.OPS,
    quantize.OPS,
    rnn.OPS,
    masked_softmax.OPS,
)

GRAPH_OPS: Table[type[GraphOp]] = Table(
    {op.name.removeprefix("qti_aisw."): op for ops in _FAMILIES for op in ops},
    *(
        "qti_aisw.",
        "is no graph op",
        "add its class, and its place in OPS, to a module in dialects/qti_aisw/ops",
    ),
)
"""Every graph op but Const by its mnemonic, as in `GRAPH_OPS["Conv2d"]`."""

QTI_AISW = Dialect(
    "qti_aisw",
    [ConstOp, CustomOp, *GRAPH_OPS.values()],
    [BufferModeAttr, MaskModeAttr, DirectionAttr],
)
"""All graph ops and the attributes of their params."""

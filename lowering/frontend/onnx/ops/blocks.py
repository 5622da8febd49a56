"""The block ops Buffer and MaskedSoftmax. Source: QAIRT block op definitions."""

from __future__ import annotations

from xdsl.ir import SSAValue

from .....dialects.qti_aisw.choices import (
    BufferMode,
    BufferModeAttr,
    Choice,
    MaskMode,
    MaskModeAttr,
)
from ..support.context import NodeContext
from ..support.faults import NodeFault
from ..support.registry import BLOCK_OPS, ImporterSet

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Buffer", domain=BLOCK_OPS, keeps_stored=True)
def buffer(ctx: NodeContext) -> list[SSAValue]:
    """Buffer; a mode that is left out is BLOCKING."""
    mode = list(BufferMode)[_mode(ctx, BufferMode)]
    out = ctx.emit(
        "Buffer",
        ctx.value(0),
        ctx.optional(1),
        buffer_size=ctx.integer("buffer_size"),
        buffer_dim=ctx.integer("buffer_dim"),
        buffer_padding=ctx.integer("buffer_padding", 0),
        stride=ctx.integer("stride", 1),
        mode=BufferModeAttr(mode),
    )
    return [out]


@ONNX.importer("MaskedSoftmax", domain=BLOCK_OPS)
def masked_softmax(ctx: NodeContext) -> list[SSAValue]:
    """MaskedSoftmax; a mode that is left out is UNCOMPRESSED."""
    mode = list(MaskMode)[_mode(ctx, MaskMode)]
    return [ctx.emit("MaskedSoftmax", ctx.value(0), ctx.value(1), mode=MaskModeAttr(mode))]


@ONNX.importer("DecodeWeights", domain=BLOCK_OPS)
def decode_weights(ctx: NodeContext) -> list[SSAValue]:
    """DecodeWeights, which stands for weights of few bits in the bodies of other ops."""
    return [ctx.emit("DecodeWeights", *(ctx.value(index) for index in range(4)))]


def _mode(ctx: NodeContext, choices: type[Choice]) -> int:
    """Return the attribute `mode`, a number that the choice has a name for."""
    names = [f"{choice.code} ({choice.value})" for choice in choices]
    code = ctx.integer("mode", 0)
    if not 0 <= code < len(names):
        raise NodeFault(f"attribute 'mode' is {code}", f"allowed are {', '.join(names)}")
    return code

"""RotaryEmbedding has no HTP op: it is decomposed into slices, products and a sum."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from .builder import Builder
from .registry import ConversionSet

CONVERSIONS = ConversionSet()


@CONVERSIONS.conversion("RotaryEmbedding")
def convert_rotary_embedding(op: GraphOp, builder: Builder) -> None:
    """Append x * cos + turned * sin."""
    x, cos, sin = builder.get_all(op.operands)
    spec = spec_of(x)
    turned = _turned(builder, x, bool(op.params()["interleaved"]))
    left = builder.op("ElementWiseMultiply", [x, cos], spec)
    right = builder.op("ElementWiseMultiply", [turned, sin], spec)
    builder.set(op.results[0], builder.op("ElementWiseAdd", [left, right], spec))


def _turned(builder: Builder, x: SSAValue, interleaved: bool) -> SSAValue:
    """Append the two parts of the last dim exchanged, the one that comes first times -1."""
    spec = spec_of(x)
    *front, width, depth = spec.shape
    half = depth // 2
    part = spec.with_shape((*front, width, half))
    bounds = ((0, depth, 2), (1, depth, 2)) if interleaved else ((0, half, 1), (half, depth, 1))
    whole = tuple(number for extent in (*front, width) for number in (0, extent, 1))
    first, second = (
        builder.op("StridedSlice", [x, builder.param("ranges", (*whole, *ends))], part)
        for ends in bounds
    )
    parts = [builder.op("ElementWiseNeg", [second], part), first]
    joined = spec
    if interleaved:
        column = spec.with_shape((*front, width * half, 1))
        parts = [builder.reshape(each, column) for each in parts]
        joined = spec.with_shape((*front, width * half, 2))
    out = builder.op("Concat", [builder.param("axis", 3), *parts], joined)
    return builder.reshape(out, spec) if interleaved else out

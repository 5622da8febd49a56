"""Boxes that overlap no better one: NonMaxSuppression, whose result has the most rows it may."""

from __future__ import annotations

from math import inf

from xdsl.ir import SSAValue

from ......dialects.spec_of import plain_element_type
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ..activation import plus, times
from ..tensors.steps import concat, piece

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("NonMaxSuppression")
def non_max_suppression(ctx: NodeContext) -> list[SSAValue]:
    """NonMaxSuppression: rows behind the boxes that are taken are -1."""
    boxes, scores = ctx.value(0), ctx.value(1)
    if ctx.integer("center_point_box"):
        boxes = _corners(ctx, boxes)
    (most,) = ctx.integers_at(2) or (0,)
    overlap, least = (ctx.optional_constant(index) for index in (3, 4))
    rows, _ = ctx.emit_all(
        *("NonMaxSuppression", boxes, scores),
        iou_threshold=0.0 if overlap is None else float(overlap.reshape(())),
        score_threshold=-inf if least is None else float(least.reshape(())),
        max_boxes_selected=max(most, 0),
    )
    return [ctx.emit("Cast", rows, to=plain_element_type(DType.Int64))]


def _corners(ctx: NodeContext, boxes: SSAValue) -> SSAValue:
    """Return boxes of centre x, centre y, width and height by y and x of two corners."""
    y, x, height, width = (piece(ctx, boxes, {2: (at, at + 1, 1)}) for at in (1, 0, 3, 2))
    ends = []
    for half in (-0.5, 0.5):
        for centre, size in ((y, height), (x, width)):
            ends.append(plus(ctx, centre, times(ctx, size, ctx.scalar(half, size))))
    return concat(ctx, ends, axis=2)

"""The schema of NonMaxSuppression, whose rows are as many as boxes may be taken."""

from __future__ import annotations

from .....dialects.qti_aisw.ops.detection import COORDINATES
from .....dialects.value.dtypes import DType
from .....dialects.value.kinds import Kind
from ..drawing.template import GraphTemplate, OpTemplate
from .common import ints, members, product, real


def suppression(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw boxes, of which each class may have one."""
    boxes, scores, (rows, count) = op.slot("boxes"), op.slot("scores"), op.results
    template.dtype_in(boxes, *members(Kind.FLOAT))
    template.same_dtype(boxes, scores)
    batch, classes, number = (template.number(1, spread=3) for _ in range(3))
    template.dims_are(boxes, (1, batch, number, COORDINATES))
    template.dims_are(scores, (1, batch, classes, number))
    for name in ("iou_threshold", "score_threshold"):
        real(template, op.slot(name), template.number(-4, 4))
    ints(template, op.slot("max_boxes_selected"), 1)
    template.dims_are(rows, (1, 1, rows.dims[2], 3))
    product(template, rows.dims[2], batch, classes)
    template.dims_are(count, (1, 1, 1, 1))
    for slot in (rows, count):
        template.dtype_in(slot, DType.Int32)

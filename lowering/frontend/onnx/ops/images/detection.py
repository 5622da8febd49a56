"""Boxes that overlap no better one: NonMaxSuppression, whose result has the most rows it may."""

from __future__ import annotations

from math import inf

from ......dialects.dense import Array
from ......dialects.value.dtypes import DType
from ....graph.value import Value, concat
from ...support.binding import Ints
from ...support.registry import ImporterSet

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("NonMaxSuppression")
def non_max_suppression(
    boxes: Value,
    scores: Value,
    most: Ints | None,
    overlap: Array | None,
    least: Array | None,
    *,
    center_point_box: bool = False,
) -> Value:
    """NonMaxSuppression: rows behind the boxes that are taken are -1."""
    (count,) = most or (0,)
    rows, _ = (_corners(boxes) if center_point_box else boxes).ops(
        *("NonMaxSuppression", scores),
        iou_threshold=0.0 if overlap is None else float(overlap.reshape(())),
        score_threshold=-inf if least is None else float(least.reshape(())),
        max_boxes_selected=max(count, 0),
    )
    return rows.cast(DType.Int64)


def _corners(boxes: Value) -> Value:
    """Return boxes of centre x, centre y, width and height by y and x of two corners."""
    y, x, height, width = (boxes[:, :, at : at + 1] for at in (1, 0, 3, 2))
    pairs = ((y, height), (x, width))
    ends = [centre + size * half for half in (-0.5, 0.5) for centre, size in pairs]
    return concat(ends, axis=2)

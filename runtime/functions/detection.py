"""Non-maximum suppression: greedy, best box first, O(selected * boxes) for each class.

Of boxes a, b, c with scores 3, 2, 1, of which a and b overlap: a is taken, b passed over, c taken.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .support.arrays import Array

Reals = NDArray[np.floating]
Places = NDArray[np.int64]


def non_max_suppression(
    boxes: Array,
    scores: Array,
    iou_threshold: float,
    score_threshold: float,
    max_boxes_selected: int,
) -> list[Array]:
    """Rows (batch, class, box) of the taken boxes [b, n, 4], the others -1, and their number."""
    batch, number, _ = boxes.shape
    corners = np.sort(boxes.astype(np.float32).reshape(batch, number, 2, 2), axis=2)
    most = min(number, max_boxes_selected)
    rows = np.full((batch * scores.shape[1] * most, 3), -1, np.int32)
    count = 0
    for entry, kind in np.ndindex(scores.shape[:2]):
        own = scores[entry, kind].astype(np.float32)
        order = np.argsort(-own, kind="stable")
        order = order[own[order] > np.float32(score_threshold)]
        for _, place in zip(
            range(most), _apart(corners[entry], order, iou_threshold), strict=False
        ):
            rows[count] = entry, kind, place
            count += 1
    return [rows, np.array([count], np.int32)]


def _apart(corners: Reals, order: Places, threshold: float) -> Iterator[int]:
    """Yield boxes in this order, those left out that overlap one before."""
    while order.size:
        first, order = int(order[0]), order[1:]
        yield first
        order = order[_overlap(corners[first], corners[order]) <= np.float32(threshold)]


@np.errstate(all="ignore")
def _overlap(box: Reals, others: Reals) -> Reals:
    """Intersection over union of a box [2, 2] with others [n, 2, 2]; 0 where one has no area."""
    sides = np.minimum(box[1], others[:, 1]) - np.maximum(box[0], others[:, 0])
    shared = np.prod(np.maximum(sides, 0), axis=-1)
    areas = np.prod(others[:, 1] - others[:, 0], axis=-1)
    area = np.prod(box[1] - box[0])
    ratio = shared / (area + areas - shared)
    return np.where((shared > 0) & (area > 0) & (areas > 0), ratio, 0)

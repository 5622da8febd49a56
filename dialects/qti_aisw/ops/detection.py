"""Ops that choose among boxes. Source: QNN op definition NonMaxSuppression."""

from math import isnan

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import DType, Kind, TensorSpec
from ..base import GraphOp, float_def, int_def
from ..guards import has_shape, same_dtype, tensor

COORDINATES = 4
"""Numbers of a box: two opposite corners."""


@irdl_op_definition
class NonMaxSuppressionOp(GraphOp):
    """The best boxes of each class that overlap no better one, and their number.

    boxes[b, n, 4] hold y and x of two opposite corners, scores[b, c, n] a score of each class. Of
    each batch entry and class the boxes with a score above `score_threshold` are taken, best first,
    at most `max_boxes_selected`; one whose intersection over union with a taken one is above
    `iou_threshold` is passed over. Of equal scores the first one comes first. The first result has
    a row (batch entry, class, box) of i32 for each box that may be taken,
    b * c * min(n, max_boxes_selected) in all; rows behind the taken ones are -1. The second one
    [1] is the number of taken boxes.

    Constraints: (C1) boxes and scores are floats of one dtype; (C2) a box has 4 numbers; (C3) the
    scores have the batch and the boxes of the first operand; (C4) `max_boxes_selected` is >= 0 and
    no threshold is NaN.

    Example: `%i, %n = qti_aisw.NonMaxSuppression(%boxes, %scores) {iou_threshold = 0.5 : f32,
    max_boxes_selected = 3 : i64} : (tensor<1x8x4xf32>, tensor<1x2x8xf32>)
    -> (tensor<6x3xi32>, tensor<1xi32>)`
    """

    name = "qti_aisw.NonMaxSuppression"

    boxes = operand_def()
    scores = operand_def()
    iou_threshold = float_def(0.0)
    score_threshold = float_def(0.0)
    max_boxes_selected = int_def()
    out = result_def()
    count = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        boxes = tensor(self, "boxes", self.boxes, Kind.FLOAT, rank=3, rule="(C1) ")
        scores = tensor(self, "scores", self.scores, Kind.FLOAT, rank=3, rule="(C1) ")
        same_dtype(self, "scores", scores, "boxes", boxes, rule="(C1) ")
        batch, number, width = boxes.shape
        message = f"(C2) operand 'boxes' has {width} numbers in its last dim, it must have 4"
        require(width == COORDINATES, self, message)
        classes = scores.shape[1]
        has_shape(self, "scores", scores, (batch, classes, number), rule="(C3) ")
        most = self.max_boxes_selected.value.data
        require(most >= 0, self, f"(C4) param 'max_boxes_selected' is {most}, it must be >= 0")
        for name, param in (("iou", self.iou_threshold), ("score", self.score_threshold)):
            is_number = not isnan(param.value.data)
            require(is_number, self, f"(C4) param '{name}_threshold' is NaN, it must be a number")
        rows = batch * classes * min(number, most)
        return TensorSpec((rows, 3), DType.Int32), TensorSpec((1,), DType.Int32)


OPS: tuple[type[GraphOp], ...] = (NonMaxSuppressionOp,)

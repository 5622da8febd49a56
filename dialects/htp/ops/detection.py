"""Ops that choose among boxes."""

from ...qti_aisw.ops.detection import COORDINATES
from ...spec_of import require, text
from ...value import DType, Kind, TensorSpec
from ..base import NativeOp
from ..fields import out_def, param_def, tensor_def


class NonMaxSuppressionOp(NativeOp):
    """The best boxes of each class that overlap no better one, and their number.

    boxes [1, b, n, 4], scores [1, b, c, n], the thresholds numbers, max_boxes_selected an integer.
    The results are Int32, [1, 1, b * c * min(n, max_boxes_selected), 3] and [1, 1, 1, 1]; rows
    behind the taken boxes are -1. See qti_aisw.NonMaxSuppression.

    Constraints: (C1) a box has 4 numbers; (C2) the scores have the batch and the boxes of the first
    operand.

    Example: `%i, %n = htp.NonMaxSuppression(%boxes, %scores, %iou, %score, %most) :
    (tensor<1x1x8x4xf32>, tensor<1x1x2x8xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>,
    tensor<1x1x1x1xi32>) -> (tensor<1x1x6x3xi32>, tensor<1x1x1x1xi32>)`
    """

    name = "htp.NonMaxSuppression"

    boxes = tensor_def(Kind.FLOAT)
    scores = tensor_def(like="boxes")
    iou_threshold = param_def(1)
    score_threshold = param_def(1)
    max_boxes_selected = param_def(1, least=0)
    out = out_def(Kind.LENGTH)
    count = out_def(Kind.LENGTH)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        (one, batch, number, width), scores = self.dims("boxes"), self.dims("scores")
        message = f"operand 'boxes' is {text(self.dims('boxes'))}, it must be 1xbxnx4"
        require(one == 1 and width == COORDINATES, self, message)
        wanted = (1, batch, scores[2], number)
        message = f"operand 'scores' is {text(scores)}, the boxes give {text(wanted)}"
        require(scores == wanted, self, message)
        most = self.integer("max_boxes_selected")
        if most is None:
            return (None, None)
        rows = batch * scores[2] * min(number, most)
        shapes = (1, 1, rows, 3), (1, 1, 1, 1)
        return tuple(TensorSpec(shape, DType.Int32) for shape in shapes)


OPS: tuple[type[NativeOp], ...] = (NonMaxSuppressionOp,)

"""Losses of a classification. Source: ONNX operator spec, SoftmaxCrossEntropyLoss; QNN has none."""

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, int_def
from ..guards import axis_of, has_shape, tensor

REDUCTIONS = ("none", "mean", "sum")
"""The reductions of a loss in the order of their numbers."""
NO_TARGET = -(2**31)
"""The number that no target has, so that none is ignored."""


@irdl_op_definition
class SoftmaxCrossEntropyOp(GraphOp):
    """Minus the logarithm of the Softmax of inp along `axis`, at each target.

    A negative target counts from the end. The loss of one that is `ignored`, or that is not there,
    is 0. `reduction` is 0 for a loss of each target, 1 for their mean over those that are not
    ignored, which is NaN where all are, and 2 for their sum. f16 is computed in f32 and rounded
    once. The op is the project's own: QNN has none.

    Constraints: (C1) inp is a float; (C2) axis is from -rank to rank - 1; (C3) targets are i32 or
    i64 and have inp's shape without the axis; (C4) reduction is from 0 to 2; (C5) the result has
    inp's element type, and the shape of the targets or none.

    Example: `%y = qti_aisw.SoftmaxCrossEntropy(%x, %t) {reduction = 1 : i64} :
    (tensor<4x10xf32>, tensor<4xi32>) -> tensor<f32>`
    """

    name = "qti_aisw.SoftmaxCrossEntropy"

    inp = operand_def()
    targets = operand_def()
    axis = int_def(-1)
    ignored = int_def(NO_TARGET)
    reduction = int_def(0)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.FLOAT, rule="(C1) ")
        axis = axis_of(self, self.axis.value.data, data.rank)
        targets = tensor(self, "targets", self.targets, Kind.INDEX, rule="(C3) ")
        rows = (*data.shape[:axis], *data.shape[axis + 1 :])
        has_shape(self, "targets", targets, rows, rule="(C3) ")
        code = self.reduction.value.data
        message = f"(C4) param 'reduction' is {code}, it must be from 0 to {len(REDUCTIONS) - 1}"
        require(0 <= code < len(REDUCTIONS), self, message)
        return (data.with_shape(() if REDUCTIONS[code] != "none" else rows),)


OPS: tuple[type[GraphOp], ...] = (SoftmaxCrossEntropyOp,)

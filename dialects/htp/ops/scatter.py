"""Ops that write to places that an operand names; the dtype and quantisation stay."""

from math import prod

from ...checks import require, text
from ...qti_aisw.ops.scatter import REDUCTIONS
from ...spec_of import spec_of
from ...value import RANK, Kind, TensorSpec
from ..base import NativeOp
from ..fields import param_def, tensor_def


class ScatterNdOp(NativeOp):
    """The input with rows put, or joined by a reduction, at tuples of coordinates.

    in [b, h, w, d], indices i32 or i64 [1, 1, n, k] for the k dims from the axis on (a negative
    one counts from the end), updates [1, 1, n, m] with the m elements behind these dims, axis and
    reduction i32 [1, 1, 1, 1]. The reduction is 0 for none, 1 add, 2 multiply, 3 maximum, 4
    minimum. An index outside its dim fails the run.

    Constraints: (C1) the dims before the axis are 1; (C2) axis + k is 4 at most; (C3) the updates
    have a row for each tuple, and the input's dtype.

    Example: `%r = htp.ScatterNd(%x, %indices, %updates, %axis, %reduction) :
    (tensor<1x1x8x32xf32>, tensor<1x1x3x1xi32>, tensor<1x1x3x32xf32>, tensor<1x1x1x1xi32>,
    tensor<1x1x1x1xi32>) -> tensor<1x1x8x32xf32>`
    """

    name = "htp.ScatterNd"

    in_ = tensor_def()
    indices = tensor_def(Kind.INDEX)
    updates = tensor_def(like="in")
    axis = param_def(1, least=0, most=RANK - 1)
    reduction = param_def(1, least=0, most=len(REDUCTIONS) - 1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        shape, updates = spec_of(self.in_).shape, spec_of(self.updates).shape
        one, other, count, width = indices = spec_of(self.indices).shape
        message = f"operand 'indices' is {text(indices)}, it must be 1x1xnxk"
        require(one == other == 1 and width > 0, self, message)
        axis = self.integer("axis")
        if axis is not None:
            message = f"the axis is {axis}, the input {text(shape)} has other dims than 1 before it"
            require(set(shape[:axis]) <= {1}, self, message)
            message = f"tuples of {width} from axis {axis} on name more than {RANK} dims"
            require(axis + width <= RANK, self, message)
            rows = (1, 1, count, prod(shape[axis + width :]))
            message = f"operand 'updates' is {text(updates)}, the others give {text(rows)}"
            require(updates == rows, self, message)
        return (self.like("in"),)


OPS: tuple[type[NativeOp], ...] = (ScatterNdOp,)

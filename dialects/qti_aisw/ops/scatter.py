"""Ops that write to places that an operand names. Source: QNN op definition ScatterNd."""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...checks import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, int_def
from ..guards import has_shape, same_encoding, tensor

REDUCTIONS = ("none", "add", "mul", "max", "min")
"""The reductions in the order of their numbers; QNN's end at the maximum."""


@irdl_op_definition
class ScatterNdOp(GraphOp):
    """The data with `updates` put, or joined, at the tuples of coordinates `indices`.

    `reduction` is 0 for none, of equal tuples the last one counts, 1 add, 2 multiply, 3 maximum,
    4 minimum. A negative coordinate counts from the end.

    Constraints: (C1) indices are i32 or i64; (C2) updates and the result have inp's element type
    and quantisation; (C3) reduction is from 0 to 4; (C4) the last dim of indices is from 1 to inp's
    rank; (C5) updates have the shape of indices without the last dim, then inp's dims that no
    coordinate names.

    Example: `%y = qti_aisw.ScatterNd(%x, %i, %u) {reduction = 1 : i64} :
    (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>`
    """

    name = "qti_aisw.ScatterNd"
    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    indices = operand_def()
    updates = operand_def()
    reduction = int_def(0)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data, updates = tensor(self, "inp", self.inp), tensor(self, "updates", self.updates)
        indices = tensor(self, "indices", self.indices, Kind.INDEX)
        same_encoding(self, "updates", updates, data)
        code = self.reduction.value.data
        message = f"param 'reduction' is {code}, it must be from 0 to {len(REDUCTIONS) - 1}"
        require(0 <= code < len(REDUCTIONS), self, message)
        width = indices.shape[-1] if indices.shape else 0
        message = f"operand 'indices' holds tuples of {width}, the data has rank {data.rank}"
        require(0 < width <= data.rank, self, message)
        has_shape(self, "updates", updates, (*indices.shape[:-1], *data.shape[width:]))
        return (data,)


OPS: tuple[type[GraphOp], ...] = (ScatterNdOp,)

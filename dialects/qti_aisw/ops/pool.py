"""Pooling, data NHWC. Source: QNN op definitions PoolMax2d and PoolAvg2d."""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, bool_def, int_def, ints, ints_def
from ..guards import counted, tensor, window_extent


class Pool(GraphOp):
    """A window over the two middle dims; `pad_amount` is top, bottom, left, right.

    `rounding_mode` 0 drops a last window that does not fit (floor), 1 keeps it (ceil).

    Constraints: (C1) inp is a number of rank 4; (C2) filter_size and stride hold 2 integers >= 1,
    pad_amount 4 integers >= 0; (C3) rounding_mode is 0 or 1; (C4) the window fits into the padded
    input.
    """

    inp = operand_def()
    filter_size = ints_def()
    stride = ints_def(1, 1)
    pad_amount = ints_def(0, 0, 0, 0)
    rounding_mode = int_def(0)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.NUMBER, rank=4)
        size, stride, pads = ints(self.filter_size), ints(self.stride), ints(self.pad_amount)
        counted(self, "filter_size", size, 2, least=1)
        counted(self, "stride", stride, 2, least=1)
        counted(self, "pad_amount", pads, 4, least=0)
        mode = self.rounding_mode.value.data
        require(mode in (0, 1), self, f"param 'rounding_mode' is {mode}, it must be 0 or 1")
        n, h, w, c = data.shape
        rows = window_extent(self, h, size[0], stride[0], (pads[0], pads[1]), mode == 1)
        columns = window_extent(self, w, size[1], stride[1], (pads[2], pads[3]), mode == 1)
        return (data.with_shape((n, rows, columns, c)),)


@irdl_op_definition
class PoolMax2dOp(Pool):
    """The largest element of each window; padding never wins.

    Example: `%y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>,
    stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>`
    """

    name = "qti_aisw.PoolMax2d"
    KEEPS_ENCODING: ClassVar[bool] = True


@irdl_op_definition
class PoolAvg2dOp(Pool):
    """The mean of each window; the padding counts if `count_pad_for_edges`.

    Example: `%y = qti_aisw.PoolAvg2d(%x) {filter_size = array<i64: 8, 8>} :
    (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>`
    """

    name = "qti_aisw.PoolAvg2d"

    count_pad_for_edges = bool_def(False)


OPS: tuple[type[GraphOp], ...] = (PoolMax2dOp, PoolAvg2dOp)

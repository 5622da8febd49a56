"""The block op Buffer. Source: QAIRT block op definitions."""

from typing import ClassVar

from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, int_def
from ..choices import BufferMode, BufferModeAttr
from ..guards import tensor
from .rnn import KeepsState, check_reset


@irdl_op_definition
class BufferOp(GraphOp):
    """Gathers the rows of `inp` along `buffer_dim` across inferences, the newest last.

    One step: on reset, and at the first inference, the content becomes `buffer_padding` rows of
    zeros; if it is full, its oldest `stride` rows go; then the k rows of `inp` are appended, k
    being inp's extent along `buffer_dim`. All four params count rows. Until the buffer is full,
    BLOCKING stops all that depends on the result, NON_BLOCKING_LEFT fills it from the front and
    NON_BLOCKING_RIGHT, until it was full once, from the end; what is not filled is zero.

    Constraints: (C1) inp is f32, f16 or quantised u8 or u16; (C2) 0 <= buffer_dim < rank;
    (C3) buffer_size is a positive multiple of k; (C4) k <= stride <= buffer_size, a multiple of k;
    (C5) 0 <= buffer_padding <= buffer_size, a multiple of k; (C6) reset is one i1. The result has
    inp's element type and its shape, with buffer_size along buffer_dim.

    Example: `%y = qti_aisw.Buffer(%x, reset = %r) {buffer_dim = 1 : i64, buffer_size = 8 : i64,
    mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>, stride = 2 : i64} :
    (tensor<1x2x16xf32>, tensor<i1>) -> tensor<1x8x16xf32>`
    """

    name = "qti_aisw.Buffer"
    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    reset = opt_operand_def()

    buffer_size = int_def()
    buffer_dim = int_def()
    buffer_padding = int_def(0)
    stride = int_def(1)
    mode = prop_def(BufferModeAttr, BufferModeAttr(BufferMode.BLOCKING))

    out = result_def()

    traits = traits_def(KeepsState())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.BLOCK_DATA, rule="(C1) ")
        dim, size = self.buffer_dim.value.data, self.buffer_size.value.data
        message = f"(C2) param 'buffer_dim' is {dim}, the input has rank {data.rank}"
        require(0 <= dim < data.rank, self, f"{message}; it must be from 0 to rank - 1")
        self._check_rows(data.shape[dim], size)
        check_reset(self, self.reset, "(C6) ")
        return (data.with_shape((*data.shape[:dim], size, *data.shape[dim + 1 :])),)

    def _check_rows(self, rows: int, size: int) -> None:
        stride, padding = self.stride.value.data, self.buffer_padding.value.data
        brings = f"an inference brings {rows} rows"
        message = f"(C3) param 'buffer_size' is {size}, {brings}; it must be a positive multiple"
        require(rows > 0 and size > 0 and size % rows == 0, self, message)
        message = f"(C4) param 'stride' is {stride}, {brings} and the buffer holds {size}"
        legal = rows <= stride <= size and stride % rows == 0
        require(legal, self, f"{message}; it must be a multiple of {rows} from {rows} to {size}")
        message = f"(C5) param 'buffer_padding' is {padding}, {brings} and the buffer holds {size}"
        legal = 0 <= padding <= size and padding % rows == 0
        require(legal, self, f"{message}; it must be a multiple of {rows} from 0 to {size}")


OPS: tuple[type[GraphOp], ...] = (BufferOp,)

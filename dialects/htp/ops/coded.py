"""Products with weights that are codes."""

from ...spec_of import require, text
from ...value import Kind, TensorSpec
from ...value.dtypes import CODES_IN_A_BYTE
from ..access import access
from ..base import NativeOp
from ..fields import tensor_def


class CodedOp(NativeOp):
    """Codes of a matrix, their table, and the scale and zero point of each block."""

    codes = tensor_def(Kind.BYTE)
    table = tensor_def(Kind.HTP_FLOAT)
    scales = tensor_def(Kind.F32)
    zeros = tensor_def(Kind.BYTE)

    def decoded(self) -> tuple[int, int]:
        """Rows and columns of the matrix that the codes represent."""
        entries = self.dims("table")[-1]
        count = CODES_IN_A_BYTE.get(entries)
        counts = ", ".join(map(str, CODES_IN_A_BYTE))
        message = f"operand 'table' has {entries} elements, it must have one of {counts}"
        require(count is not None and self.dims("table")[:3] == (1, 1, 1), self, message)
        rows, columns = self.dims("codes")[2], self.dims("codes")[3] * (count or 1)
        for name in ("codes", "scales", "zeros"):
            dims = self.dims(name)
            message = f"operand '{name}' is {text(dims)}, it must be 1x1xnxm"
            require(dims[:2] == (1, 1), self, message)
            whole = all(p and d % p == 0 for p, d in zip(dims[2:], (rows, columns), strict=True))
            message = f"operand '{name}' is {text(dims)}, it must divide {rows} rows of {columns}"
            require(whole, self, message)
        return rows, columns


class DecodeWeightsOp(CodedOp):
    """out = (table[codes] - table[zeros]) * scales.

    codes u8 [1, 1, n, m / c], table [1, 1, 1, 256], [1, 1, 1, 16] or [1, 1, 1, 4] for c = 1, 2 or
    4 codes in a byte, the lowest bits first; scales f32 and zeros u8 (a code in each byte)
    [1, 1, p, q], a number for each of p by q blocks -> [1, 1, n, m].

    Constraints: (C1) the table has 256, 16 or 4 elements; (C2) blocks of equal size make the
    matrix.

    Example: `%r = htp.DecodeWeights(%codes, %table, %scales, %zeros) :
    (tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>, tensor<1x1x1x1xui8>)
    -> tensor<1x1x8x32xf32>`
    """

    name = "htp.DecodeWeights"

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.like("table").with_shape((1, 1, *self.decoded())),)


class CodedFullyConnectedOp(CodedOp):
    """FullyConnected with the weights that DecodeWeights makes of codes.

    in [b, h, w, m], codes, table, scales and zeros as those of DecodeWeights, bias [1, 1, 1, n]
    -> [b, h, w, n].

    Constraints: (C1) and (C2) of DecodeWeights; (C3) blocks are parts of a row, or the same in all
    rows; (C4) in and the decoded weights have the same last dim, in and table one dtype; (C5) the
    bias has depth n.

    Example: `%r = htp.CodedFullyConnected(%x, %codes, %table, %scales, %zeros, %b) :
    (tensor<1x1x4x32xf32>, tensor<1x1x8x16xui8>, tensor<1x1x1x16xf32>, tensor<1x1x8x2xf32>,
    tensor<1x1x1x1xui8>, tensor<1x1x1x8xf32>) -> tensor<1x1x4x8xf32>`
    """

    name = "htp.CodedFullyConnected"
    ACCESS = access(
        "in[b, h, w, k] * codes[0, 0, d, k/m] * scales[0, 0, d?, k/m], zeros[0, 0, d?, k/m]"
        " + bias[0, 0, 0, d]"
    )

    in_ = tensor_def(Kind.HTP_FLOAT)
    codes = tensor_def(Kind.BYTE)
    table = tensor_def(Kind.HTP_FLOAT, like="in")
    scales = tensor_def(Kind.F32)
    zeros = tensor_def(Kind.BYTE)
    bias = tensor_def(kin="in")

    def infer(self) -> tuple[TensorSpec | None, ...]:
        columns, depth = self.decoded()[1], self.dims("in")[3]
        message = f"the weights take {columns} features, operand 'in' has depth {depth}"
        require(columns == depth, self, f"{message}; they must be equal")
        return super().infer()


OPS: tuple[type[NativeOp], ...] = (DecodeWeightsOp, CodedFullyConnectedOp)

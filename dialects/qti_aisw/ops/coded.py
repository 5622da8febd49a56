"""Weights as codes: each a place in a table of numbers, some in a byte, with scales of blocks.

QNN has such weights as tensors with an encoding of blocks (`QNN_QUANTIZATION_ENCODING_BLOCK`).
"""

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require, text
from ...value import Kind, TensorSpec
from ...value.dtypes import CODES_IN_A_BYTE
from ..base import GraphOp
from ..guards import check_bias, same_dtype, tensor


def _decoded(
    op: GraphOp, codes: SSAValue, table: SSAValue, scales: SSAValue, zeros: SSAValue
) -> TensorSpec:
    """The matrix that the codes represent, all four operands checked."""
    stored = tensor(op, "codes", codes, Kind.BYTE, rank=2)
    numbers = tensor(op, "table", table, Kind.HTP_FLOAT, rank=1)
    count = CODES_IN_A_BYTE.get(numbers.elements, 0)
    counts = ", ".join(map(str, CODES_IN_A_BYTE))
    message = f"operand 'table' has {numbers.elements} elements, it must have one of {counts}"
    require(count > 0, op, message)
    rows, columns = stored.shape
    shape = (rows, columns * count)
    for name, value, kind in (("scales", scales, Kind.F32), ("zeros", zeros, Kind.BYTE)):
        parts = tensor(op, name, value, kind, rank=2).shape
        whole = all(part and dim % part == 0 for part, dim in zip(parts, shape, strict=True))
        message = f"operand '{name}' is {text(parts)}, the codes are {text(shape)}"
        require(whole, op, f"{message}; the first must divide the second")
    return numbers.with_shape(shape)


@irdl_op_definition
class DecodeWeightsOp(GraphOp):
    """(table[codes] - table[zeros]) * scales -> [n, m].

    Codes u8 [n, m / c]: a byte holds c of them, the lowest bits first, 1 with a table of 256
    numbers, 2 with one of 16, 4 with one of 4. Scales f32 and zeros u8 (a code in each byte) have a
    number for each block of the matrix.

    Constraints: (C1) codes, scales and zeros have rank 2, the table rank 1; the table is f32 or
    f16, scales are f32, codes and zeros u8; (C2) the table has 256, 16 or 4 elements; (C3) blocks
    are of equal size and make the matrix.

    Example: `%w = qti_aisw.DecodeWeights(%codes, %table, %scales, %zeros) :
    (tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>) -> tensor<8x32xf32>`
    """

    name = "qti_aisw.DecodeWeights"

    codes = operand_def()
    table = operand_def()
    scales = operand_def()
    zeros = operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        return (_decoded(self, self.codes, self.table, self.scales, self.zeros),)


@irdl_op_definition
class CodedFullyConnectedOp(GraphOp):
    """FullyConnected, whose weights are those that DecodeWeights makes of codes.

    inp [..., m] times the transpose of the decoded [n, m], plus bias[n] -> [..., n].

    Constraints: (C1), (C2) and (C3) of DecodeWeights; (C4) blocks are parts of a row, or the same
    in all rows; (C5) inp has at least rank 1, and its last dim is m; (C6) table and bias[n] have
    inp's element type.

    Example: `%y = qti_aisw.CodedFullyConnected(%x, %codes, %table, %scales, %zeros) :
    (tensor<4x32xf32>, tensor<8x16xui8>, tensor<16xf32>, tensor<8x2xf32>, tensor<1x1xui8>)
    -> tensor<4x8xf32>`
    """

    name = "qti_aisw.CodedFullyConnected"

    inp = operand_def()
    codes = operand_def()
    table = operand_def()
    scales = operand_def()
    zeros = operand_def()
    bias = opt_operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.HTP_FLOAT)
        weights = _decoded(self, self.codes, self.table, self.scales, self.zeros)
        same_dtype(self, "table", weights, "inp", data)
        n, m = weights.shape
        for name, value in (("scales", self.scales), ("zeros", self.zeros)):
            rows = tensor(self, name, value).shape[0]
            message = f"operand '{name}' has {rows} rows, it must have 1 or {n}"
            require(rows in (1, n), self, message)
        require(data.rank >= 1, self, "operand 'inp' is a scalar, it needs at least one dim")
        message = f"the weights take {m} features, the data has {data.shape[-1]}"
        require(data.shape[-1] == m, self, f"{message}; they must be equal")
        check_bias(self, self.bias, data, n, "outputs")
        return (data.with_shape((*data.shape[:-1], n)),)


OPS: tuple[type[GraphOp], ...] = (DecodeWeightsOp, CodedFullyConnectedOp)

"""Matrix products. Source: QNN op definitions FullyConnected and MatMul."""

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, Shape, TensorSpec
from ..base import GraphOp, bool_def
from ..guards import broadcast_shapes, check_bias, check_weights, same_dtype, tensor


@irdl_op_definition
class FullyConnectedOp(GraphOp):
    """inp[..., m] times the transpose of weights[n, m], plus bias[n] -> [..., n].

    The weights may be quantised where the data is float: they count as the reals that they
    represent.

    Constraints: (C1) inp has at least rank 1, weights have rank 2; inp is a float or quantised, and
    the weights have its element type or are quantised; (C2) the last dim of inp is m; (C3) bias[n]
    has inp's element type; of quantised data it is quantised or i32.

    Example: `%y = qti_aisw.FullyConnected(%x, %w, bias = %b) :
    (tensor<1x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<1x10xf32>`
    """

    name = "qti_aisw.FullyConnected"

    inp = operand_def()
    weights = operand_def()
    bias = opt_operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.REAL)
        weights = tensor(self, "weights", self.weights, Kind.REAL, rank=2)
        require(data.rank >= 1, self, "operand 'inp' is a scalar, it needs at least one dim")
        check_weights(self, "weights", weights, data)
        n, m = weights.shape
        message = f"operand 'weights' takes {m} features, the data has {data.shape[-1]}"
        require(data.shape[-1] == m, self, f"{message}; they must be equal")
        check_bias(self, self.bias, data, n, "outputs")
        return (data.with_shape((*data.shape[:-1], n)),)


@irdl_op_definition
class MatMulOp(GraphOp):
    """in0[..., m, k] times in1[..., k, n] -> [..., m, n]; the leading dims broadcast.

    Constraints: (C1) in0 and in1 are floats, quantised, or integers of 32 or 64 bits, of one
    element type; (C2) both have at least rank 2; (C3) after the transposes, in0 has as many columns
    as in1 has rows; (C4) the leading dims broadcast.

    Example: `%y = qti_aisw.MatMul(%a, %b) {transpose_in1 = true} :
    (tensor<1x4x8x16xf32>, tensor<1x4x32x16xf32>) -> tensor<1x4x8x32xf32>`
    """

    name = "qti_aisw.MatMul"

    in0 = operand_def()
    in1 = operand_def()
    transpose_in0 = bool_def(False)
    transpose_in1 = bool_def(False)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        left = tensor(self, "in0", self.in0, Kind.FACTOR)
        right = tensor(self, "in1", self.in1, Kind.FACTOR)
        same_dtype(self, "in1", right, "in0", left)
        for name, spec in (("in0", left), ("in1", right)):
            message = f"operand '{name}' has rank {spec.rank}, it must be at least 2"
            require(spec.rank >= 2, self, message)
        m, k = _matrix(left.shape, bool(self.transpose_in0))
        k1, n = _matrix(right.shape, bool(self.transpose_in1))
        require(k == k1, self, f"in0 has {k} columns, in1 has {k1} rows; they must be equal")
        leading = broadcast_shapes(self, left.shape[:-2], right.shape[:-2])
        return (left.with_shape((*leading, m, n)),)


def _matrix(shape: Shape, transposed: bool) -> tuple[int, int]:
    rows, columns = shape[-2:]
    return (columns, rows) if transposed else (rows, columns)


OPS: tuple[type[GraphOp], ...] = (FullyConnectedOp, MatMulOp)

"""Matrix products."""

from ...value import Kind
from ..access import access
from ..base import NativeOp
from ..fields import param_def, tensor_def


class FullyConnectedOp(NativeOp):
    """out = in times the transposed weights, plus a bias.

    in [b, h, w, m], weights [1, 1, n, m], bias [1, 1, 1, n] -> [b, h, w, n].

    Constraints: (C1) in and weights have the same last dim; (C2) the bias has depth n; (C3) in
    and weights have one dtype, or the weights are quantised, and in is so or float.

    Example: `%r = htp.FullyConnected(%x, %w, %b) :
    (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x1x8x10xf32>`
    """

    name = "htp.FullyConnected"
    ACCESS = access("in[b, h, w, k] * weights[0, 0, d, k] + bias[0, 0, 0, d]")

    in_ = tensor_def(Kind.NUMBER)
    weights = tensor_def(like="in", stored=True)
    bias = tensor_def(kin="in")


class FullyConnectedClampOp(FullyConnectedOp):
    """FullyConnected, bounded by min and max.

    As FullyConnected, with min and max [1, 1, 1, 1].

    Example: `%r = htp.FullyConnected.clamp(%x, %w, %b, %min, %max) :
    (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>, tensor<1x1x1x1xf32>,
    tensor<1x1x1x1xf32>) -> tensor<1x1x8x10xf32>`
    """

    name = "htp.FullyConnected.clamp"

    min = param_def(1)
    max = param_def(1)


class FullyConnectedGeluOp(FullyConnectedOp):
    """FullyConnected, then Gelu.

    As FullyConnected.

    Example: `%r = htp.FullyConnected.gelu(%x, %w, %b) :
    (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x1x8x10xf32>`
    """

    name = "htp.FullyConnected.gelu"


class MatMulOp(NativeOp):
    """out = in0 times in1, matrices in the last two dims; the two leading dims broadcast.

    in0 [b, h, m, k] (or [b, h, k, m] with transpose_in0), in1 [b, h, k, n] (or [b, h, n, k] with
    transpose_in1), the two params 0 or 1 -> [b, h, m, n].

    Constraints: (C1) the inner dims are equal; (C2) the leading dims broadcast; (C3) both have
    one dtype, or both are quantised.

    Example: `%r = htp.MatMul(%a, %b, %ta, %tb) :
    (tensor<1x4x8x16xf32>, tensor<1x4x16x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
    -> tensor<1x4x8x32xf32>`
    """

    name = "htp.MatMul"
    ACCESS = access(
        "in0[b?, h?, w, k] * in1[b?, h?, k, d]",
        turned={"in0": "transpose_in0", "in1": "transpose_in1"},
    )

    in0 = tensor_def(Kind.NUMBER)
    in1 = tensor_def(like="in0")
    transpose_in0 = param_def(1, least=0, most=1)
    transpose_in1 = param_def(1, least=0, most=1)


OPS: tuple[type[NativeOp], ...] = (
    FullyConnectedOp,
    FullyConnectedClampOp,
    FullyConnectedGeluOp,
    MatMulOp,
)

"""Rotary embedding. Source: ONNX operator spec, RotaryEmbedding; QNN has no such op."""

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, bool_def
from ..guards import broadcast_shapes, same_dtype, tensor


@irdl_op_definition
class RotaryEmbeddingOp(GraphOp):
    """out = inp * cos + turned * sin; cos and sin broadcast to inp[..., e], and e is even.

    turned is the second half of the last dim times -1, then the first; where `interleaved`, of each
    two neighbours the second times -1, then the first.

    Constraints: (C1) inp is a float, its last dim is there and even; (C2) cos and sin have inp's
    element type and broadcast to its shape.

    Example: `%y = qti_aisw.RotaryEmbedding(%x, %c, %s) :
    (tensor<1x4x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<1x4x16x8xf32>`
    """

    name = "qti_aisw.RotaryEmbedding"

    inp = operand_def()
    cos = operand_def()
    sin = operand_def()
    interleaved = bool_def(False)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.FLOAT)
        even = data.rank >= 1 and data.shape[-1] % 2 == 0
        require(even, self, "the last dim of operand 'inp' must be there, and even")
        for name, value in (("cos", self.cos), ("sin", self.sin)):
            angle = tensor(self, name, value, Kind.FLOAT)
            same_dtype(self, name, angle, "inp", data)
            wide = broadcast_shapes(self, data.shape, angle.shape)
            require(wide == data.shape, self, f"operand '{name}' is larger than the data")
        return (data,)


OPS: tuple[type[GraphOp], ...] = (RotaryEmbeddingOp,)

"""Activations. Source: QNN op definitions of the same names."""

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, float_def
from ..guards import broadcast_shapes, same_family, tensor
from .elementwise import Unary, unary

ReluOp = unary("Relu", "out = max(inp, 0).")
SigmoidOp = unary("Sigmoid", "out = 1 / (1 + e to the power of -inp).")
TanhOp = unary("Tanh", "out = tanh(inp).")
HardSwishOp = unary("HardSwish", "out = inp * min(max(inp + 3, 0), 6) / 6.")
GeluOp = unary("Gelu", "out = inp / 2 * (1 + erf(inp / sqrt(2))).")
GeluTanhOp = unary(
    "GeluTanh",
    "out = inp / 2 * (1 + tanh(sqrt(2 / pi) * (inp + 0.044715 * inp to the power of 3))).",
)


@irdl_op_definition
class EluOp(Unary):
    """out = inp where it is positive, else alpha * (e to the power of inp - 1).

    Example: `%y = qti_aisw.Elu(%x) {alpha = 0.5 : f32} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>`
    """

    name = "qti_aisw.Elu"

    alpha = float_def(1.0)


@irdl_op_definition
class LeakyReluOp(Unary):
    """out = inp where it is positive, else alpha * inp.

    Example: `%y = qti_aisw.LeakyRelu(%x) {alpha = 0.5 : f32} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>`
    """

    name = "qti_aisw.LeakyRelu"

    alpha = float_def(0.01)


@irdl_op_definition
class SwishOp(Unary):
    """out = inp / (1 + e to the power of -alpha * inp); SiLU where alpha is 1.

    Source: ONNX operator spec, Swish; QNN has no such op.

    Example: `%y = qti_aisw.Swish(%x) {alpha = 1.702 : f32} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>`
    """

    name = "qti_aisw.Swish"

    alpha = float_def(1.0)


@irdl_op_definition
class ReluMinMaxOp(Unary):
    """out = inp bounded to [min_value, max_value].

    Constraints: (C1) inp is a float or quantised; (C2) min_value <= max_value; (C3) the result has
    inp's shape and element type.

    Example: `%y = qti_aisw.ReluMinMax(%x) {max_value = 6.0 : f32, min_value = 0.0 : f32} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>`
    """

    name = "qti_aisw.ReluMinMax"

    min_value = float_def()
    max_value = float_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        low, high = self.min_value.value.data, self.max_value.value.data
        require(low <= high, self, f"param 'min_value' {low:g} is above 'max_value' {high:g}")
        return super().infer()


@irdl_op_definition
class PreluOp(GraphOp):
    """out = inp where it is positive, else slope * inp; slope broadcasts to inp.

    Constraints: (C1) inp and slope are floats of one element type, or both quantised; (C2) slope
    broadcasts to inp's shape; (C3) the result has inp's shape and element type.

    Example: `%y = qti_aisw.Prelu(%x, %s) :
    (tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>`
    """

    name = "qti_aisw.Prelu"

    inp = operand_def()
    slope = operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.REAL)
        slope = tensor(self, "slope", self.slope, Kind.REAL)
        same_family(self, "slope", slope, data)
        wide = broadcast_shapes(self, data.shape, slope.shape)
        require(wide == data.shape, self, "operand 'slope' is larger than the data")
        return (data,)


OPS: tuple[type[GraphOp], ...] = (
    *(ReluOp, SigmoidOp, TanhOp, HardSwishOp, GeluOp, GeluTanhOp, EluOp, LeakyReluOp, SwishOp),
    *(ReluMinMaxOp, PreluOp),
)

"""Softmax and normalisations. Source: QNN op definitions of the same names."""

from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, float_def, int_def, ints, ints_def
from ..guards import added, axes_of, axis_of, has_shape, tensor
from .elementwise import Unary


class SoftmaxLike(Unary):
    """Along one axis; `beta` scales the data first.

    Constraints: (C1) inp is a float or quantised; (C2) axis is from -rank to rank - 1; (C3) the
    result has inp's shape and element type.
    """

    axis = int_def(-1)
    beta = float_def(1.0)

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.REAL)
        axis_of(self, self.axis.value.data, data.rank)
        return (data,)


@irdl_op_definition
class SoftmaxOp(SoftmaxLike):
    """out = e to the power of beta * inp, over its sum along `axis`.

    Example: `%y = qti_aisw.Softmax(%x) {axis = 1 : i64} :
    (tensor<4x10xf32>) -> tensor<4x10xf32>`
    """

    name = "qti_aisw.Softmax"


@irdl_op_definition
class LogSoftmaxOp(SoftmaxLike):
    """out = the natural logarithm of Softmax(inp).

    Example: `%y = qti_aisw.LogSoftmax(%x) : (tensor<4x10xf32>) -> tensor<4x10xf32>`
    """

    name = "qti_aisw.LogSoftmax"


class AxesNorm(GraphOp):
    """Normalises over `axes`; gamma and beta have the extents of those axes, in rising order.

    Constraints: (C1) inp is a float or quantised; (C2) axes are from -rank to rank - 1, at least
    one, and none occurs twice; (C3) epsilon >= 0; (C4) gamma and beta have the extents of the axes;
    (C5) gamma and beta have inp's element type; of quantised data they are quantised or i32.
    """

    axes = ints_def()
    epsilon = float_def(1e-5)

    def normalised(
        self, inp: SSAValue, gamma: SSAValue | None, beta: SSAValue | None
    ) -> tuple[TensorSpec, ...]:
        """The result, after the checks that both normalisations share."""
        data = tensor(self, "inp", inp, Kind.REAL)
        axes = axes_of(self, ints(self.axes), data.rank)
        epsilon = self.epsilon.value.data
        require(epsilon >= 0, self, f"param 'epsilon' is {epsilon:g}, it must be >= 0")
        for name, value in (("gamma", gamma), ("beta", beta)):
            if value is not None:
                spec = tensor(self, name, value, Kind.REAL_OR_I32)
                has_shape(self, name, spec, tuple(data.shape[axis] for axis in axes))
                added(self, name, spec, data)
        return (data,)


@irdl_op_definition
class LayerNormOp(AxesNorm):
    """out = (inp - mean) / sqrt(variance + epsilon) * gamma + beta, over `axes`.

    Example: `%y = qti_aisw.LayerNorm(%x, gamma = %g, beta = %b) {axes = array<i64: 2>} :
    (tensor<1x16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<1x16x32xf32>`
    """

    name = "qti_aisw.LayerNorm"

    inp = operand_def()
    gamma = opt_operand_def()
    beta = opt_operand_def()
    out = result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.normalised(self.inp, self.gamma, self.beta)


@irdl_op_definition
class RmsNormOp(AxesNorm):
    """out = inp / sqrt(mean(inp * inp) + epsilon) * gamma + beta, over `axes`.

    Example: `%y = qti_aisw.RmsNorm(%x, %g) {axes = array<i64: -1>} :
    (tensor<1x16x32xf32>, tensor<32xf32>) -> tensor<1x16x32xf32>`
    """

    name = "qti_aisw.RmsNorm"

    inp = operand_def()
    gamma = operand_def()
    beta = opt_operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.normalised(self.inp, self.gamma, self.beta)


@irdl_op_definition
class BatchnormOp(GraphOp):
    """out = inp * weights[c] + bias[c], c the extent of the last dim.

    Constraints: (C1) inp is a float or quantised, of rank 1 or more; (C2) weights and bias are [c];
    (C3) weights and bias have inp's element type; of quantised data they are quantised or
    i32.

    Example: `%y = qti_aisw.Batchnorm(%x, %w, %b) :
    (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>`
    """

    name = "qti_aisw.Batchnorm"

    inp = operand_def()
    weights = operand_def()
    bias = operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.REAL)
        require(data.rank >= 1, self, "operand 'inp' is a scalar, it needs at least one dim")
        for name, value in (("weights", self.weights), ("bias", self.bias)):
            spec = tensor(self, name, value, Kind.REAL_OR_I32)
            has_shape(self, name, spec, data.shape[-1:])
            added(self, name, spec, data)
        return (data,)


OPS: tuple[type[GraphOp], ...] = (SoftmaxOp, LogSoftmaxOp, LayerNormOp, RmsNormOp, BatchnormOp)

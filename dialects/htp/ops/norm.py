"""Softmax and the normalisations."""

from math import prod

from ...spec_of import require, spec_of, text
from ...value import RANK, Kind, TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import param_def, tensor_def


class SoftmaxFamilyOp(NativeOp):
    """A softmax along one axis of in [b, h, w, d], with the factor beta."""

    ABOUT = """in [b, h, w, d], axis i32 and beta f32, both [1, 1, 1, 1].

    Constraints: (C1) the axis is 0 to 3.

    Example: `%r = {}(%x, %axis, %beta) :
    (tensor<1x1x8x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x1x8x32xf32>`"""
    ACCESS = access("in[b, h, w, d]", along="axis")

    in_ = tensor_def(Kind.NUMBER)
    axis = param_def(1, least=0, most=RANK - 1)
    beta = param_def(1)


class SoftmaxOp(SoftmaxFamilyOp):
    """out = exp(beta * in) over its sum along the axis."""

    name = "htp.Softmax"


class LogSoftmaxOp(SoftmaxFamilyOp):
    """out = the logarithm of Softmax."""

    name = "htp.LogSoftmax"


class NormOp(NativeOp):
    """A normalisation of in [b, h, w, d] over axes, scaled by gamma and shifted by beta."""

    ACCESS = access("in[b, h, w, d]", along="axes")

    in_ = tensor_def(Kind.NUMBER)
    gamma = tensor_def(kin="in")
    beta = tensor_def(kin="in")
    axes = param_def(least=0, most=RANK - 1, once=True)
    epsilon = param_def(1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        axes = self.ints("axes")
        for name in ("gamma", "beta") if axes else ():
            self.verify_affine(name, axes or ())
        return super().infer()

    def verify_affine(self, name: str, axes: tuple[int, ...]) -> None:
        """Check that an operand has one element for each position within the axes."""
        wanted = prod(spec_of(self.in_).shape[axis] for axis in axes)
        spec = self.spec(name)
        message = f"operand '{name}' {text(spec.shape)} has {spec.elements} elements"
        require(spec.elements == wanted, self, f"{message}, the axes {axes} have {wanted}")


class LayerNormOp(NormOp):
    """out = (in - mean) / sqrt(variance + epsilon) over the axes, times gamma, plus beta.

    in [b, h, w, d]; gamma and beta one element for each position within the axes, [1, 1, 1, d]
    for the last axis; axes i32 [1, 1, 1, n], epsilon f32 [1, 1, 1, 1].

    Constraints: (C1) each axis is 0 to 3 and named once; (C2) gamma and beta have as many
    elements as the axes.

    Example: `%r = htp.LayerNorm(%x, %gamma, %beta, %axes, %epsilon) :
    (tensor<1x1x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x1xi32>,
    tensor<1x1x1x1xf32>) -> tensor<1x1x8x32xf32>`
    """

    name = "htp.LayerNorm"


class RmsNormOp(NormOp):
    """out = in / sqrt(mean of in squared + epsilon) over the axes, times gamma, plus beta.

    Operands and constraints as in LayerNorm.

    Example: `%r = htp.RmsNorm(%x, %gamma, %beta, %axes, %epsilon) :
    (tensor<1x1x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x1xi32>,
    tensor<1x1x1x1xf32>) -> tensor<1x1x8x32xf32>`
    """

    name = "htp.RmsNorm"


class BatchnormOp(NativeOp):
    """out = in * weights + bias, one pair for each channel.

    in [b, h, w, d], weights and bias [1, 1, 1, d].

    Constraints: (C1) the depths are equal.

    Example: `%r = htp.Batchnorm(%x, %w, %b) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>`
    """

    name = "htp.Batchnorm"
    ACCESS = access("in[b, h, w, d], weights[0, 0, 0, d] + bias[0, 0, 0, d]")

    in_ = tensor_def(Kind.NUMBER)
    weights = tensor_def(kin="in")
    bias = tensor_def(kin="in")


OPS: tuple[type[NativeOp], ...] = (SoftmaxOp, LogSoftmaxOp, LayerNormOp, RmsNormOp, BatchnormOp)

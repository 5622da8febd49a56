"""Activations: with and without params, and the addition of a bias."""

from ...value import Kind
from ..access import access
from ..base import NativeOp
from ..fields import param_def, tensor_def
from .elementwise import UnaryOp


class ReluOp(UnaryOp):
    """out = in, or 0 where in is negative."""

    name = "htp.Relu"


class SigmoidOp(UnaryOp):
    """out = 1 / (1 + exp(-in))."""

    name = "htp.Sigmoid"


class TanhOp(UnaryOp):
    """out = the hyperbolic tangent of in."""

    name = "htp.Tanh"


class HardSwishOp(UnaryOp):
    """out = in * min(max(in / 6 + 1/2, 0), 1)."""

    name = "htp.HardSwish"


class GeluOp(UnaryOp):
    """out = in * (1 + erf(in / sqrt(2))) / 2."""

    name = "htp.Gelu"


class GeluTanhOp(UnaryOp):
    """out = in * (1 + tanh(sqrt(2 / pi) * (in + 0.044715 * in * in * in))) / 2."""

    name = "htp.GeluTanh"


class ScaledOp(UnaryOp):
    """An activation with the f32 param alpha [1, 1, 1, 1]."""

    ABOUT = """in [b, h, w, d], alpha [1, 1, 1, 1].

    Example: `%r = {}(%x, %alpha) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x32xf32>`"""

    alpha = param_def(1)


class EluOp(ScaledOp):
    """out = in, or alpha * (exp(in) - 1) where in is negative."""

    name = "htp.Elu"


class LeakyReluOp(ScaledOp):
    """out = in, or alpha * in where in is negative."""

    name = "htp.LeakyRelu"


class SwishOp(ScaledOp):
    """out = in / (1 + exp(-alpha * in))."""

    name = "htp.Swish"


class BoundedOp(UnaryOp):
    """An activation with the params min and max, [1, 1, 1, 1] each."""

    ABOUT = """in [b, h, w, d], min and max [1, 1, 1, 1].

    Example: `%r = {}(%x, %min, %max) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x32xf32>`"""

    min = param_def(1)
    max = param_def(1)


class ReluMinMaxOp(BoundedOp):
    """out = in, not below min and not above max; the raw form of Clamp."""

    name = "htp.ReluMinMax"


class ClampOp(BoundedOp):
    """out = in, not below min and not above max."""

    name = "htp.Clamp"


class PreluOp(NativeOp):
    """out = in, or slope * in where in is negative.

    in and slope [b, h, w, d]; slope broadcasts.

    Constraints: (C1) in and slope broadcast; (C2) both are float, or neither.

    Example: `%r = htp.Prelu(%x, %slope) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>`
    """

    name = "htp.Prelu"
    ACCESS = access("in[b?, h?, w?, d?], slope[b?, h?, w?, d?]")

    in_ = tensor_def(Kind.NUMBER)
    slope = tensor_def(kin="in")


class BiasAddOp(NativeOp):
    """out = in + bias, one number for each channel.

    in [b, h, w, d], bias [1, 1, 1, d].

    Constraints: (C1) the depths are equal; (C2) both operands are float, or neither.

    Example: `%r = htp.BiasAdd(%x, %bias) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x8x8x32xf32>`
    """

    name = "htp.BiasAdd"
    ACCESS = access("in[b, h, w, d] + bias[0, 0, 0, d]")

    in_ = tensor_def(Kind.NUMBER)
    bias = tensor_def(kin="in")


OPS: tuple[type[NativeOp], ...] = (
    ReluOp,
    SigmoidOp,
    TanhOp,
    HardSwishOp,
    GeluOp,
    GeluTanhOp,
    EluOp,
    LeakyReluOp,
    SwishOp,
    ReluMinMaxOp,
    ClampOp,
    PreluOp,
    BiasAddOp,
)

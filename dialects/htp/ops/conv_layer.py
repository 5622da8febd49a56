"""The core convolutions: no padding of their own, the stride is a shape 1xHxWx1."""

from ...spec_of import require, spec_of, text
from ...value import Kind, Shape, TensorSpec, round_up
from ..access import access
from ..base import NativeOp
from ..fields import param_def, shape_def, tensor_def

_DEPTH_CHUNK = 32


class ConvValidOp(NativeOp):
    """A convolution without padding: act [b, h, w, c], weights [fh, fw, c, m], a stride.

    The access map says of the bias what holds where the leaf has one.
    """

    ACCESS = access(
        "act[b, h*stride.1+i, w*stride.2+j, c] * weights[i, j, c, d] + bias[0, 0, 0, d]"
    )

    act = tensor_def(Kind.NUMBER)
    weights = tensor_def(like="act", stored=True)
    stride = shape_def(plane=True)


class DepthwiseValidOp(ConvValidOp):
    """As ConvValidOp, with weights [fh, fw, 1, c * m]."""

    ACCESS = access(
        "act[b, h*stride.1+i, w*stride.2+j, d/m] * weights[i, j, 0, d] + bias[0, 0, 0, d]"
    )


class Conv2dValidOp(ConvValidOp):
    """A convolution without padding and bias.

    act [b, h, w, c], weights [fh, fw, c, m], stride !htp.shape<1xHxWx1>.

    Constraints: (C1) the weights' depth is c; (C2) the filter fits into the activations; (C3)
    act and weights have one dtype, or the weights are quantised and act is real.

    Example: `%r = htp.Conv2d_valid(%x, %w, %stride) :
    (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x1x1x1>) -> tensor<1x6x6x64xf32>`
    """

    name = "htp.Conv2d_valid"


class ConvLayerValidOp(ConvValidOp):
    """A convolution without padding, plus a bias.

    act [b, h, w, c], weights [fh, fw, c, m], stride !htp.shape<1xHxWx1>, bias [1, 1, 1, m].

    Constraints: (C1) the weights' depth is c; (C2) the filter fits into the activations; (C3)
    act and weights have one dtype, or both are quantised; (C4) the bias has depth m.

    Example: `%r = htp.ConvLayer_valid(%x, %w, %stride, %b) :
    (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>)
    -> tensor<1x3x3x64xf32>`
    """

    name = "htp.ConvLayer_valid"

    bias = tensor_def(kin="act")


class ConvLayerValidClampOp(ConvValidOp):
    """A convolution without padding, plus a bias, bounded by min and max.

    As ConvLayer_valid, with min and max [1, 1, 1, 1].

    Example: `%r = htp.ConvLayer_valid.clamp(%x, %w, %stride, %b, %min, %max) :
    (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>,
    tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x3x64xf32>`
    """

    name = "htp.ConvLayer_valid.clamp"

    bias = tensor_def(kin="act")
    min = param_def(1)
    max = param_def(1)


class DepthwiseConvLayerValidOp(DepthwiseValidOp):
    """A convolution of each channel with its own filters, without padding, plus a bias.

    act [b, h, w, c], weights [fh, fw, 1, c * m], stride !htp.shape<1xHxWx1>,
    bias [1, 1, 1, c * m].

    Constraints: (C1) the weights' third dim is 1 and c divides their last; (C2) the filter fits
    into the activations; (C3) act and weights have one dtype, or the weights are
    quantised and act is real; (C4) the bias has depth c * m.

    Example: `%r = htp.DepthwiseConvLayer_valid(%x, %w, %stride, %b) :
    (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>)
    -> tensor<1x6x6x32xf32>`
    """

    name = "htp.DepthwiseConvLayer_valid"

    bias = tensor_def(kin="act")


class DepthwiseConvLayerValidClampOp(DepthwiseValidOp):
    """A convolution of each channel without padding, plus a bias, bounded by min and max.

    As DepthwiseConvLayer_valid, with min and max [1, 1, 1, 1].

    Example: `%r = htp.DepthwiseConvLayer_valid.clamp(%x, %w, %stride, %b, %min, %max) :
    (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>, !htp.shape<1x1x1x1>, tensor<1x1x1x32xf32>,
    tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x6x32xf32>`
    """

    name = "htp.DepthwiseConvLayer_valid.clamp"

    bias = tensor_def(kin="act")
    min = param_def(1)
    max = param_def(1)


class TransposeConvLayerValidOp(ConvValidOp):
    """The transpose of a convolution whose windows lie side by side, plus a bias.

    act [b, h, w, c], weights [fh, fw, c, m], stride !htp.shape<1xHxWx1>, bias [1, 1, 1, m]: each
    pixel becomes a block of fh x fw, the result is [b, h * fh, w * fw, m].

    Constraints: (C1) the weights' depth is c; (C2) the stride is the filter's size; (C3) act and
    weights have one dtype, or the weights are quantised and act is real; (C4) the bias has depth
    m.

    Example: `%r = htp.TransposeConvLayer_valid(%x, %w, %stride, %b) :
    (tensor<1x8x8x32xf32>, tensor<2x2x32x64xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x64xf32>)
    -> tensor<1x16x16x64xf32>`
    """

    name = "htp.TransposeConvLayer_valid"
    ACCESS = access(
        "act[b, h/stride.1, w/stride.2, c]"
        " * weights[h%stride.1, w%stride.2, c, d] + bias[0, 0, 0, d]"
    )

    bias = tensor_def(kin="act")

    def verify_operands(self) -> None:
        super().verify_operands()
        window, stride = self.dims("weights")[:2], self.dims("stride")
        message = f"stride is {text(stride)}, windows of {text(window)} must lie side by side"
        require(stride == (1, *window, 1), self, message)


class Im2colStride2Op(NativeOp):
    """The windows of a convolution with stride 2, laid along the depth.

    act [b, h, w, c], weights_shape !htp.shape<fh x fw x c x m>. Element (fh, fw, c) of a window
    lies at depth (fh * FW + fw) * C + c; the depth is rounded up to 32, and what is added is the
    real number 0.

    Constraints: (C1) the weights' depth is c; (C2) the filter fits into the activations.

    Example: `%r = htp.ConvLayer.opt.im2col_stride2(%x, %dims) :
    (tensor<1x9x9x3xf32>, !htp.shape<3x3x3x64>) -> tensor<1x4x4x32xf32>`
    """

    name = "htp.ConvLayer.opt.im2col_stride2"

    act = tensor_def()
    weights_shape = shape_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        batch, height, width, depth = spec_of(self.act).shape
        taps_h, taps_w, inputs, _ = weights = self.dims("weights_shape")
        message = f"the weights {text(weights)} have depth {inputs}, the activations {depth}"
        require(inputs == depth, self, f"{message}; they must be equal")
        fits = 1 <= taps_h <= height and 1 <= taps_w <= width
        require(fits, self, f"a filter {taps_h}x{taps_w} does not fit into {height}x{width}")
        size = ((height - taps_h) // 2 + 1, (width - taps_w) // 2 + 1)
        return (self.like("act").with_shape((batch, *size, column_depth(weights))),)


class WeightsForIm2colOp(NativeOp):
    """The weights of a convolution as those of a point-wise one over im2col data.

    weights [fh, fw, c, m] -> [1, 1, d, m]; d as in ConvLayer.opt.im2col_stride2, what is added
    is the real number 0.

    Example: `%r = htp.ConvLayer.opt.weights_for_im2col(%w) :
    (tensor<3x3x3x64xf32>) -> tensor<1x1x32x64xf32>`
    """

    name = "htp.ConvLayer.opt.weights_for_im2col"

    weights = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        weights = spec_of(self.weights).shape
        return (self.like("weights").with_shape((1, 1, column_depth(weights), weights[3])),)


def column_depth(weights: Shape) -> int:
    """Depth of im2col data for weights [fh, fw, c, m]: fh * fw * c rounded up to 32."""
    return round_up(weights[0] * weights[1] * weights[2], _DEPTH_CHUNK)


OPS: tuple[type[NativeOp], ...] = (
    Conv2dValidOp,
    ConvLayerValidOp,
    ConvLayerValidClampOp,
    DepthwiseConvLayerValidOp,
    DepthwiseConvLayerValidClampOp,
    TransposeConvLayerValidOp,
    Im2colStride2Op,
    WeightsForIm2colOp,
)

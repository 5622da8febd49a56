"""The raw convolutions: params as operands, padding of their own.

Data is B H W D, filters H W I O. The core forms without padding are in conv_layer.py.
"""

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..access import access
from ..base import NativeOp, has_shape, product_of
from ..fields import param_def, tensor_def


class ConvolutionOp(NativeOp):
    """A convolution with in [b, h, w, c], a filter and a bias [1, 1, 1, m]."""

    in_ = tensor_def(Kind.NUMBER)
    filter = tensor_def(like="in", stored=True)
    bias = tensor_def(kin="in")
    stride = param_def(2, least=1)
    pad_amount = param_def(4, least=0)


class Conv2dOp(ConvolutionOp):
    """A convolution; group g of the outputs reads group g of the inputs.

    in [b, h, w, c], filter [fh, fw, c / group, m], bias [1, 1, 1, m], stride [1, 1, 1, 2],
    pad_amount [1, 1, 2, 2] as top, bottom, left, right, dilation [1, 1, 1, 2], group a scalar.

    Constraints: (C1) the filter's depth is c / group; (C2) group divides c and m; (C3) the bias
    has depth m; (C4) the filter, dilated, fits into the padded input; (C5) strides and dilations
    are >= 1, pads >= 0.

    Example: `%r = htp.Conv2d(%x, %w, %b, %stride, %pad, %dilation, %group) :
    (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x2xi32>,
    tensor<1x1x2x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x6x6x64xf32>`
    """

    name = "htp.Conv2d"
    ACCESS = access(
        "in[b, h*stride.0+i*dilation.0-pad_amount.0:1, w*stride.1+j*dilation.1-pad_amount.2:3,"
        " c@group.0] * filter[i, j, c, d@group.0] + bias[0, 0, 0, d]"
    )

    dilation = param_def(2, least=1)
    group = param_def(1, least=1)


class DepthWiseConv2dOp(ConvolutionOp):
    """A convolution of each channel with m filters of its own.

    in [b, h, w, c], filter [fh, fw, 1, c * m], bias [1, 1, 1, c * m], stride [1, 1, 1, 2],
    pad_amount [1, 1, 2, 2] as top, bottom, left, right, dilation [1, 1, 1, 2].

    Constraints: (C1) the filter's third dim is 1 and c divides its last; (C2) the bias has depth
    c * m; (C3) the filter, dilated, fits into the padded input; (C4) strides and dilations are
    >= 1, pads >= 0.

    Example: `%r = htp.DepthWiseConv2d(%x, %w, %b, %stride, %pad, %dilation) :
    (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>, tensor<1x1x1x32xf32>, tensor<1x1x1x2xi32>,
    tensor<1x1x2x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x6x6x32xf32>`
    """

    name = "htp.DepthWiseConv2d"
    ACCESS = access(
        "in[b, h*stride.0+i*dilation.0-pad_amount.0:1, w*stride.1+j*dilation.1-pad_amount.2:3,"
        " d/m] * filter[i, j, 0, d] + bias[0, 0, 0, d]"
    )

    dilation = param_def(2, least=1)


class TransposeConv2dOp(ConvolutionOp):
    """The transpose of a convolution: each input pixel adds the filter to the result.

    in [b, h, w, c], filter [fh, fw, c, m / group], bias [1, 1, 1, m], stride [1, 1, 1, 2],
    pad_amount [1, 1, 2, 2] as top, bottom, left, right (cut off the full result), output_padding
    [1, 1, 1, 2] (added at the bottom and right), group a scalar. The result has height
    stride * (h - 1) + fh + output_padding - top - bottom.

    Constraints: (C1) the filter's depth is c; (C2) group divides c; (C3) the bias has depth m;
    (C4) the result is not empty; (C5) strides are >= 1, paddings >= 0.

    Example: `%r = htp.TransposeConv2d(%x, %w, %b, %stride, %pad, %extra, %group) :
    (tensor<1x8x8x32xf32>, tensor<3x3x32x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x2xi32>,
    tensor<1x1x2x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x17x17x64xf32>`
    """

    name = "htp.TransposeConv2d"

    output_padding = param_def(2, least=0)
    group = param_def(1, least=1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        (batch, *size, depth), (*taps, inputs, filters) = self.dims("in"), self.dims("filter")
        message = f"operand 'filter' has extent {inputs} in dim 2, operand 'in' gives {depth}"
        require(inputs == depth, self, f"{message}; they must be equal")
        stride, pads, extra, groups = (self.ints(name) for name in self.PARAMS)
        if stride is None or pads is None or extra is None or groups is None:
            return (None,)
        (group,) = groups
        message = f"param 'group' is {group}, it must divide the input's depth {depth}"
        require(depth % group == 0, self, message)
        has_shape(self, "bias", (1, 1, 1, filters * group))
        height, width = (
            stride[i] * (size[i] - 1) + taps[i] + extra[i] - sum(pads[2 * i : 2 * i + 2])
            for i in range(2)
        )
        require(min(height, width) >= 1, self, f"the result would be {height} x {width}")
        shape = (batch, height, width, filters * group)
        return (self.computed(product_of(self.like("in")).with_shape(shape)),)


OPS: tuple[type[NativeOp], ...] = (Conv2dOp, DepthWiseConv2dOp, TransposeConv2dOp)

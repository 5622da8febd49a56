"""The raw convolutions: params as operands, padding of their own.

Data is B H W D, filters H W I O. The core forms without padding are in conv_layer.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...checks import require
from ...spec_of import spec_of
from ...value.spec import TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import param_def, tensor_def
from ..guards import has_depth, has_shape, integer, is_number, product_of, same_kind, same_type
from ..windows import pads, pair, steps


class ConvolutionOp(NativeOp, ABC):
    """A convolution with in [b, h, w, c], a filter and a bias [1, 1, 1, m]."""

    in_ = tensor_def()
    filter = tensor_def()
    bias = tensor_def()
    stride = param_def()
    pad_amount = param_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_number(self, "in")
        same_type(self, "in", "filter")
        same_kind(self, "in", "bias")
        depth = self.verify_depths()
        has_depth(self, "bias", depth, "the filter makes")
        size = self.out_size()
        if size is None:
            return (None,)
        shape = (spec_of(self.in_).shape[0], *size, depth)
        return (self.computed(product_of(self.like("in")).with_shape(shape)),)

    @abstractmethod
    def verify_depths(self) -> int:
        """Check the filter's dims against the input; the depth of the result."""

    def out_size(self) -> tuple[int, int] | None:
        """Height and width of the result; None where a param is no constant."""
        stride, pad, dilation = pair(self, "stride", 1), pads(self), pair(self, "dilation", 1)
        if stride is None or pad is None or dilation is None:
            return None
        height, width = spec_of(self.in_).shape[1:3]
        reach = [(n - 1) * d + 1 for n, d in zip(self.dims("filter"), dilation, strict=False)]
        return (
            steps(self, height + sum(pad[0]), reach[0], stride[0], "height"),
            steps(self, width + sum(pad[1]), reach[1], stride[1], "width"),
        )

    def groups(self) -> int | None:
        """The param group, which divides the input's depth; None if it is no constant."""
        depth, group = spec_of(self.in_).shape[3], integer(self, "group")
        if group is None:
            return None
        fits = group >= 1 and depth % group == 0
        require(fits, self, f"param 'group' is {group}, it must divide the input's depth {depth}")
        return group


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

    dilation = param_def()
    group = param_def()

    def verify_depths(self) -> int:
        height, width, _, filters = self.dims("filter")
        group = self.groups()
        if group is not None:
            divides = filters % group == 0
            require(divides, self, f"param 'group' is {group}, the filter has {filters} filters")
            depth = spec_of(self.in_).shape[3] // group
            has_shape(self, "filter", (height, width, depth, filters))
        return filters


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

    dilation = param_def()

    def verify_depths(self) -> int:
        return depthwise_filters(self, "in", "filter")


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

    output_padding = param_def()
    group = param_def()

    def verify_depths(self) -> int:
        height, width, _, filters = self.dims("filter")
        has_shape(self, "filter", (height, width, spec_of(self.in_).shape[3], filters))
        group = self.groups()
        return spec_of(self.bias).shape[3] if group is None else filters * group

    def out_size(self) -> tuple[int, int] | None:
        stride, pad, extra = pair(self, "stride", 1), pads(self), pair(self, "output_padding", 0)
        if stride is None or pad is None or extra is None:
            return None
        lengths, sizes = spec_of(self.in_).shape[1:3], self.dims("filter")[:2]
        height, width = (
            stride[i] * (lengths[i] - 1) + sizes[i] + extra[i] - sum(pad[i]) for i in range(2)
        )
        require(min(height, width) >= 1, self, f"the result would be {height} x {width}")
        return height, width


def depthwise_filters(op: NativeOp, data: str, filters: str) -> int:
    """Check the filter [fh, fw, 1, c * m] of a depth-wise convolution; its c * m."""
    depth, (height, width, _, channels) = op.spec(data).shape[3], op.dims(filters)
    has_shape(op, filters, (height, width, 1, channels))
    fits = depth > 0 and channels % depth == 0
    message = f"operand '{filters}' has {channels} filters, the input has {depth} channels"
    require(fits, op, f"{message}; the filters must be a multiple of the channels")
    return channels


OPS: tuple[type[NativeOp], ...] = (Conv2dOp, DepthWiseConv2dOp, TransposeConv2dOp)

"""Convolutions, data NHWC, weights HWIO. Source: QNN op definitions."""

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require, text
from ...value import Kind, TensorSpec
from ..base import GraphOp, int_def, ints, ints_def
from ..guards import check_bias, check_weights, counted, tensor, window_extent


class Convolution(GraphOp):
    """Data, a filter and an optional bias; `pad_amount` is top, bottom, left, right.

    The filter may be quantised where the data is float.
    """

    inp = operand_def()
    filter = operand_def()
    bias = opt_operand_def()
    stride = ints_def(1, 1)
    pad_amount = ints_def(0, 0, 0, 0)
    out = result_def()

    traits = traits_def(Pure())

    def checked(self) -> tuple[TensorSpec, TensorSpec]:
        """Data and filter, with what all convolutions demand of them checked."""
        data = tensor(self, "inp", self.inp, Kind.REAL, rank=4)
        weights = tensor(self, "filter", self.filter, Kind.REAL, rank=4)
        check_weights(self, "filter", weights, data)
        message = f"operand 'filter' is {text(weights.shape)}, its window is empty"
        require(min(weights.shape[:2]) > 0, self, message)
        counted(self, "stride", ints(self.stride), 2, least=1)
        counted(self, "pad_amount", ints(self.pad_amount), 4, least=0)
        return data, weights

    def grouped(self, group: int, data: TensorSpec, inputs: int, per_group: bool) -> None:
        """Check the filter's input channels against the data's and the number of groups."""
        channels = data.shape[3]
        message = f"param 'group' is {group}, it must divide the {channels} input channels"
        require(group >= 1 and channels % group == 0, self, message)
        wanted = channels // group if per_group else channels
        message = f"operand 'filter' has {inputs} input channels, the data gives {wanted}"
        require(inputs == wanted, self, f"{message}; they must be equal")


class SlidingConvolution(Convolution):
    """A convolution that slides its filter over the data, with dilation."""

    dilation = ints_def(1, 1)

    def slid(self, data: TensorSpec, weights: TensorSpec, width: int) -> tuple[TensorSpec, ...]:
        """The result, [n, oh, ow, width]."""
        dilation = ints(self.dilation)
        counted(self, "dilation", dilation, 2, least=1)
        check_bias(self, self.bias, data, width, "output channels")
        reach = [(k - 1) * d + 1 for k, d in zip(weights.shape[:2], dilation, strict=True)]
        (sh, sw), (top, bottom, left, right) = ints(self.stride), ints(self.pad_amount)
        height = window_extent(self, data.shape[1], reach[0], sh, (top, bottom))
        across = window_extent(self, data.shape[2], reach[1], sw, (left, right))
        return (data.with_shape((data.shape[0], height, across, width)),)


@irdl_op_definition
class Conv2dOp(SlidingConvolution):
    """Slides [fh, fw, c / group, m] filters over [n, h, w, c] and adds bias[m].

    Constraints: (C1) inp and filter have rank 4; inp is a float or quantised, and the filter has
    its element type or is quantised; (C2) the filter's depth is c / group, and its window is not
    empty; (C3) group divides c and m; (C4) bias[m] has inp's element type; of quantised data it is
    quantised or i32; (C5) stride and dilation hold 2 integers >= 1, pad_amount 4 integers >= 0;
    (C6) the filter, dilated, fits into the padded input.

    Example: `%y = qti_aisw.Conv2d(%x, %w, bias = %b) {stride = array<i64: 2, 2>} :
    (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>`
    """

    name = "qti_aisw.Conv2d"

    group = int_def(1)

    def infer(self) -> tuple[TensorSpec, ...]:
        data, weights = self.checked()
        group, width = self.group.value.data, weights.shape[3]
        self.grouped(group, data, weights.shape[2], per_group=True)
        message = f"param 'group' is {group}, it must divide the {width} output channels"
        require(width % group == 0, self, message)
        return self.slid(data, weights, width)


@irdl_op_definition
class DepthWiseConv2dOp(SlidingConvolution):
    """Slides m filters over each channel on its own: filter [fh, fw, 1, c * m], bias[c * m].

    Constraints: (C1) inp and filter have rank 4; inp is a float or quantised, and the filter has
    its element type or is quantised; (C2) the filter's third dim is 1, c divides its last, and its
    window is not empty; (C3) bias[c * m] has inp's element type; of quantised data it is quantised
    or i32; (C4) stride and dilation hold 2 integers >= 1, pad_amount 4 integers >= 0; (C5) the
    filter, dilated, fits into the padded input.

    Example: `%y = qti_aisw.DepthWiseConv2d(%x, %w) {pad_amount = array<i64: 1, 1, 1, 1>} :
    (tensor<1x8x8x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x8x8x8xf32>`
    """

    name = "qti_aisw.DepthWiseConv2d"

    def infer(self) -> tuple[TensorSpec, ...]:
        data, weights = self.checked()
        one, width = weights.shape[2:]
        require(one == 1, self, f"operand 'filter' has depth {one} in dim 2, it must be 1")
        message = f"operand 'filter' has {width} output channels, the data {data.shape[3]} channels"
        whole = data.shape[3] > 0 and width % data.shape[3] == 0
        require(whole, self, f"{message}; the first must be a multiple of the second")
        return self.slid(data, weights, width)


@irdl_op_definition
class TransposeConv2dOp(Convolution):
    """Spreads [n, h, w, c] over a larger image; filter [fh, fw, c, m / group], bias[m].

    The extent is stride * (h - 1) + fh + output_padding - top - bottom.

    Constraints: (C1) inp and filter have rank 4; inp is a float or quantised, and the filter has
    its element type or is quantised; (C2) the filter's depth is c, and its window is not empty;
    (C3) group divides c; (C4) bias[m] has inp's element type; of quantised data it is quantised or
    i32; (C5) stride holds 2 integers >= 1, pad_amount 4 and output_padding 2 integers >= 0; (C6)
    output_padding is 0 or below the stride; (C7) the result is not empty.

    Example: `%y = qti_aisw.TransposeConv2d(%x, %w) {stride = array<i64: 2, 2>} :
    (tensor<1x4x4x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x8x8x8xf32>`
    """

    name = "qti_aisw.TransposeConv2d"

    output_padding = ints_def(0, 0)
    group = int_def(1)

    def infer(self) -> tuple[TensorSpec, ...]:
        data, weights = self.checked()
        group = self.group.value.data
        self.grouped(group, data, weights.shape[2], per_group=False)
        counted(self, "output_padding", ints(self.output_padding), 2, least=0)
        width = weights.shape[3] * group
        check_bias(self, self.bias, data, width, "output channels")
        extents = [self._extent(data, weights, dim) for dim in (0, 1)]
        return (data.with_shape((data.shape[0], *extents, width)),)

    def _extent(self, data: TensorSpec, weights: TensorSpec, dim: int) -> int:
        size, stride = data.shape[1 + dim], ints(self.stride)[dim]
        cut = sum(ints(self.pad_amount)[2 * dim : 2 * dim + 2])
        extra = ints(self.output_padding)[dim]
        message = f"param 'output_padding' holds {extra}, it must be below the stride {stride}"
        require(extra == 0 or extra < stride, self, message)
        extent = stride * (size - 1) + weights.shape[dim] + extra - cut
        require(extent >= 1, self, f"padding {cut} leaves nothing of the result's dim {1 + dim}")
        return extent


OPS: tuple[type[GraphOp], ...] = (Conv2dOp, DepthWiseConv2dOp, TransposeConv2dOp)

"""Pooling over height and width: the raw forms with padding, the core forms without."""

from ...value import Kind
from ..access import access
from ..base import NativeOp
from ..fields import param_def, shape_def, tensor_def


class PoolOp(NativeOp):
    """A pool over in [b, h, w, c] with padding; rounding_mode 1 lets the last window hang over."""

    ACCESS = access(
        "in[b, h*stride.0+i-pad_amount.0:1, w*stride.1+j-pad_amount.2:3, d]",
        i="filter_size.0",
        j="filter_size.1",
        hanging="rounding_mode",
    )

    in_ = tensor_def(Kind.NUMBER)
    filter_size = param_def(2, least=1)
    stride = param_def(2, least=1)
    pad_amount = param_def(4, least=0)
    rounding_mode = param_def(1, least=0, most=1)


class PoolMax2dOp(PoolOp):
    """out = the largest element of each window; padding never wins.

    in [b, h, w, c], filter_size and stride [1, 1, 1, 2], pad_amount [1, 1, 2, 2] as top, bottom,
    left, right, rounding_mode a scalar (0 floor, 1 ceil).

    Constraints: (C1) the window fits into the padded input; (C2) window and stride are >= 1, pads
    >= 0; (C3) rounding_mode is 0 or 1.

    Example: `%r = htp.PoolMax2d(%x, %size, %stride, %pad, %rounding) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x2x2xi32>,
    tensor<1x1x1x1xi32>) -> tensor<1x4x4x32xf32>`
    """

    name = "htp.PoolMax2d"


class PoolAvg2dOp(PoolOp):
    """out = the mean of each window.

    As PoolMax2d, and count_pad_for_edges a scalar: 1 counts the padding into the divisor.

    Constraints: (C1) the window fits into the padded input; (C2) window and stride are >= 1, pads
    >= 0; (C3) rounding_mode is 0 or 1; (C4) count_pad_for_edges is 0 or 1.

    Example: `%r = htp.PoolAvg2d(%x, %size, %stride, %pad, %rounding, %count) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x2x2xi32>,
    tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x32xf32>`
    """

    name = "htp.PoolAvg2d"

    count_pad_for_edges = param_def(1, least=0, most=1)


class PoolValidOp(NativeOp):
    """A pool over act [b, h, w, c] without padding; window and stride are shapes 1xHxWx1."""

    ACCESS = access("act[b, h*stride.1+i, w*stride.2+j, d]", i="window.1", j="window.2")

    act = tensor_def(Kind.NUMBER)
    window = shape_def(plane=True)
    stride = shape_def(plane=True)


class MaxPoolValidOp(PoolValidOp):
    """out = the largest element of each window.

    act [b, h, w, c], window and stride !htp.shape<1xHxWx1>.

    Constraints: (C1) the window fits into the activations.

    Example: `%r = htp.MaxPool_valid(%x, %window, %stride) :
    (tensor<1x8x8x32xf32>, !htp.shape<1x3x3x1>, !htp.shape<1x2x2x1>) -> tensor<1x3x3x32xf32>`
    """

    name = "htp.MaxPool_valid"


class AvgPoolValidOp(PoolValidOp):
    """out = the mean of each window.

    act [b, h, w, c], window and stride !htp.shape<1xHxWx1>.

    Constraints: (C1) the window fits into the activations.

    Example: `%r = htp.AvgPool_valid(%x, %window, %stride) :
    (tensor<1x8x8x32xf32>, !htp.shape<1x8x8x1>, !htp.shape<1x1x1x1>) -> tensor<1x1x1x32xf32>`
    """

    name = "htp.AvgPool_valid"


OPS: tuple[type[NativeOp], ...] = (PoolMax2dOp, PoolAvg2dOp, MaxPoolValidOp, AvgPoolValidOp)

"""Images of height 1 that ONNX has as rows [n, c, w], which Conv and the pools take, too."""

from xdsl.ir import Operation, SSAValue

from ....dialects.qti_aisw.base import ints
from ....dialects.qti_aisw.ops.const import ConstOp
from ....dialects.qti_aisw.ops.convolution import Convolution, SlidingConvolution, TransposeConv2dOp
from ....dialects.qti_aisw.ops.movement import ReshapeOp, TransposeOp
from ....dialects.qti_aisw.ops.pool import Pool
from ....dialects.spec_of import spec_of
from ...importers.graph.value import stored_constant


def is_row(image: SSAValue) -> bool:
    """Tell whether what reads an image of height 1 are windows along it, and Reshapes at the end.

    A model of two spatial dims reads it by other ops, too, and keeps it as an image.
    """
    shape, left = spec_of(image).shape, [image]
    if len(shape) != 4 or shape[1] != 1:
        return False
    windows = 0
    while left:
        for use in left.pop().uses:
            op = use.operation
            if is_along(op) and not use.index:
                left.append(op.results[0])
                windows += 1
            elif not isinstance(op, ReshapeOp):
                return False
    return windows > 0


def is_along(op: Operation) -> bool:
    """Tell whether the windows of an op have height 1, and no padding above and below.

    A filter that is computed has a height in the model, unless it is a view of something else.
    """
    if isinstance(op, Convolution):
        height = spec_of(op.filter).shape[0] if _is_row_of_taps(op.filter) else 0
    elif isinstance(op, Pool):
        height = ints(op.filter_size)[0]
    else:
        return False
    steps, between = ints(op.stride)[0], 1
    if isinstance(op, SlidingConvolution):
        between = ints(op.dilation)[0]
    elif isinstance(op, TransposeConv2dOp):
        between += ints(op.output_padding)[0]
    return (height, steps, between, *ints(op.pad_amount)[:2]) == (1, 1, 1, 0, 0)


def _is_row_of_taps(taps: SSAValue) -> bool:
    """Tell whether a filter is constant, or a Reshape, which may be transposed."""
    maker = taps.owner
    if isinstance(maker, TransposeOp):
        maker = maker.inp.owner
    return isinstance(maker, ConstOp | ReshapeOp) or stored_constant(taps) is not None

"""Schemas of convolutions and pools."""

from __future__ import annotations

from xdsl.ir import Operation

from .....dialects.htp.ops import conv_layer, convolution, pool
from .....dialects.htp.ops.conv_layer import column_depth
from ..constraint_system import IntVar
from ..template import GraphTemplate, OpTemplate, Slot
from .common import FACTORS, Schema, ints, kind_of, numbers, pads, plane, product, row, window
from .elementwise import bounds

_STRIDE = 2


def convolution_valid(template: GraphTemplate, op: OpTemplate) -> None:
    """A convolution without padding, with what its leaf has of bias and bounds."""
    act, filters, result = op.slot("act"), op.slot("weights"), op.results[0]
    _factors(template, act, filters, result)
    _channels(template, act, filters, result, depthwise=_is_depthwise(op))
    strides = plane(template, op.slot("stride"))
    for dim in (1, 2):
        taps, step = filters.dims[dim - 1], strides[dim - 1]
        window(template, result.dims[dim], act.dims[dim], taps, step)
    if "bias" in op.names:
        row(template, op.slot("bias"), result.dims[3])
        kind_of(template, op.slot("bias"), act)
    if "min" in op.names:
        bounds(template, op)


def convolution_raw(template: GraphTemplate, op: OpTemplate) -> None:
    """A convolution with padding, dilation and, where it has them, groups."""
    data, filters, result = op.slot("in"), op.slot("filter"), op.results[0]
    _factors(template, data, filters, result)
    row(template, op.slot("bias"), result.dims[3])
    kind_of(template, op.slot("bias"), data)
    groups = _groups(template, op) if "group" in op.names else None
    _channels(template, data, filters, result, _is_depthwise(op), groups)
    strides = plane(template, op.slot("stride"))
    spacings = plane(template, op.slot("dilation"))
    padding = pads(template, op.slot("pad_amount"), filters.dims[:2])
    for dim in (1, 2):
        window(
            template,
            result.dims[dim],
            data.dims[dim],
            filters.dims[dim - 1],
            strides[dim - 1],
            pad=padding[dim - 1],
            dilation=spacings[dim - 1],
        )


def convolution_transposed(template: GraphTemplate, op: OpTemplate) -> None:
    """The transpose of a convolution, of one group."""
    data, filters, result = op.slot("in"), op.slot("filter"), op.results[0]
    _factors(template, data, filters, result)
    row(template, op.slot("bias"), result.dims[3])
    kind_of(template, op.slot("bias"), data)
    ints(template, op.slot("group"), 1)
    _channels(template, data, filters, result)
    strides = plane(template, op.slot("stride"))
    padding = pads(template, op.slot("pad_amount"), filters.dims[:2])
    extra = [template.number(0, spread=2) for _ in range(2)]
    ints(template, op.slot("output_padding"), *extra)
    for dim in (1, 2):
        before, after = padding[dim - 1]
        sources = [data.dims[dim], filters.dims[dim - 1], strides[dim - 1], before, after]

        def size(n: int, f: int, s: int, b: int, a: int, more: int) -> int:
            return s * (n - 1) + f + more - b - a

        template.derive(result.dims[dim], [*sources, extra[dim - 1]], size)


def convolution_side_by_side(template: GraphTemplate, op: OpTemplate) -> None:
    """The transpose of a convolution, whose stride is the filter's size."""
    act, filters, result = op.slot("act"), op.slot("weights"), op.results[0]
    _factors(template, act, filters, result)
    _channels(template, act, filters, result)
    row(template, op.slot("bias"), result.dims[3])
    kind_of(template, op.slot("bias"), act)
    for dim, stride in zip((1, 2), plane(template, op.slot("stride")), strict=True):
        stride.join(filters.dims[dim - 1])
        product(template, result.dims[dim], act.dims[dim], stride)


def pool_valid(template: GraphTemplate, op: OpTemplate) -> None:
    """A pool without padding."""
    act, result = op.slot("act"), op.results[0]
    _same_channels(template, act, result)
    taps, strides = plane(template, op.slot("window")), plane(template, op.slot("stride"))
    for dim in (1, 2):
        window(template, result.dims[dim], act.dims[dim], taps[dim - 1], strides[dim - 1])


def pool_raw(template: GraphTemplate, op: OpTemplate) -> None:
    """A pool with padding; with rounding mode 1 the last window may hang over."""
    data, result = op.slot("in"), op.results[0]
    _same_channels(template, data, result)
    taps, strides = plane(template, op.slot("filter_size")), plane(template, op.slot("stride"))
    padding = pads(template, op.slot("pad_amount"), taps)
    hangs = template.choices.chance(50)
    ints(template, op.slot("rounding_mode"), int(hangs))
    if "count_pad_for_edges" in op.names:
        ints(template, op.slot("count_pad_for_edges"), template.number(0, 1))
    for dim in (1, 2):
        out, length, size, step = result.dims[dim], data.dims[dim], taps[dim - 1], strides[dim - 1]
        if hangs:
            template.derive(out, [length, size, step, *padding[dim - 1]], _hanging)
        else:
            window(template, out, length, size, step, pad=padding[dim - 1])


def im2col(template: GraphTemplate, op: OpTemplate) -> None:
    """Windows of stride 2 along the depth."""
    act, filters, result = op.slot("act"), op.slot("weights_shape"), op.results[0]
    numbers(template, act)
    template.same_encoding(act, result)
    template.dims_are(
        filters, (*(template.number(1) for _ in range(2)), act.dims[3], template.number(1))
    )
    result.dims[0].join(act.dims[0])
    step = template.number(_STRIDE, _STRIDE)
    for dim in (1, 2):
        window(template, result.dims[dim], act.dims[dim], filters.dims[dim - 1], step)
    template.derive(result.dims[3], filters.dims, lambda *dims: column_depth(dims))


def weights_for_im2col(template: GraphTemplate, op: OpTemplate) -> None:
    """Filters as a matrix."""
    filters, result = op.slot("weights"), op.results[0]
    template.same_encoding(filters, result)
    template.dims_are(result, (1, 1, template.number(1), filters.dims[3]))
    template.derive(result.dims[2], filters.dims, lambda *dims: column_depth(dims))


def _hanging(length: int, taps: int, step: int, before: int, after: int) -> int | None:
    """How many windows start inside the data or the padding before it."""
    room = length + before + after - taps
    if room < 0:
        return None
    full = room // step + 1
    return full + (room % step > 0 and full * step < length + before)


def _is_depthwise(op: OpTemplate) -> bool:
    depthwise = (conv_layer.DepthwiseValidOp, convolution.DepthWiseConv2dOp)
    return issubclass(op.op_class, depthwise)


def _factors(template: GraphTemplate, data: Slot, filters: Slot, result: Slot) -> None:
    for slot in (data, filters, result):
        template.dtype_in(slot, *FACTORS)
        template.same_dtype(data, slot)


def _channels(
    template: GraphTemplate,
    data: Slot,
    filters: Slot,
    result: Slot,
    depthwise: bool = False,
    groups: IntVar | None = None,
) -> None:
    """Batches, and how the depths of data, filters and result go together."""
    result.dims[0].join(data.dims[0])
    result.dims[3].join(filters.dims[3])
    if depthwise:
        filters.dims[2].narrow(1, 1)
        product(template, filters.dims[3], data.dims[3], template.number(1, spread=2))
    elif groups is None:
        filters.dims[2].join(data.dims[3])
    else:
        product(template, data.dims[3], filters.dims[2], groups)
        product(template, filters.dims[3], groups, template.number(1, spread=3))


def _groups(template: GraphTemplate, op: OpTemplate) -> IntVar:
    groups = template.number(1, spread=2)
    ints(template, op.slot("group"), groups)
    return groups


def _same_channels(template: GraphTemplate, data: Slot, result: Slot) -> None:
    numbers(template, data, result)
    for dim in (0, 3):
        result.dims[dim].join(data.dims[dim])


SCHEMAS: dict[type[Operation], Schema] = {
    conv_layer.TransposeConvLayerValidOp: convolution_side_by_side,
    conv_layer.ConvValidOp: convolution_valid,
    conv_layer.Im2colStride2Op: im2col,
    conv_layer.WeightsForIm2colOp: weights_for_im2col,
    convolution.ConvolutionOp: convolution_raw,
    convolution.TransposeConv2dOp: convolution_transposed,
    pool.PoolValidOp: pool_valid,
    pool.PoolOp: pool_raw,
}

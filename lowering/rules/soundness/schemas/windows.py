"""Schemas of convolutions and pools."""

from __future__ import annotations

from xdsl.ir import Operation

from .....dialects.htp.ops import conv_layer, convolution, pool
from .....dialects.htp.ops.conv_layer import column_depth
from ..sketch import Site, Sketch, Slot
from ..unknowns import Unknown
from .common import FACTORS, Schema, ints, kind_of, numbers, pads, plane, product, row, window
from .elementwise import bounds

_STRIDE = 2


def convolution_valid(sketch: Sketch, site: Site) -> None:
    """A convolution without padding, with what its leaf has of bias and bounds."""
    act, filters, result = site.slot("act"), site.slot("weights"), site.results[0]
    _factors(sketch, act, filters, result)
    _channels(sketch, act, filters, result, depthwise=_is_depthwise(site))
    strides = plane(sketch, site.slot("stride"))
    for dim in (1, 2):
        taps, step = filters.dims[dim - 1], strides[dim - 1]
        window(sketch, result.dims[dim], act.dims[dim], taps, step)
    if "bias" in site.names:
        row(sketch, site.slot("bias"), result.dims[3])
        kind_of(sketch, site.slot("bias"), act)
    if "min" in site.names:
        bounds(sketch, site)


def convolution_raw(sketch: Sketch, site: Site) -> None:
    """A convolution with padding, dilation and, where it has them, groups."""
    data, filters, result = site.slot("in"), site.slot("filter"), site.results[0]
    _factors(sketch, data, filters, result)
    row(sketch, site.slot("bias"), result.dims[3])
    kind_of(sketch, site.slot("bias"), data)
    groups = _groups(sketch, site) if "group" in site.names else None
    _channels(sketch, data, filters, result, _is_depthwise(site), groups)
    strides = plane(sketch, site.slot("stride"))
    spacings = plane(sketch, site.slot("dilation"))
    padding = pads(sketch, site.slot("pad_amount"), filters.dims[:2])
    for dim in (1, 2):
        window(
            sketch,
            result.dims[dim],
            data.dims[dim],
            filters.dims[dim - 1],
            strides[dim - 1],
            pad=padding[dim - 1],
            dilation=spacings[dim - 1],
        )


def convolution_transposed(sketch: Sketch, site: Site) -> None:
    """The transpose of a convolution, of one group."""
    data, filters, result = site.slot("in"), site.slot("filter"), site.results[0]
    _factors(sketch, data, filters, result)
    row(sketch, site.slot("bias"), result.dims[3])
    kind_of(sketch, site.slot("bias"), data)
    ints(sketch, site.slot("group"), 1)
    _channels(sketch, data, filters, result)
    strides = plane(sketch, site.slot("stride"))
    padding = pads(sketch, site.slot("pad_amount"), filters.dims[:2])
    extra = [sketch.number(0, spread=2) for _ in range(2)]
    ints(sketch, site.slot("output_padding"), *extra)
    for dim in (1, 2):
        before, after = padding[dim - 1]
        sources = [data.dims[dim], filters.dims[dim - 1], strides[dim - 1], before, after]

        def size(n: int, f: int, s: int, b: int, a: int, more: int) -> int:
            return s * (n - 1) + f + more - b - a

        sketch.derive(result.dims[dim], [*sources, extra[dim - 1]], size)


def convolution_side_by_side(sketch: Sketch, site: Site) -> None:
    """The transpose of a convolution, whose stride is the filter's size."""
    act, filters, result = site.slot("act"), site.slot("weights"), site.results[0]
    _factors(sketch, act, filters, result)
    _channels(sketch, act, filters, result)
    row(sketch, site.slot("bias"), result.dims[3])
    kind_of(sketch, site.slot("bias"), act)
    for dim, stride in zip((1, 2), plane(sketch, site.slot("stride")), strict=True):
        stride.join(filters.dims[dim - 1])
        product(sketch, result.dims[dim], act.dims[dim], stride)


def pool_valid(sketch: Sketch, site: Site) -> None:
    """A pool without padding."""
    act, result = site.slot("act"), site.results[0]
    _same_channels(sketch, act, result)
    taps, strides = plane(sketch, site.slot("window")), plane(sketch, site.slot("stride"))
    for dim in (1, 2):
        window(sketch, result.dims[dim], act.dims[dim], taps[dim - 1], strides[dim - 1])


def pool_raw(sketch: Sketch, site: Site) -> None:
    """A pool with padding; with rounding mode 1 the last window may hang over."""
    data, result = site.slot("in"), site.results[0]
    _same_channels(sketch, data, result)
    taps, strides = plane(sketch, site.slot("filter_size")), plane(sketch, site.slot("stride"))
    padding = pads(sketch, site.slot("pad_amount"), taps)
    hangs = sketch.choices.chance(50)
    ints(sketch, site.slot("rounding_mode"), int(hangs))
    if "count_pad_for_edges" in site.names:
        ints(sketch, site.slot("count_pad_for_edges"), sketch.number(0, 1))
    for dim in (1, 2):
        out, length, size, step = result.dims[dim], data.dims[dim], taps[dim - 1], strides[dim - 1]
        if hangs:
            sketch.derive(out, [length, size, step, *padding[dim - 1]], _hanging)
        else:
            window(sketch, out, length, size, step, pad=padding[dim - 1])


def im2col(sketch: Sketch, site: Site) -> None:
    """Windows of stride 2 along the depth."""
    act, filters, result = site.slot("act"), site.slot("weights_shape"), site.results[0]
    numbers(sketch, act)
    sketch.same_encoding(act, result)
    sketch.dims_are(filters, (*(sketch.number(1) for _ in range(2)), act.dims[3], sketch.number(1)))
    result.dims[0].join(act.dims[0])
    step = sketch.number(_STRIDE, _STRIDE)
    for dim in (1, 2):
        window(sketch, result.dims[dim], act.dims[dim], filters.dims[dim - 1], step)
    sketch.derive(result.dims[3], filters.dims, lambda *dims: column_depth(dims))


def weights_for_im2col(sketch: Sketch, site: Site) -> None:
    """Filters as a matrix."""
    filters, result = site.slot("weights"), site.results[0]
    sketch.same_encoding(filters, result)
    sketch.dims_are(result, (1, 1, sketch.number(1), filters.dims[3]))
    sketch.derive(result.dims[2], filters.dims, lambda *dims: column_depth(dims))


def _hanging(length: int, taps: int, step: int, before: int, after: int) -> int | None:
    """How many windows start inside the data or the padding before it."""
    room = length + before + after - taps
    if room < 0:
        return None
    full = room // step + 1
    return full + (room % step > 0 and full * step < length + before)


def _is_depthwise(site: Site) -> bool:
    depthwise = (conv_layer.DepthwiseValidOp, convolution.DepthWiseConv2dOp)
    return issubclass(site.op_class, depthwise)


def _factors(sketch: Sketch, data: Slot, filters: Slot, result: Slot) -> None:
    for slot in (data, filters, result):
        sketch.dtype_in(slot, *FACTORS)
        sketch.same_dtype(data, slot)


def _channels(
    sketch: Sketch,
    data: Slot,
    filters: Slot,
    result: Slot,
    depthwise: bool = False,
    groups: Unknown | None = None,
) -> None:
    """Batches, and how the depths of data, filters and result go together."""
    result.dims[0].join(data.dims[0])
    result.dims[3].join(filters.dims[3])
    if depthwise:
        filters.dims[2].narrow(1, 1)
        product(sketch, filters.dims[3], data.dims[3], sketch.number(1, spread=2))
    elif groups is None:
        filters.dims[2].join(data.dims[3])
    else:
        product(sketch, data.dims[3], filters.dims[2], groups)
        product(sketch, filters.dims[3], groups, sketch.number(1, spread=3))


def _groups(sketch: Sketch, site: Site) -> Unknown:
    groups = sketch.number(1, spread=2)
    ints(sketch, site.slot("group"), groups)
    return groups


def _same_channels(sketch: Sketch, data: Slot, result: Slot) -> None:
    numbers(sketch, data, result)
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

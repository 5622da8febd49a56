"""Schemas of windows that no access relation describes: transposed, hanging over, laid out."""

from __future__ import annotations

from .....dialects.htp.ops.conv_layer import column_depth
from ..sketch import Site, Sketch
from .common import FACTORS, ints, kind_of, numbers, pads, plane, row, window

_STRIDE = 2


def convolution_transposed(sketch: Sketch, site: Site) -> None:
    """The transpose of a convolution, of one group."""
    data, filters, result = site.slot("in"), site.slot("filter"), site.results[0]
    for slot in (data, filters, result):
        sketch.dtype_in(slot, *FACTORS)
        sketch.same_dtype(data, slot)
    row(sketch, site.slot("bias"), result.dims[3])
    kind_of(sketch, site.slot("bias"), data)
    ints(sketch, site.slot("group"), 1)
    result.dims[0].join(data.dims[0])
    result.dims[3].join(filters.dims[3])
    filters.dims[2].join(data.dims[3])
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


def pool_raw(sketch: Sketch, site: Site) -> None:
    """A pool with padding; with rounding mode 1 the last window may hang over."""
    data, result = site.slot("in"), site.results[0]
    numbers(sketch, data, result)
    for dim in (0, 3):
        result.dims[dim].join(data.dims[dim])
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

"""Schemas of windows that no access map describes: transposed, laid out along the depth."""

from __future__ import annotations

from .....dialects.htp.ops.conv_layer import column_depth
from .....dialects.value.kinds import Kind
from ..drawing.template import GraphTemplate, OpTemplate
from .common import ints, kind_of, members, numbers, pads, plane, row, window

_STRIDE = 2


def convolution_transposed(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw the transpose of a convolution, of one group."""
    data, filters, result = op.slot("in"), op.slot("filter"), op.results[0]
    for slot in (data, filters, result):
        template.dtype_in(slot, *members(Kind.FACTOR))
        template.same_dtype(data, slot)
    row(template, op.slot("bias"), result.dims[3])
    kind_of(template, op.slot("bias"), data)
    ints(template, op.slot("group"), 1)
    result.dims[0].join(data.dims[0])
    result.dims[3].join(filters.dims[3])
    filters.dims[2].join(data.dims[3])
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


def im2col(template: GraphTemplate, op: OpTemplate) -> None:
    """Lay windows of stride 2 along the depth."""
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
    """Lay filters out as a matrix."""
    filters, result = op.slot("weights"), op.results[0]
    template.same_encoding(filters, result)
    template.dims_are(result, (1, 1, template.number(1), filters.dims[3]))
    template.derive(result.dims[2], filters.dims, lambda *dims: column_depth(dims))

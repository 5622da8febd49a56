"""MaxRoiPool: the largest element of each cell of a region, by masks along one axis at a time.

A cell is an interval of rows times one of columns, so its maximum is that over rows, then columns:
p + q masks for p * q cells, whose edges may be data. Source: ONNX operator spec; the rounding of
ONNX Runtime.
"""

from __future__ import annotations

from math import inf

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.spec_of import plain_element_type
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ..activation import plus, times
from ..tensors.steps import concat, like, piece
from .taps import bounded, linear

ONNX = ImporterSet(keeps_stored=False)

_Edges = tuple[SSAValue, SSAValue]
"""The first element of each cell and the one behind its last, [regions, cells], in floats."""


@ONNX.importer("MaxRoiPool")
def max_roi_pool(ctx: NodeContext) -> list[SSAValue]:
    """MaxRoiPool: cells without elements are 0."""
    x, regions = ctx.value(0), ctx.value(1)
    cells = ctx.integers("pooled_shape") or ()
    problem = f"attribute 'pooled_shape' is {list(cells)}"
    ctx.require(len(cells) == 2 and min(cells) > 0, problem, "give it two numbers >= 1")
    to = plain_element_type(DType.Int32)
    batches = ctx.emit("Cast", piece(ctx, regions, {1: (0, 1, 1)}), to=to)
    count = ctx.shape(regions)[0]
    values = ctx.emit("Gather", x, ctx.reshape(batches, (count,)), axis=0)
    filled = []
    for axis in (2, 3):
        number = cells[axis - 2]
        edges = _edges(ctx, regions, axis, number, ctx.shape(x)[axis])
        parts = [_largest(ctx, values, edges, axis, cell) for cell in range(number)]
        values = concat(ctx, parts, axis=axis)
        some = ctx.emit("ElementWiseGreater", edges[1], edges[0])
        filled.append(ctx.reshape(some, (count, 1, *((number, 1) if axis == 2 else (1, number)))))
    some = ctx.emit("ElementWiseAnd", *filled)
    return [ctx.emit("ElementWiseSelect", some, values, ctx.scalar(0, values))]


def _edges(ctx: NodeContext, regions: SSAValue, axis: int, cells: int, size: int) -> _Edges:
    """Return where the cells of each region begin and end along an axis of the image."""
    # A region is its batch entry, then x and y of its first corner, then of its last.
    start, end = (
        _rounded(ctx, linear(ctx, one, ctx.real("spatial_scale", 1.0), 0))
        for at in (4 - axis, 6 - axis)
        for one in [piece(ctx, regions, {1: (at, at + 1, 1)})]
    )
    extent = linear(ctx, ctx.emit("ElementWiseSubtract", end, start), 1, 1)
    extent = ctx.emit("ElementWiseMaximum", extent, ctx.scalar(1, extent))
    width = ctx.emit("ElementWiseDivide", extent, ctx.scalar(cells, extent))
    first, last = (
        times(ctx, width, like(ctx, np.arange(cells)[None] + shift, width)) for shift in (0, 1)
    )
    first, last = ctx.emit("ElementWiseFloor", first), ctx.emit("ElementWiseCeil", last)
    # `size` is the place behind the last element.
    begins, ends = (bounded(ctx, plus(ctx, start, at), size + 1) for at in (first, last))
    return begins, ends


def _rounded(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """Return the nearest whole numbers, halves away from 0."""
    up = ctx.emit("ElementWiseFloor", linear(ctx, ctx.emit("ElementWiseAbs", x), 1, 0.5))
    return times(ctx, up, ctx.emit("ElementWiseSign", x))


def _largest(ctx: NodeContext, values: SSAValue, edges: _Edges, axis: int, cell: int) -> SSAValue:
    """Return the largest elements of a cell along an axis, which keeps the extent 1."""
    count, size = ctx.shape(values)[0], ctx.shape(values)[axis]
    begin, end = (
        ctx.reshape(piece(ctx, edge, {1: (cell, cell + 1, 1)}), (count, 1, 1, 1)) for edge in edges
    )
    dims = (1, 1, size, 1) if axis == 2 else (1, 1, 1, size)
    places = like(ctx, np.arange(size).reshape(dims), begin)
    above = ctx.emit("ElementWiseGreaterEqual", places, begin)
    within = ctx.emit("ElementWiseAnd", above, ctx.emit("ElementWiseLess", places, end))
    kept = ctx.emit("ElementWiseSelect", within, values, ctx.scalar(-inf, values))
    return ctx.emit("ReduceMax", kept, axes=[axis], keep_dims=True)

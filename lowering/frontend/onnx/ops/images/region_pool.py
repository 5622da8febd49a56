"""MaxRoiPool: the largest element of each cell of a region, by masks along one axis at a time.

A cell is an interval of rows times one of columns, so its maximum is that over rows, then columns:
p + q masks for p * q cells, whose edges may be data. Source: ONNX operator spec; the rounding of
ONNX Runtime.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ......dialects.value.dtypes import DType
from ....graph.value import Value, concat, where
from ...support.binding import Ints
from ...support.faults import require
from ...support.registry import ImporterSet
from ..tensors.steps import linear
from .sampling import bounded

ONNX = ImporterSet(keeps_stored=False)

_Edges = tuple[Value, Value]
"""The first element of each cell and the one behind its last, [regions, cells], in floats."""


@ONNX.importer("MaxRoiPool")
def max_roi_pool(
    x: Value, regions: Value, *, pooled_shape: Ints, spatial_scale: float = 1.0
) -> Value:
    """MaxRoiPool: cells without elements are 0."""
    cells, count = pooled_shape, regions.shape[0]
    problem = f"attribute 'pooled_shape' is {list(cells)}"
    require(len(cells) == 2 and min(cells) > 0, problem, "give it two numbers >= 1")
    values = x.gather(regions[:, :1].cast(DType.Int32).reshape(count))
    filled = []
    for axis, number in zip((2, 3), cells, strict=True):
        edges = _edges(regions, axis, number, x.shape[axis], spatial_scale)
        values = concat([_largest(values, edges, axis, cell) for cell in range(number)], axis)
        some = edges[1] > edges[0]
        filled.append(some.reshape(count, 1, *((number, 1) if axis == 2 else (1, number))))
    return where(filled[0] & filled[1], values, 0)


def _edges(regions: Value, axis: int, cells: int, size: int, scale: float) -> _Edges:
    """Return where the cells of each region begin and end along an axis of the image."""
    # A region is its batch entry, then x and y of its first corner, then of its last.
    corners = (linear(regions[:, at : at + 1], scale, 0) for at in (4 - axis, 6 - axis))
    # The nearest whole numbers, halves away from 0.
    start, end = (linear(x.abs(), 1, 0.5).floor() * x.sign() for x in corners)
    width = linear(end - start, 1, 1).maximum(1) / cells
    first, last = (width * (np.arange(cells)[None] + shift) for shift in (0, 1))
    first, last = first.floor(), last.ceil()
    # `size` is the place behind the last element.
    begins, ends = (bounded(start + at, size + 1) for at in (first, last))
    return begins, ends


def _largest(values: Value, edges: _Edges, axis: int, cell: int) -> Value:
    """Return the largest elements of a cell along an axis, which keeps the extent 1."""
    count, size = values.shape[0], values.shape[axis]
    begin, end = (edge[:, cell : cell + 1].reshape(count, 1, 1, 1) for edge in edges)
    places = begin.like(np.arange(size).reshape((1, 1, size, 1) if axis == 2 else (1, 1, 1, size)))
    within = (places >= begin) & (places < end)
    return where(within, values, -inf).reduce("Max", [axis])

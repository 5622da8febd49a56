"""Values between the elements of an image: a Gather per tap, weighted by how near the tap is.

GridSample samples so, and AffineGrid says where; RoiAlign reads each region at samples, of which
NonMaxSuppression keeps the best.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from .....dialects.spec_of import Array, text
from .....dialects.value import DType
from ...graph.value import Value, concat, where
from ...support.registry import ImporterSet, Ints, NodeFault, require
from ...support.types import require_few
from ..tensors.casts import real_of, rounded
from ..tensors.steps import linear

ONNX = ImporterSet(keeps_stored=False)

OFFSETS = {"nearest": (0,), "linear": (0, 1), "cubic": (-1, 0, 1, 2)}
"""Taps beside the element before the place, by the mode."""

PADDINGS = ("zeros", "border", "reflection")
"""The values of taps outside: none, the last element's, or those as far from the end inside."""

_CUBIC = -0.75


@dataclass(frozen=True)
class WeightedTap:
    """Index of an element along some axes, and its weight; without one it is 1."""

    index: Value
    weight: Value | None


def weighted(
    table: Value, first: Value, spatial: Sequence[int], per_axis: Sequence[Sequence[WeightedTap]]
) -> list[Value]:
    """Return the weighted rows [..., channels] of a table, one value per combination of taps.

    `first` is the row, [..., 1], of the first element of the image that a place lies in.
    """
    return [_part(table, first, spatial, taps) for taps in product(*per_axis)]


def total(parts: Sequence[Value]) -> Value:
    """Return the sum of some values."""
    return reduce(Value.__add__, parts)


def _part(table: Value, first: Value, spatial: Sequence[int], taps: Sequence[WeightedTap]) -> Value:
    index = first
    for step, tap in enumerate(taps):
        index = tap.index * prod(spatial[step + 1 :]) + index
    part = table.gather(index.reshape(*index.shape[:-1]))
    weights = (tap.weight.cast(part.dtype) for tap in taps if tap.weight is not None)
    return reduce(Value.__mul__, weights, part)


def widened(*values: Value) -> list[Value]:
    """Return values in one float with digits for places: f32, or f64 where one of them needs it."""
    reals = {real_of(value.dtype) for value in values}
    dtype = DType.Float64 if DType.Float64 in reals else DType.Float32
    return [value.cast(dtype) for value in values]


def inside(at: Value, low: float, high: float) -> Value:
    """Tell which places lie in [low, high]."""
    return (at >= low) & (at <= high)


def bounded(x: Value, size: int) -> Value:
    """Return places drawn in to the first and the last of `size` elements."""
    return x.clip(0.0, size - 1.0)


@dataclass(frozen=True)
class ImageAxis:
    """An axis of `size` elements: how places between them are read, and what lies beyond its ends.

    Reflection is at `low` and `high`.
    """

    size: int
    mode: str = "linear"
    padding: str = "zeros"
    low: float = 0.0
    high: float = 0.0

    def taps(self, place: Value) -> list[WeightedTap]:
        """Return the taps for places, counted in elements."""
        place = place.round() if self.mode == "nearest" else place
        before = place.floor()
        rest = place - before
        return [self._tap(before, rest, offset) for offset in OFFSETS[self.mode]]

    def _tap(self, before: Value, rest: Value, offset: int) -> WeightedTap:
        at = linear(before, 1, offset)
        weight = None if self.mode == "nearest" else self._weight(rest, offset)
        at = self._reflected(at) if self.padding == "reflection" else at
        if self.padding == "zeros":
            zero, one = at.like(0), at.like(1)
            kept = inside(at, 0, self.size - 1)
            weight = where(kept, one if weight is None else weight, zero)
        return WeightedTap(bounded(at, self.size).cast(DType.Int32), weight)

    def _weight(self, rest: Value, offset: int) -> Value:
        """Return the weight of a tap, as a polynomial of the way past the element before."""
        a = _CUBIC
        if self.mode == "linear":
            return linear(rest, 1 if offset else -1, 0 if offset else 1)
        far, near = (a, -5 * a, 8 * a, -4 * a), (a + 2, -a - 3, 0.0, 1.0)
        sign = -1 if offset > 0 else 1
        distance = linear(rest, sign, abs(offset))
        first, *others = far if offset in (-1, 2) else near
        value = linear(distance, first, others[0])
        for coefficient in others[1:]:
            value = linear(value * distance, 1, coefficient)
        return value

    def _reflected(self, x: Value) -> Value:
        """Return places folded back at both ends; what lies inside stays."""
        span = self.high - self.low
        if span == 0:
            return bounded(x, self.size)
        period = x.like(2 * span)
        way = linear(x, 1, -self.low) % period
        return linear(way.minimum(period - way), 1, self.low)


_MODES = {"bilinear": "linear", "bicubic": "cubic"}
"""Names of before opset 20."""


@ONNX.importer("GridSample")
def grid_sample(
    x: Value,
    grid: Value,
    *,
    mode: str = "linear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Value:
    """GridSample of any number of spatial dims; the nearest element keeps its type all the way."""
    dtype, form = x.dtype, _MODES.get(mode, mode)
    require(form in OFFSETS, f"attribute 'mode' is {mode}")
    if form == "nearest":
        (grid,) = widened(grid)
    else:
        x, grid = widened(x, grid)
    batch, channels, *spatial = x.shape
    places, rank = prod(grid.shape[1:-1]), len(spatial)
    flat = grid.reshape(batch, places, rank)
    # The last number of a place is along the last axis.
    columns = [
        flat.op("StridedSlice", ranges=(0, batch, 1, 0, places, 1, d, d + 1, 1))
        for d in reversed(range(rank))
    ]
    require(padding_mode in PADDINGS, f"attribute 'padding_mode' is {padding_mode}")
    per_axis = []
    for size, column in zip(spatial, columns, strict=True):
        # A place is in -1..1.
        low, high = (0.0, size - 1.0) if align_corners else (-0.5, size - 0.5)
        scale = (high - low) / 2
        axis = ImageAxis(size, form, padding_mode, low, high)
        per_axis.append(axis.taps(linear(column, scale, low + scale)))
    table = x.transpose(0, *range(2, rank + 2), 1).reshape(batch * prod(spatial), channels)
    require_few(batch, f"samples {batch} images")
    first = np.arange(batch, dtype=np.int32).reshape(-1, 1, 1) * prod(spatial)
    result = total(weighted(table, x.const(first), spatial, per_axis)).transpose(0, 2, 1)
    return rounded(result.reshape(batch, channels, *grid.shape[1:-1]), dtype)


@ONNX.importer("AffineGrid", folds=True)
def affine_grid(theta: Value, size: Ints, *, align_corners: bool = False) -> Value:
    """AffineGrid: the places of all pixels of an image in -1..1, times each batch's matrix."""
    spatial, rank = size[2:], len(size) - 2
    matrix = (*theta.shape[:1], rank, rank + 1)
    require(theta.shape == matrix, f"'theta' does not fit a size of {rank} spatial dims")
    count = prod(spatial) * (rank + 1)
    require_few(count, f"has a grid of {count} elements")
    # The last axis comes first in a place, and 1 at its end.
    grid = np.ones((*spatial, rank + 1), theta.dtype.storage)
    lines = [_line(extent, align_corners) for extent in spatial]
    for last, line in enumerate(reversed(lines)):
        grid[..., last] = line.reshape(-1, *(1,) * last)
    moved = theta.like(grid.reshape(-1, rank + 1)).op("MatMul", theta, transpose_in1=True)
    return moved.reshape(matrix[0], *spatial, rank)


def _line(size: int, aligned: bool) -> np.ndarray:
    """Return the places of the pixels of a line, whose ends are at the centres if aligned."""
    steps = np.arange(size)
    return 2 * steps / max(size - 1, 1) - 1 if aligned else (2 * steps + 1) / size - 1


_POOLS = ("avg", "max")
_PLACES = ("half_pixel", "output_half_pixel")


@dataclass(frozen=True)
class _Cells:
    """The attributes that say what the cells of a region are."""

    output_height: int = 1
    output_width: int = 1
    sampling_ratio: int = 0
    spatial_scale: float = 1.0
    coordinate_transformation_mode: str = "half_pixel"

    @property
    def shift(self) -> float:
        """The distance from a pixel's place to its middle."""
        place = self.coordinate_transformation_mode
        problem = f"attribute 'coordinate_transformation_mode' is {place}"
        require(place in _PLACES, problem, f"use {' or '.join(_PLACES)}")
        return 0.5 if place == "half_pixel" else 0.0


@dataclass(frozen=True)
class _Samples:
    """The samples of the cells along an axis.

    `counts` are the samples of a cell by region, or one number for all regions; the grid has room
    for the most, and what a region does not need repeats its last sample. 3 samples beside a
    region of 2 give 2, 2 and 2/3 + 2/3 + 2/3.
    """

    cells: int
    counts: NDArray[np.int64]

    @property
    def grid(self) -> int:
        """The samples of a cell that are read."""
        return max(int(self.counts.max(initial=0)), 1)

    def parts(self) -> Array:
        """Return the places of samples as parts of a region's extent, [regions, cells * grid]."""
        counts = np.maximum(self.counts, 1)[:, None, None]
        own = np.minimum(np.arange(self.grid), counts - 1)
        places = np.arange(self.cells)[:, None] + (own + 0.5) / counts
        parts: Array = (places / self.cells).reshape(len(self.counts), self.cells * self.grid)
        return parts

    def weights(self, mean: bool) -> Array:
        """Return the weights of samples, as a mean or a maximum takes them, shaped like parts."""
        counts = self.counts[:, None, None]
        used = np.arange(self.grid) < counts if mean else counts > 0
        weight = used * (self.grid / np.maximum(counts, 1) if mean else 1.0)
        shape = (len(self.counts), self.cells, self.grid)
        return np.broadcast_to(weight, shape).reshape(len(self.counts), self.cells * self.grid)


@ONNX.importer("RoiAlign")
def roi_align(
    data: Value, stated: Value, batches: Value, *, cells: _Cells, mode: str = "avg"
) -> Value:
    """RoiAlign: the mean of the samples of each cell, or the largest of all their weighted taps."""
    require(stated.shape[1:] == (4,), f"regions are {text(stated.shape)}", "give each 4 numbers")
    x, regions = widened(data, stated)
    require(mode in _POOLS, f"attribute 'mode' is {mode}", f"use {' or '.join(_POOLS)}")
    batch, channels, *spatial = x.shape
    table = x.transpose(0, 2, 3, 1).reshape(batch * prod(spatial), channels)
    first = batches.cast(DType.Int32) * prod(spatial)
    first = first.reshape(*batches.shape, 1, 1, 1)
    samples = [_samples(stated, cells, axis) for axis in (0, 1)]
    read = batches.shape[0] * prod(s.cells * s.grid for s in samples)
    require_few(read, f"reads {read} samples")
    taps = [_taps(regions, cells, axis, spatial[axis], samples[axis], mode) for axis in (0, 1)]
    parts = weighted(table, first, spatial, taps)
    if mode == "avg":
        values = _joined(total(parts), "Mean", samples)
    else:
        values = _joined(reduce(Value.maximum, parts), "Max", samples)
    return values.transpose(0, 3, 1, 2).cast(data.dtype)


def _samples(regions: Value, cells: _Cells, axis: int) -> _Samples:
    """Return the samples along an axis; those of constant regions where no ratio says how many."""
    count = (cells.output_height, cells.output_width)[axis]
    if cells.sampling_ratio > 0:
        return _Samples(count, np.array([cells.sampling_ratio]))
    problem = "attribute 'sampling_ratio' is 0 and the regions are data, so the number of samples"
    remedy = "give it a number, such as 2, or make the regions an initializer"
    if regions.array is None:
        raise NodeFault(f"{problem} is data too", remedy)
    numbers = regions.array.astype(np.float32)
    scale, shift = np.float32(cells.spatial_scale), np.float32(cells.shift)
    start, end = (numbers[:, at] * scale - shift for at in (1 - axis, 3 - axis))
    extent = end - start if shift else np.maximum(end - start, 1)
    counts = np.maximum(np.ceil(extent / np.float32(count)), 0)
    return _Samples(count, counts.astype(np.int64))


def _taps(
    regions: Value, cells: _Cells, axis: int, size: int, samples: _Samples, mode: str
) -> list[WeightedTap]:
    """Return the taps of all samples along an axis, [regions, samples down, samples across, 1]."""
    shift = cells.shift
    # A region is x and y of its first corner, then of its last.
    start, end = (
        linear(regions[:, at : at + 1], cells.spatial_scale, -shift) for at in (1 - axis, 3 - axis)
    )
    extent = end - start
    extent = extent if shift else extent.maximum(1)
    at = start + extent * samples.parts()
    across = (len(samples.counts), samples.cells * samples.grid)
    sides = (*across, 1, 1) if axis == 0 else (across[0], 1, across[1], 1)
    at = at.reshape(regions.shape[0], *sides[1:])
    # Up to a pixel beyond the ends counts as the last one, and what lies farther as 0.
    weights = samples.weights(mode == "avg").reshape(sides)
    kept = where(inside(at, -1, size), at.like(weights), 0)
    taps = ImageAxis(size, padding="border").taps(bounded(at, size))
    return [replace(t, weight=kept if t.weight is None else t.weight * kept) for t in taps]


def _joined(values: Value, kind: str, samples: Sequence[_Samples]) -> Value:
    """Return one value for the samples of each cell, [regions, down, across, channels]."""
    (down, across), (rows, columns) = ([s.cells for s in samples], [s.grid for s in samples])
    count, *_, channels = values.shape
    values = values.reshape(count * down, rows, across * columns * channels)
    values = values.reduce(kind, (1,), keep=False)
    values = values.reshape(count * down * across, columns, channels)
    return values.reduce(kind, (1,), keep=False).reshape(count, down, across, channels)


@ONNX.importer("NonMaxSuppression")
def non_max_suppression(
    boxes: Value,
    scores: Value,
    most: Ints | None,
    overlap: Array | None,
    least: Array | None,
    *,
    center_point_box: bool = False,
) -> Value:
    """NonMaxSuppression: rows behind the boxes that are taken are -1."""
    (count,) = most or (0,)
    rows, _ = (_corners(boxes) if center_point_box else boxes).ops(
        *("NonMaxSuppression", scores),
        iou_threshold=0.0 if overlap is None else float(overlap.reshape(())),
        score_threshold=-inf if least is None else float(least.reshape(())),
        max_boxes_selected=max(count, 0),
    )
    return rows.cast(DType.Int64)


def _corners(boxes: Value) -> Value:
    """Return boxes of centre x, centre y, width and height by y and x of two corners."""
    y, x, height, width = (boxes[:, :, at : at + 1] for at in (1, 0, 3, 2))
    pairs = ((y, height), (x, width))
    ends = [centre + size * half for half in (-0.5, 0.5) for centre, size in pairs]
    return concat(ends, axis=2)

"""Regions of an image: RoiAlign reads each at samples, NonMaxSuppression keeps the best boxes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from .....dialects.checks import text
from .....dialects.dense import Array
from .....dialects.value import DType
from ...graph.value import Value, concat, where
from ...support.context import NodeFault, require
from ...support.registry import ImporterSet, Ints
from ...support.types import MOST_ELEMENTS
from ..tensors.steps import linear
from .sampling import ImageAxis, WeightedTap, bounded, inside, total, weighted, widened

ONNX = ImporterSet(keeps_stored=False)

_MODES = ("avg", "max")
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
    require(mode in _MODES, f"attribute 'mode' is {mode}", f"use {' or '.join(_MODES)}")
    batch, channels, *spatial = x.shape
    table = x.transpose(0, 2, 3, 1).reshape(batch * prod(spatial), channels)
    first = batches.cast(DType.Int32) * prod(spatial)
    first = first.reshape(*batches.shape, 1, 1, 1)
    samples = [_samples(stated, cells, axis) for axis in (0, 1)]
    read = batches.shape[0] * channels * prod(s.cells * s.grid for s in samples)
    require(read <= MOST_ELEMENTS, f"reads {read} samples", f"at most {MOST_ELEMENTS} are taken")
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

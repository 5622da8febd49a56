"""Regions of an image: RoiAlign reads each at samples, MaxRoiPool takes its largest elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ......dialects.dense import Array
from ......dialects.qti_aisw.ops.const import ConstOp
from ......dialects.spec_of import plain_element_type
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..activation import plus, times
from ..tensors.casts import plain
from ..tensors.steps import like, piece
from .taps import (
    ImageAxis,
    WeightedTap,
    bounded,
    inside,
    linear,
    total,
    weighted,
    widened,
)

ONNX = ImporterSet(keeps_stored=False)

_MODES = ("avg", "max")
_PLACES = ("half_pixel", "output_half_pixel")


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
        parts: Array = (places / self.cells).reshape(len(self.counts), -1)
        return parts

    def weights(self, mean: bool) -> Array:
        """Return the weights of samples, as a mean or a maximum takes them, shaped like parts."""
        counts = self.counts[:, None, None]
        used = np.arange(self.grid) < counts if mean else counts > 0
        weight = used * (self.grid / np.maximum(counts, 1) if mean else 1.0)
        shape = (len(self.counts), self.cells, self.grid)
        return np.broadcast_to(weight, shape).reshape(len(self.counts), -1)


@ONNX.importer("RoiAlign")
def roi_align(ctx: NodeContext) -> list[SSAValue]:
    """RoiAlign: the mean of the samples of each cell, or the largest of all their weighted taps."""
    batches, mode = ctx.value(2), ctx.text("mode", "avg")
    x, regions = widened(ctx, ctx.value(0), ctx.value(1))
    ctx.require(mode in _MODES, f"attribute 'mode' is {mode}", f"use {' or '.join(_MODES)}")
    batch, channels, *spatial = ctx.shape(x)
    table = ctx.reshape(ctx.transpose(x, (0, 2, 3, 1)), (batch * prod(spatial), channels))
    to = plain_element_type(DType.Int32)
    first = times(
        ctx, ctx.emit("Cast", batches, to=to), ctx.const(np.array(prod(spatial), np.int32))
    )
    first = ctx.reshape(first, (*ctx.shape(batches), 1, 1, 1))
    samples = [_samples(ctx, axis) for axis in (0, 1)]
    read = ctx.shape(batches)[0] * channels * prod(s.cells * s.grid for s in samples)
    ctx.require(
        read <= MOST_ELEMENTS, f"reads {read} samples", f"at most {MOST_ELEMENTS} are taken"
    )
    taps = [_taps(ctx, regions, axis, spatial[axis], samples[axis]) for axis in (0, 1)]
    parts = weighted(ctx, table, first, spatial, taps)
    if mode == "avg":
        cells = _joined(ctx, total(ctx, parts), "ReduceMean", samples)
    else:
        largest = reduce(lambda a, b: ctx.emit("ElementWiseMaximum", a, b), parts)
        cells = _joined(ctx, largest, "ReduceMax", samples)
    return [plain(ctx, ctx.transpose(cells, (0, 3, 1, 2)), ctx.dtype(ctx.value(0)))]


def _samples(ctx: NodeContext, axis: int) -> _Samples:
    """Return the samples along an axis; those of constant regions where no ratio says how many."""
    cells = ctx.integer(("output_height", "output_width")[axis], 1)
    ratio = ctx.integer("sampling_ratio")
    if ratio > 0:
        return _Samples(cells, np.array([ratio]))
    problem = "attribute 'sampling_ratio' is 0 and the regions are data, so the number of samples"
    remedy = "give it a number, such as 2, or make the regions an initializer"
    ctx.require(isinstance(ctx.value(1).owner, ConstOp), f"{problem} is data too", remedy)
    regions = ctx.constant(1).astype(np.float32)
    scale, shift = np.float32(ctx.real("spatial_scale", 1.0)), np.float32(_shift(ctx))
    start, end = (regions[:, at] * scale - shift for at in (1 - axis, 3 - axis))
    extent = end - start if shift else np.maximum(end - start, 1)
    return _Samples(cells, np.maximum(np.ceil(extent / np.float32(cells)), 0).astype(np.int64))


def _shift(ctx: NodeContext) -> float:
    """Return how far the middle of a pixel lies from its place."""
    place = ctx.text("coordinate_transformation_mode", "half_pixel")
    problem = f"attribute 'coordinate_transformation_mode' is {place}"
    ctx.require(place in _PLACES, problem, f"use {' or '.join(_PLACES)}")
    return 0.5 if place == "half_pixel" else 0.0


def _taps(
    ctx: NodeContext, regions: SSAValue, axis: int, size: int, samples: _Samples
) -> list[WeightedTap]:
    """Return the taps of all samples along an axis, [regions, samples down, samples across, 1]."""
    shift = _shift(ctx)
    # A region is x and y of its first corner, then of its last.
    start, end = (
        linear(
            ctx, piece(ctx, regions, {1: (at, at + 1, 1)}), ctx.real("spatial_scale", 1.0), -shift
        )
        for at in (1 - axis, 3 - axis)
    )
    extent = ctx.emit("ElementWiseSubtract", end, start)
    if not shift:
        extent = ctx.emit("ElementWiseMaximum", extent, ctx.scalar(1, extent))
    at = plus(ctx, start, times(ctx, extent, like(ctx, samples.parts(), extent)))
    weights = samples.weights(ctx.text("mode", "avg") == "avg")
    across = (-1, samples.cells * samples.grid)
    sides = (*across, 1, 1) if axis == 0 else (-1, 1, across[1], 1)
    at = ctx.reshape(at, (ctx.shape(regions)[0], *sides[1:]))
    # Up to a pixel beyond the ends counts as the last one, and what lies farther as 0.
    near = inside(ctx, at, -1, size)
    kept = ctx.emit(
        *("ElementWiseSelect", near, like(ctx, weights.reshape(sides), at), ctx.scalar(0, at))
    )
    taps = ImageAxis(ctx, size, padding="border").taps(bounded(ctx, at, size))
    return [
        replace(t, weight=kept if t.weight is None else times(ctx, t.weight, kept)) for t in taps
    ]


def _joined(
    ctx: NodeContext, values: SSAValue, reduction: str, samples: Sequence[_Samples]
) -> SSAValue:
    """Return one value for the samples of each cell, [regions, down, across, channels]."""
    (down, across), (rows, columns) = ([s.cells for s in samples], [s.grid for s in samples])
    count, *_, channels = ctx.shape(values)
    values = ctx.reshape(values, (count * down, rows, across * columns * channels))
    values = ctx.emit(reduction, values, axes=(1,), keep_dims=False)
    cells = ctx.reshape(values, (count * down * across, columns, channels))
    cells = ctx.emit(reduction, cells, axes=(1,), keep_dims=False)
    return ctx.reshape(cells, (count, down, across, channels))

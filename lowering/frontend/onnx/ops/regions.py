"""Regions of an image: RoiAlign reads each at samples, NonMaxSuppression cannot choose any."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.spec_of import plain_element_type
from .....dialects.value.dtypes import DType
from ..support.context import NodeContext
from ..support.faults import NodeFault
from ..support.registry import ImporterSet
from .activation import plus, times
from .steps import like, piece
from .taps import Axis, Tap, bounded, inside, linear, total, weighted

ONNX = ImporterSet(keeps_stored=False)

_MODES = ("avg", "max")


@ONNX.importer("RoiAlign")
def roi_align(ctx: NodeContext) -> list[SSAValue]:
    """RoiAlign: the mean of the samples of each cell, or the largest of all their weighted taps."""
    x, regions, batches = ctx.value(0), ctx.value(1), ctx.value(2)
    mode, ratio = ctx.text("mode", "avg"), ctx.integer("sampling_ratio")
    ctx.require(mode in _MODES, f"attribute 'mode' is {mode}", f"use {' or '.join(_MODES)}")
    problem = "attribute 'sampling_ratio' is 0, so the number of samples follows from the regions"
    ctx.require(ratio > 0, problem, "give it a number, such as 2")
    batch, channels, *spatial = ctx.shape(x)
    table = ctx.reshape(ctx.transpose(x, (0, 2, 3, 1)), (batch * prod(spatial), channels))
    to = plain_element_type(DType.Int32)
    first = times(
        ctx, ctx.emit("Cast", batches, to=to), ctx.const(np.array(prod(spatial), np.int32))
    )
    first = ctx.reshape(first, (*ctx.shape(batches), 1, 1, 1))
    down, across = (_taps(ctx, regions, axis, spatial[axis], ratio) for axis in (0, 1))
    parts = weighted(ctx, table, first, spatial, (down, across))
    if mode == "avg":
        cells = _joined(ctx, total(ctx, parts), "ReduceMean", ratio)
    else:
        largest = reduce(lambda a, b: ctx.emit("ElementWiseMaximum", a, b), parts)
        cells = _joined(ctx, largest, "ReduceMax", ratio)
    return [ctx.transpose(cells, (0, 3, 1, 2))]


def _taps(ctx: NodeContext, regions: SSAValue, axis: int, size: int, ratio: int) -> list[Tap]:
    """Return the taps of all samples along an axis, [regions, samples down, samples across, 1]."""
    place = ctx.text("coordinate_transformation_mode", "half_pixel")
    known = ("half_pixel", "output_half_pixel")
    problem = f"attribute 'coordinate_transformation_mode' is {place}"
    ctx.require(place in known, problem, f"use {' or '.join(known)}")
    cells = ctx.integer(("output_height", "output_width")[axis], 1)
    scale, shift = ctx.real("spatial_scale", 1.0), 0.5 if place == "half_pixel" else 0.0
    # A region is x and y of its first corner, then of its last.
    start, end = (
        linear(ctx, piece(ctx, regions, {1: (at, at + 1, 1)}), scale, -shift)
        for at in (1 - axis, 3 - axis)
    )
    extent = ctx.emit("ElementWiseSubtract", end, start)
    if place != "half_pixel":
        extent = ctx.emit("ElementWiseMaximum", extent, ctx.scalar(1, extent))
    samples = cells * ratio
    part = like(ctx, (np.arange(samples).reshape(1, -1) + 0.5) / samples, extent)
    at = plus(ctx, start, times(ctx, extent, part))
    count = ctx.shape(regions)[0]
    at = ctx.reshape(at, (count, samples, 1, 1) if axis == 0 else (count, 1, samples, 1))
    # Up to a pixel beyond the ends counts as the last one, and what lies farther as 0.
    near = inside(ctx, at, -1, size)
    kept = ctx.emit("ElementWiseSelect", near, ctx.scalar(1, at), ctx.scalar(0, at))
    taps = Axis(ctx, size, padding="border").taps(bounded(ctx, at, size))
    return [
        replace(t, weight=kept if t.weight is None else times(ctx, t.weight, kept)) for t in taps
    ]


def _joined(ctx: NodeContext, samples: SSAValue, reduction: str, ratio: int) -> SSAValue:
    """Return one value for the samples of each cell, [regions, down, across, channels]."""
    count, down, across, channels = ctx.shape(samples)
    down, across = down // ratio, across // ratio
    rows = ctx.reshape(samples, (count * down, ratio, across * ratio * channels))
    rows = ctx.emit(reduction, rows, axes=(1,), keep_dims=False)
    cells = ctx.reshape(rows, (count * down * across, ratio, channels))
    cells = ctx.emit(reduction, cells, axes=(1,), keep_dims=False)
    return ctx.reshape(cells, (count, down, across, channels))


@ONNX.importer("NonMaxSuppression")
def non_max_suppression(ctx: NodeContext) -> list[SSAValue]:
    """NonMaxSuppression is refused: ONNX has no form of it with a bounded result and a count."""
    problem = "selects as many boxes as the scores say, and HTP's graphs are static"
    raise NodeFault(problem, "end the model at its boxes and scores, and select on the host")

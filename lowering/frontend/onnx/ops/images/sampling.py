"""GridSample, and AffineGrid, which says where it samples."""

from __future__ import annotations

from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ..tensors.casts import rounded
from ..tensors.steps import like
from .taps import (
    OFFSETS,
    PADDINGS,
    ImageAxis,
    WeightedTap,
    linear,
    total,
    weighted,
    widened,
)

ONNX = ImporterSet(keeps_stored=False)

_MODES = {"bilinear": "linear", "bicubic": "cubic"}
"""Names of before opset 20."""


@ONNX.importer("GridSample")
def grid_sample(ctx: NodeContext) -> list[SSAValue]:
    """GridSample of any number of spatial dims; the nearest element keeps its type all the way."""
    x, grid = ctx.value(0), ctx.value(1)
    if _mode(ctx) == "nearest":
        (grid,) = widened(ctx, grid)
    else:
        x, grid = widened(ctx, x, grid)
    batch, channels, *spatial = ctx.shape(x)
    places, rank = prod(ctx.shape(grid)[1:-1]), len(spatial)
    flat = ctx.reshape(grid, (batch, places, rank))
    # The last number of a place is along the last axis.
    columns = [
        ctx.emit("StridedSlice", flat, ranges=(0, batch, 1, 0, places, 1, d, d + 1, 1))
        for d in reversed(range(rank))
    ]
    per_axis = [_taps(ctx, size, column) for size, column in zip(spatial, columns, strict=True)]
    last = ctx.transpose(x, (0, *range(2, rank + 2), 1))
    table = ctx.reshape(last, (batch * prod(spatial), channels))
    first = np.arange(batch, dtype=np.int32).reshape(-1, 1, 1) * prod(spatial)
    parts = weighted(ctx, table, ctx.const(first), spatial, per_axis)
    result = ctx.transpose(total(ctx, parts), (0, 2, 1))
    sampled = ctx.reshape(result, (batch, channels, *ctx.shape(grid)[1:-1]))
    return [rounded(ctx, sampled, ctx.dtype(ctx.value(0)))]


def _mode(ctx: NodeContext) -> str:
    stated = ctx.text("mode", "linear")
    mode = _MODES.get(stated, stated)
    ctx.require(mode in OFFSETS, f"attribute 'mode' is {stated}")
    return mode


def _taps(ctx: NodeContext, size: int, grid: SSAValue) -> list[WeightedTap]:
    """Return the taps along an axis for places in -1..1, as the node's attributes say."""
    mode, padding = _mode(ctx), ctx.text("padding_mode", "zeros")
    ctx.require(padding in PADDINGS, f"attribute 'padding_mode' is {padding}")
    low, high = (0.0, size - 1.0) if ctx.integer("align_corners") else (-0.5, size - 0.5)
    scale = (high - low) / 2
    return ImageAxis(ctx, size, mode, padding, low, high).taps(
        linear(ctx, grid, scale, low + scale)
    )


@ONNX.importer("AffineGrid", folds=True)
def affine_grid(ctx: NodeContext) -> list[SSAValue]:
    """AffineGrid: the places of all pixels of an image in -1..1, times each batch's matrix."""
    theta, (_, _, *spatial) = ctx.value(0), ctx.integers_at(1) or (0, 0)
    aligned, rank = bool(ctx.integer("align_corners")), len(spatial)
    matrix = (ctx.shape(theta)[0], rank, rank + 1)
    ctx.require(ctx.shape(theta) == matrix, f"'theta' does not fit a size of {rank} spatial dims")
    axes = [_line(size, aligned) for size in spatial]
    # The last axis comes first in a place, and 1 at its end.
    places = np.meshgrid(*axes, indexing="ij")[::-1]
    grid = np.stack([*places, np.ones(spatial)], axis=-1).reshape(-1, rank + 1)
    moved = ctx.emit("MatMul", like(ctx, grid, theta), theta, transpose_in1=True)
    return [ctx.reshape(moved, (matrix[0], *spatial, rank))]


def _line(size: int, aligned: bool) -> np.ndarray:
    """Return the places of the pixels of a line, whose ends are at the centres if aligned."""
    steps = np.arange(size)
    return 2 * steps / max(size - 1, 1) - 1 if aligned else (2 * steps + 1) / size - 1

"""GridSample, and AffineGrid, which says where it samples."""

from __future__ import annotations

from math import prod

import numpy as np

from ....graph.value import Value
from ...support.binding import Ints
from ...support.faults import require
from ...support.registry import ImporterSet
from ..tensors.casts import rounded
from ..tensors.steps import linear
from .taps import OFFSETS, PADDINGS, ImageAxis, total, weighted, widened

ONNX = ImporterSet(keeps_stored=False)

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
    first = np.arange(batch, dtype=np.int32).reshape(-1, 1, 1) * prod(spatial)
    result = total(weighted(table, x.const(first), spatial, per_axis)).transpose(0, 2, 1)
    return rounded(result.reshape(batch, channels, *grid.shape[1:-1]), dtype)


@ONNX.importer("AffineGrid", folds=True)
def affine_grid(theta: Value, size: Ints, *, align_corners: bool = False) -> Value:
    """AffineGrid: the places of all pixels of an image in -1..1, times each batch's matrix."""
    _, _, *spatial = size
    rank = len(spatial)
    matrix = (theta.shape[0], rank, rank + 1)
    require(theta.shape == matrix, f"'theta' does not fit a size of {rank} spatial dims")
    axes = [_line(extent, align_corners) for extent in spatial]
    # The last axis comes first in a place, and 1 at its end.
    places = np.meshgrid(*axes, indexing="ij")[::-1]
    grid = np.stack([*places, np.ones(spatial)], axis=-1).reshape(-1, rank + 1)
    moved = theta.like(grid).op("MatMul", theta, transpose_in1=True)
    return moved.reshape(matrix[0], *spatial, rank)


def _line(size: int, aligned: bool) -> np.ndarray:
    """Return the places of the pixels of a line, whose ends are at the centres if aligned."""
    steps = np.arange(size)
    return 2 * steps / max(size - 1, 1) - 1 if aligned else (2 * steps + 1) / size - 1

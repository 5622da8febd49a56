"""Values between the elements of an image: a Gather per tap, weighted by how near the tap is.

GridSample samples so, and AffineGrid says where.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod

import numpy as np

from .....dialects.value import DType
from ...graph.value import Value, where
from ...support.context import require
from ...support.registry import ImporterSet, Ints
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
    first = np.arange(batch, dtype=np.int32).reshape(-1, 1, 1) * prod(spatial)
    result = total(weighted(table, x.const(first), spatial, per_axis)).transpose(0, 2, 1)
    return rounded(result.reshape(batch, channels, *grid.shape[1:-1]), dtype)


@ONNX.importer("AffineGrid", folds=True)
def affine_grid(theta: Value, size: Ints, *, align_corners: bool = False) -> Value:
    """AffineGrid: the places of all pixels of an image in -1..1, times each batch's matrix."""
    spatial, rank = size[2:], len(size) - 2
    matrix = (*theta.shape[:1], rank, rank + 1)
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

"""GridSample: a Gather per tap of the interpolation, weighted by how near the tap is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.dense import Array
from .....dialects.spec_of import plain_element_type
from .....dialects.value.dtypes import DType
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from .activation import plus, times

ONNX = ImporterSet(keeps_stored=False)

_MODES = {"bilinear": "linear", "bicubic": "cubic"}
"""Names of before opset 20."""

_OFFSETS = {"nearest": (0,), "linear": (0, 1), "cubic": (-1, 0, 1, 2)}
"""Taps beside the element before the place, by the mode."""

_CUBIC = -0.75


@dataclass(frozen=True)
class Tap:
    """Index of an element along some axes, and its weight; None stands for 1."""

    index: SSAValue
    weight: SSAValue | None


@ONNX.importer("GridSample")
def grid_sample(ctx: NodeContext) -> list[SSAValue]:
    """GridSample of any number of spatial dims."""
    x, grid = ctx.value(0), ctx.value(1)
    batch, channels, *spatial = ctx.shape(x)
    places, rank = prod(ctx.shape(grid)[1:-1]), len(spatial)
    flat = ctx.reshape(grid, (batch, places, rank))
    # The last number of a place is along the last axis.
    columns = [
        ctx.emit("StridedSlice", flat, ranges=(0, batch, 1, 0, places, 1, d, d + 1, 1))
        for d in reversed(range(rank))
    ]
    per_axis = [_Axis(ctx, size).taps(c) for size, c in zip(spatial, columns, strict=True)]
    last = ctx.transpose(x, (0, *range(2, rank + 2), 1))
    table = ctx.reshape(last, (batch * prod(spatial), channels))
    first = np.arange(batch, dtype=np.int32).reshape(-1, 1, 1) * prod(spatial)
    parts = [_part(ctx, table, first, spatial, taps) for taps in product(*per_axis)]
    total = ctx.transpose(reduce(lambda a, b: plus(ctx, a, b), parts), (0, 2, 1))
    return [ctx.reshape(total, (batch, channels, *ctx.shape(grid)[1:-1]))]


def _part(
    ctx: NodeContext, table: SSAValue, first: Array, spatial: Sequence[int], taps: Sequence[Tap]
) -> SSAValue:
    """Return the weighted elements at one tap per axis, [batch, places, channels]."""
    index = ctx.const(first)
    for step, tap in enumerate(taps):
        stride = ctx.const(np.asarray(prod(spatial[step + 1 :]), np.int32))
        index = plus(ctx, times(ctx, tap.index, stride), index)
    batch, places, _ = ctx.shape(index)
    part = ctx.emit("Gather", table, ctx.reshape(index, (batch, places)), axis=0)
    return reduce(lambda a, tap: a if tap.weight is None else times(ctx, a, tap.weight), taps, part)


class _Axis:
    """The taps along one axis of a number of elements, as the node's attributes say."""

    def __init__(self, ctx: NodeContext, size: int) -> None:
        mode = ctx.text("mode", "linear")
        self.mode = _MODES.get(mode, mode)
        self.padding = ctx.text("padding_mode", "zeros")
        ctx.require(self.mode in _OFFSETS, f"attribute 'mode' is {mode}")
        known = self.padding in ("zeros", "border", "reflection")
        ctx.require(known, f"attribute 'padding_mode' is {self.padding}")
        self.ctx, self.size = ctx, size
        self.aligned = bool(ctx.integer("align_corners"))
        self.low, self.high = (0.0, size - 1.0) if self.aligned else (-0.5, size - 0.5)

    def taps(self, grid: SSAValue) -> list[Tap]:
        """Return the taps for places in -1..1."""
        ctx = self.ctx
        scale = (self.high - self.low) / 2
        place = self._linear(grid, scale, self.low + scale)
        if self.mode == "nearest":
            place = ctx.emit("ElementWiseRound", place)
        before = ctx.emit("ElementWiseFloor", place)
        rest = ctx.emit("ElementWiseSubtract", place, before)
        return [self._tap(before, rest, offset) for offset in _OFFSETS[self.mode]]

    def _tap(self, before: SSAValue, rest: SSAValue, offset: int) -> Tap:
        ctx = self.ctx
        at = self._linear(before, 1, offset)
        weight = None if self.mode == "nearest" else self._weight(rest, offset)
        if self.padding == "reflection":
            at = self._reflected(at)
        if self.padding == "zeros":
            above = ctx.emit("ElementWiseGreaterEqual", at, ctx.scalar(0, at))
            below = ctx.emit("ElementWiseLessEqual", at, ctx.scalar(self.size - 1, at))
            inside = ctx.emit("ElementWiseAnd", above, below)
            zero, one = ctx.scalar(0, at), ctx.scalar(1, at)
            weight = ctx.emit("ElementWiseSelect", inside, one if weight is None else weight, zero)
        to = plain_element_type(DType.Int32)
        return Tap(ctx.emit("Cast", self._bounded(at), to=to), weight)

    def _weight(self, rest: SSAValue, offset: int) -> SSAValue:
        """Return the weight of a tap, as a polynomial of the way past the element before."""
        a = _CUBIC
        if self.mode == "linear":
            return self._linear(rest, 1 if offset else -1, 0 if offset else 1)
        far, near = (a, -5 * a, 8 * a, -4 * a), (a + 2, -a - 3, 0.0, 1.0)
        distance = self._linear(rest, -1, offset) if offset > 0 else self._linear(rest, 1, -offset)
        first, *others = far if offset in (-1, 2) else near
        value = self._linear(distance, first, others[0])
        for coefficient in others[1:]:
            value = self._linear(times(self.ctx, value, distance), 1, coefficient)
        return value

    def _linear(self, x: SSAValue, factor: float, offset: float) -> SSAValue:
        if factor != 1:
            x = times(self.ctx, x, self.ctx.scalar(factor, x))
        return plus(self.ctx, x, self.ctx.scalar(offset, x)) if offset else x

    def _bounded(self, x: SSAValue) -> SSAValue:
        return self.ctx.emit("ReluMinMax", x, min_value=0.0, max_value=self.size - 1.0)

    def _reflected(self, x: SSAValue) -> SSAValue:
        """Return places folded back at both ends; what lies inside stays."""
        span = self.high - self.low
        if span == 0:
            return self._bounded(x)
        period = self.ctx.scalar(2 * span, x)
        way = self.ctx.emit("ElementWiseMod", self._linear(x, 1, -self.low), period)
        back = self.ctx.emit("ElementWiseSubtract", period, way)
        return self._linear(self.ctx.emit("ElementWiseMinimum", way, back), 1, self.low)

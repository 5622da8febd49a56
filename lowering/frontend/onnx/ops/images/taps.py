"""Values between the elements of an image: a Gather per tap, weighted by how near the tap is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.spec_of import plain_element_type
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ..activation import plus, times
from ..tensors.casts import plain, real_of

OFFSETS = {"nearest": (0,), "linear": (0, 1), "cubic": (-1, 0, 1, 2)}
"""Taps beside the element before the place, by the mode."""

PADDINGS = ("zeros", "border", "reflection")
"""The values of taps outside: none, the last element's, or those as far from the end inside."""

_CUBIC = -0.75


@dataclass(frozen=True)
class WeightedTap:
    """Index of an element along some axes, and its weight; None stands for 1."""

    index: SSAValue
    weight: SSAValue | None


def weighted(
    ctx: NodeContext,
    table: SSAValue,
    first: SSAValue,
    spatial: Sequence[int],
    per_axis: Sequence[Sequence[WeightedTap]],
) -> list[SSAValue]:
    """Return the weighted rows [..., channels] of a table, one value per combination of taps.

    `first` is the row, [..., 1], of the first element of the image that a place lies in.
    """
    return [_part(ctx, table, first, spatial, taps) for taps in product(*per_axis)]


def total(ctx: NodeContext, parts: Sequence[SSAValue]) -> SSAValue:
    """Return the sum of some values."""
    return reduce(lambda a, b: plus(ctx, a, b), parts)


def _part(
    ctx: NodeContext,
    table: SSAValue,
    first: SSAValue,
    spatial: Sequence[int],
    taps: Sequence[WeightedTap],
) -> SSAValue:
    index = first
    for step, tap in enumerate(taps):
        stride = ctx.const(np.asarray(prod(spatial[step + 1 :]), np.int32))
        index = plus(ctx, times(ctx, tap.index, stride), index)
    part = ctx.emit("Gather", table, ctx.reshape(index, ctx.shape(index)[:-1]), axis=0)
    weights = (plain(ctx, tap.weight, ctx.dtype(part)) for tap in taps if tap.weight is not None)
    return reduce(lambda a, weight: times(ctx, a, weight), weights, part)


def widened(ctx: NodeContext, *values: SSAValue) -> list[SSAValue]:
    """Return values in one float with digits for places: f32, or f64 where one of them needs it."""
    reals = {real_of(ctx.dtype(value)) for value in values}
    dtype = DType.Float64 if DType.Float64 in reals else DType.Float32
    return [plain(ctx, value, dtype) for value in values]


def linear(ctx: NodeContext, x: SSAValue, factor: float, offset: float) -> SSAValue:
    """x * factor + offset."""
    if factor != 1:
        x = times(ctx, x, ctx.scalar(factor, x))
    return plus(ctx, x, ctx.scalar(offset, x)) if offset else x


def inside(ctx: NodeContext, at: SSAValue, low: float, high: float) -> SSAValue:
    """Tell which places lie in [low, high]."""
    above = ctx.emit("ElementWiseGreaterEqual", at, ctx.scalar(low, at))
    below = ctx.emit("ElementWiseLessEqual", at, ctx.scalar(high, at))
    return ctx.emit("ElementWiseAnd", above, below)


def bounded(ctx: NodeContext, x: SSAValue, size: int) -> SSAValue:
    """Return places drawn in to the first and the last of `size` elements."""
    return ctx.emit("ReluMinMax", x, min_value=0.0, max_value=size - 1.0)


@dataclass(frozen=True)
class ImageAxis:
    """An axis of `size` elements: how places between them are read, and what lies beyond its ends.

    Reflection is at `low` and `high`.
    """

    ctx: NodeContext
    size: int
    mode: str = "linear"
    padding: str = "zeros"
    low: float = 0.0
    high: float = 0.0

    def taps(self, place: SSAValue) -> list[WeightedTap]:
        """Return the taps for places, counted in elements."""
        if self.mode == "nearest":
            place = self.ctx.emit("ElementWiseRound", place)
        before = self.ctx.emit("ElementWiseFloor", place)
        rest = self.ctx.emit("ElementWiseSubtract", place, before)
        return [self._tap(before, rest, offset) for offset in OFFSETS[self.mode]]

    def _tap(self, before: SSAValue, rest: SSAValue, offset: int) -> WeightedTap:
        ctx = self.ctx
        at = linear(ctx, before, 1, offset)
        weight = None if self.mode == "nearest" else self._weight(rest, offset)
        if self.padding == "reflection":
            at = self._reflected(at)
        if self.padding == "zeros":
            zero, one = ctx.scalar(0, at), ctx.scalar(1, at)
            kept = inside(ctx, at, 0, self.size - 1)
            weight = ctx.emit("ElementWiseSelect", kept, one if weight is None else weight, zero)
        to = plain_element_type(DType.Int32)
        return WeightedTap(ctx.emit("Cast", bounded(ctx, at, self.size), to=to), weight)

    def _weight(self, rest: SSAValue, offset: int) -> SSAValue:
        """Return the weight of a tap, as a polynomial of the way past the element before."""
        a, ctx = _CUBIC, self.ctx
        if self.mode == "linear":
            return linear(ctx, rest, 1 if offset else -1, 0 if offset else 1)
        far, near = (a, -5 * a, 8 * a, -4 * a), (a + 2, -a - 3, 0.0, 1.0)
        sign = -1 if offset > 0 else 1
        distance = linear(ctx, rest, sign, abs(offset))
        first, *others = far if offset in (-1, 2) else near
        value = linear(ctx, distance, first, others[0])
        for coefficient in others[1:]:
            value = linear(ctx, times(ctx, value, distance), 1, coefficient)
        return value

    def _reflected(self, x: SSAValue) -> SSAValue:
        """Return places folded back at both ends; what lies inside stays."""
        ctx, span = self.ctx, self.high - self.low
        if span == 0:
            return bounded(ctx, x, self.size)
        period = ctx.scalar(2 * span, x)
        way = ctx.emit("ElementWiseMod", linear(ctx, x, 1, -self.low), period)
        back = ctx.emit("ElementWiseSubtract", period, way)
        return linear(ctx, ctx.emit("ElementWiseMinimum", way, back), 1, self.low)

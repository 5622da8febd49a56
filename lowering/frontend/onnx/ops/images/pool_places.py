"""The places of maxima: MaxPool's second output, and MaxUnpool, which writes to such places."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ......dialects.spec_of import plain_element_type
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..activation import plus
from .windows import AxisWindow, numbers_of

ONNX = ImporterSet(keeps_stored=False)


def places_of_largest(ctx: NodeContext, reaches: Sequence[AxisWindow]) -> SSAValue:
    """Return where each window of input 0 has its first largest element, counted in all of it.

    With `storage_order` 1 the elements of an image are counted column by column.
    """
    x, order = ctx.value(0), ctx.integer("storage_order")
    ctx.require(order in (0, 1), f"attribute 'storage_order' is {order}", "use 0 or 1")
    batch, channels, *spatial = ctx.shape(x)
    after, size, count = ctx.out().shape, prod(spatial), batch * channels
    windows, taps = prod(after[2:]), prod(reach.kernel for reach in reaches)
    ctx.require(windows * taps <= MOST_ELEMENTS, f"{windows} windows of {taps} elements")
    numbers = _taps(reaches, after[2:], False)
    first = ctx.emit(
        "Argmax",
        ctx.emit("Gather", ctx.reshape(x, (count, size)), ctx.const(numbers), axis=1),
        axis=2,
        keep_dims=False,
    )
    counted = _taps(reaches, after[2:], True) if order else numbers
    rows = np.arange(windows, dtype=np.int32) * taps
    at = plus(ctx, first, ctx.const(rows))
    place = ctx.emit("Gather", ctx.const(counted.reshape(-1)), at, axis=0)
    images = np.arange(count, dtype=np.int32).reshape(-1, 1) * size
    place = plus(ctx, place, ctx.const(images))
    return ctx.reshape(ctx.emit("Cast", place, to=plain_element_type(DType.Int64)), after)


def _taps(
    reaches: Sequence[AxisWindow], after: Sequence[int], by_column: bool
) -> NDArray[np.int32]:
    """Return the elements of windows; a tap outside gives way to the first inside of its window."""
    numbers, kept = numbers_of(reaches, after, by_column=by_column)
    first = np.take_along_axis(numbers, kept.argmax(axis=1)[:, None], axis=1)
    return np.where(kept, numbers, first)


@ONNX.importer("MaxUnpool")
def max_unpool(ctx: NodeContext) -> list[SSAValue]:
    """MaxUnpool: one ScatterNd to the flat result, in which the places count."""
    x, places = ctx.value(0), ctx.value(1)
    for name in ("kernel_shape", "strides", "pads"):
        ctx.integers(name)
    # ONNX infers no shape where the node states it.
    after, count = ctx.integers_at(2) or ctx.out().shape, prod(ctx.shape(x))
    result = ctx.emit(
        "ScatterNd",
        ctx.const(np.zeros(prod(after), ctx.dtype(x).storage)),
        ctx.reshape(places, (count, 1)),
        ctx.reshape(x, (count,)),
        reduction=0,
    )
    return [ctx.reshape(result, after)]

"""The places of maxima: MaxPool's second output, and MaxUnpool, which writes to such places."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from ......dialects.value.dtypes import DType
from ....graph.value import Value
from ...support.binding import Ints
from ...support.context import NodeContext
from ...support.faults import require
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from .windows import AxisWindow, numbers_of

ONNX = ImporterSet(keeps_stored=False)


def places_of_largest(
    x: Value, reaches: Sequence[AxisWindow], after: Sequence[int], order: int
) -> Value:
    """Return where each window has its first largest element, counted in all of the data.

    With an order of 1 the elements of an image are counted column by column.
    """
    require(order in (0, 1), f"attribute 'storage_order' is {order}", "use 0 or 1")
    batch, channels, *spatial = x.shape
    size, count = prod(spatial), batch * channels
    windows, taps = prod(after[2:]), prod(reach.kernel for reach in reaches)
    require(windows * taps <= MOST_ELEMENTS, f"{windows} windows of {taps} elements")
    numbers = _taps(reaches, after[2:], False)
    elements = x.reshape(count, size).gather(numbers, axis=1)
    first = elements.op("Argmax", axis=2, keep_dims=False)
    counted = _taps(reaches, after[2:], True) if order else numbers
    at = first + np.arange(windows) * taps
    place = x.const(counted.reshape(-1)).gather(at)
    place = place + np.arange(count).reshape(-1, 1) * size
    return place.cast(DType.Int64).reshape(*after)


def _taps(
    reaches: Sequence[AxisWindow], after: Sequence[int], by_column: bool
) -> NDArray[np.int32]:
    """Return the elements of windows; a tap outside gives way to the first inside of its window."""
    numbers, kept = numbers_of(reaches, after, by_column=by_column)
    first = np.take_along_axis(numbers, kept.argmax(axis=1)[:, None], axis=1)
    return np.where(kept, numbers, first)


@ONNX.importer("MaxUnpool")
def max_unpool(
    ctx: NodeContext,
    x: Value,
    places: Value,
    stated: Ints | None,
    *,
    kernel_shape: Ints,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Value:
    """MaxUnpool: one ScatterNd to the flat result, in which the places count."""
    # ONNX infers no shape where the node states it.
    after, count = stated or ctx.out().shape, prod(x.shape)
    nothing = x.like(np.zeros(prod(after)))
    rows, flat = places.reshape(count, 1), x.reshape(count)
    return nothing.op("ScatterNd", rows, flat, reduction=0).reshape(*after)

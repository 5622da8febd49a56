"""Extents of what slides a window over the two middle axes of NHWC data."""

from __future__ import annotations

from xdsl.ir import Operation

from ..checks import require

Pair = tuple[int, int]


def pair(values: tuple[int, ...]) -> Pair:
    """The first two of some values."""
    return values[0], values[1]


def window_extent(
    op: Operation, size: int, reach: int, stride: int, pads: Pair, ceil: bool = False
) -> int:
    """Count the windows of `reach` rows that fit into `size` rows with `pads` before and after.

    With `ceil` the last window may hang over the end if it starts before the padding there does.
    """
    room = size + sum(pads) - reach
    message = f"a window of {reach} is larger than the input of {size} with padding {sum(pads)}"
    require(room >= 0, op, message)
    count = room // stride + 1
    hangs = room % stride != 0 and count * stride < size + pads[0]
    return count + 1 if ceil and hangs else count

"""Output sizes of convolutions and pools."""

from __future__ import annotations

from ..checks import require
from .base import NativeOp
from .guards import counted


def steps(op: NativeOp, length: int, reach: int, stride: int, what: str) -> int:
    """Count the windows of `reach` elements, `stride` apart, that fit into `length`."""
    require(stride >= 1, op, f"the {what} stride is {stride}, it must be >= 1")
    fits = 1 <= reach <= length
    require(fits, op, f"a window of {what} {reach} does not fit into {what} {length}")
    return (length - reach) // stride + 1


def hanging_steps(
    op: NativeOp, length: int, reach: int, stride: int, pad: tuple[int, int], what: str
) -> int:
    """As `steps` over the padded length; the last window may hang over the far edge.

    It must start inside the input or the padding before it.
    """
    padded = length + sum(pad)
    full = steps(op, padded, reach, stride, what)
    more = (padded - reach) % stride > 0 and full * stride < length + pad[0]
    return full + more


def window_dims(op: NativeOp, name: str) -> tuple[int, int]:
    """Height and width of a shape operand 1xHxWx1."""
    batch, height, width, depth = op.dims(name)
    plain = batch == depth == 1 and height >= 1 and width >= 1
    shape = (batch, height, width, depth)
    require(plain, op, f"operand '{name}' is {shape}, it must be (1, height, width, 1), all >= 1")
    return height, width


def valid_hw(op: NativeOp, data: str, window: tuple[int, int], stride: str) -> tuple[int, int]:
    """Output height and width of a window that slides over `data` without padding."""
    _, height, width, _ = op.spec(data).shape
    step_h, step_w = window_dims(op, stride)
    return (
        steps(op, height, window[0], step_h, "height"),
        steps(op, width, window[1], step_w, "width"),
    )


def pair(op: NativeOp, name: str, least: int) -> tuple[int, int] | None:
    """A param of height and width, each >= `least`; None if it is no constant."""
    numbers = counted(op, name, 2)
    if numbers is None:
        return None
    require(min(numbers) >= least, op, f"param '{name}' is {numbers}, both must be >= {least}")
    return numbers[0], numbers[1]


def pads(op: NativeOp) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The param pad_amount as ((top, bottom), (left, right)); None if it is no constant."""
    numbers = counted(op, "pad_amount", 4)
    if numbers is None:
        return None
    require(min(numbers) >= 0, op, f"param 'pad_amount' is {numbers}, all must be >= 0")
    top, bottom, left, right = numbers
    return (top, bottom), (left, right)

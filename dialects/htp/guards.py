"""The checks that irregular native ops are made of."""

from __future__ import annotations

from ..checks import require, text
from ..value.spec import Shape
from .base import NativeOp


def has_shape(op: NativeOp, name: str, shape: Shape) -> None:
    """Check the shape of an operand."""
    own = op.spec(name).shape
    message = f"operand '{name}' has shape {text(own)}, it must be {text(shape)}"
    require(own == shape, op, message)


def replaced(shape: Shape, axis: int, size: int) -> Shape:
    """The shape with another size on one axis."""
    return (*shape[:axis], size, *shape[axis + 1 :])

"""The checks that rules of native ops are made of: broadcasting, windows, depths, axes, kinds."""

from __future__ import annotations

from collections.abc import Sequence

from ..checks import require, text
from ..value.dtypes import DType
from ..value.layout import RANK
from ..value.spec import Shape, TensorSpec
from .base import NativeOp


def broadcast(op: NativeOp, names: Sequence[str]) -> Shape:
    """The shape that the operands broadcast to: of every dim the size that is not 1."""
    shapes = [op.spec(name).shape for name in names]
    dims = []
    for dim, sizes in enumerate(zip(*shapes, strict=True)):
        wide = sorted({size for size in sizes if size != 1})
        shapes_text = " and ".join(f"'{n}' {text(s)}" for n, s in zip(names, shapes, strict=True))
        message = f"operands {shapes_text} do not broadcast, dim {dim} differs"
        require(len(wide) <= 1, op, message)
        dims.append(wide[0] if wide else 1)
    return tuple(dims)


def same_type(op: NativeOp, name: str, other: str) -> None:
    """Check that two operands have one dtype, or that both are quantised."""
    left, right = op.spec(name).dtype, op.spec(other).dtype
    same = left is right or (left.is_quantized and right.is_quantized)
    message = f"operand '{other}' is {right.name}, operand '{name}' is {left.name}"
    require(same, op, f"{message}; they must be equal")


def same_kind(op: NativeOp, name: str, other: str) -> None:
    """Check that two operands are numbers, both float or both integers, quantised or plain."""
    is_number(op, other)
    left, right = op.spec(name).dtype, op.spec(other).dtype
    message = f"operand '{other}' is {right.name}, operand '{name}' is {left.name}"
    require(left.is_float == right.is_float, op, f"{message}; both must be float, or neither")


def is_a(op: NativeOp, name: str, *allowed: DType) -> None:
    """Check that an operand has one of these dtypes."""
    dtype, names = op.spec(name).dtype, " or ".join(each.name for each in allowed)
    require(dtype in allowed, op, f"operand '{name}' is {dtype.name}, it must be {names}")


def is_number(op: NativeOp, name: str) -> None:
    """Check that an operand is not Bool8."""
    number = op.spec(name).dtype is not DType.Bool8
    require(number, op, f"operand '{name}' is Bool8, it must be a number")


def has_shape(op: NativeOp, name: str, shape: Shape) -> None:
    """Check the shape of an operand."""
    own = op.spec(name).shape
    message = f"operand '{name}' has shape {text(own)}, it must be {text(shape)}"
    require(own == shape, op, message)


def is_scalar(op: NativeOp, *names: str) -> None:
    """Check that operands hold one element each."""
    for name in names:
        has_shape(op, name, (1,) * RANK)


def integer(op: NativeOp, name: str) -> int | None:
    """The number of an integer param, one element; None if it is no constant."""
    is_scalar(op, name)
    values = op.ints(name)
    return None if values is None else values[0]


def has_depth(op: NativeOp, name: str, depth: int, whose: str) -> None:
    """Check that an operand is [1, 1, 1, depth]."""
    *front, own = op.spec(name).shape
    message = f"operand '{name}' has depth {own}, {whose} {depth}; they must be equal"
    require(own == depth, op, message)
    require(front == [1] * (RANK - 1), op, f"operand '{name}' must be 1x1x1x{depth}")


def counted(op: NativeOp, name: str, count: int) -> tuple[int, ...] | None:
    """The numbers of an integer param with `count` of them; None if it is no constant."""
    elements = op.spec(name).elements
    require(elements == count, op, f"param '{name}' has {elements} numbers, it takes {count}")
    return op.ints(name)


def axes_of(op: NativeOp, name: str) -> tuple[int, ...] | None:
    """The axes in a param, each in 0..3 and named once; None if it is no constant."""
    axes = op.ints(name)
    for axis in axes or ():
        require(0 <= axis < RANK, op, f"param '{name}' names axis {axis}, allowed are 0 to 3")
    require(len(set(axes or ())) == len(axes or ()), op, f"param '{name}' repeats an axis: {axes}")
    return axes


def axis_of(op: NativeOp, name: str) -> int | None:
    """The one axis in a param, in 0..3; None if it is no constant."""
    is_scalar(op, name)
    axes = axes_of(op, name)
    return axes[0] if axes else None


def replaced(shape: Shape, axis: int, size: int) -> Shape:
    """The shape with another size on one axis."""
    return (*shape[:axis], size, *shape[axis + 1 :])


def product_of(spec: TensorSpec) -> TensorSpec:
    """The spec of sums of products: integers narrower than 32 bits give Int32."""
    narrow = spec.dtype.is_integer and spec.dtype.itemsize < DType.Int32.itemsize
    return spec.with_dtype(DType.Int32) if narrow else spec

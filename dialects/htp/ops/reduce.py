"""Reductions; the reduced dims stay, with size 1."""

from __future__ import annotations

from ...checks import require
from ...value.dtypes import DType
from ...value.spec import TensorSpec
from ..access import access
from ..base import NativeOp
from ..guards import axes_of, axis_of, is_number, replaced
from .elementwise import leaf

_X = "tensor<1x8x8x32xf32>"


class ReduceOp(NativeOp):
    """A reduction of in [b, h, w, d] over the axes of an i32 param [1, 1, 1, n]."""

    OPERANDS = ("in", "axes")
    PARAMS = ("axes",)
    ACCESS = access("in[b, h, w, d]", over="axes")

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_number(self, "in")
        axes = axes_of(self, "axes")
        if axes is None:
            return (None,)
        shape = tuple(1 if i in axes else n for i, n in enumerate(self.spec("in").shape))
        return (self.computed(self.like("in").with_shape(shape)),)


class ArgOp(NativeOp):
    """The index of one element along an axis of in [b, h, w, d]: Int32."""

    OPERANDS = ("in", "axis")
    PARAMS = ("axis",)
    ACCESS = access("in[b, h, w, d]", over="axis")

    def infer(self) -> tuple[TensorSpec | None, ...]:
        axis = axis_of(self, "axis")
        if axis is None:
            return (None,)
        shape = self.spec("in").shape
        require(shape[axis] >= 1, self, f"axis {axis} of the input is empty")
        return (TensorSpec(replaced(shape, axis, 1), DType.Int32),)


def _reduce(mnemonic: str, meaning: str) -> type[ReduceOp]:
    operands = "in [b, h, w, d], axes i32 [1, 1, 1, n]; each axis is 0 to 3 and named once."
    example = f"(%x, %axes) : ({_X}, tensor<1x1x1x2xi32>) -> tensor<1x1x1x32xf32>"
    return leaf(ReduceOp, mnemonic, meaning, operands, example)


def _arg(mnemonic: str, meaning: str) -> type[ArgOp]:
    operands = "in [b, h, w, d], axis i32 [1, 1, 1, 1], 0 to 3. The result is Int32."
    example = f"(%x, %axis) : ({_X}, tensor<1x1x1x1xi32>) -> tensor<1x8x8x1xi32>"
    return leaf(ArgOp, mnemonic, meaning, operands, example)


OPS: tuple[type[NativeOp], ...] = (
    _reduce("ReduceSum", "out = the sum over the axes."),
    _reduce("ReduceMean", "out = the mean over the axes; of integers truncated towards zero."),
    _reduce("ReduceMax", "out = the largest element over the axes."),
    _reduce("ReduceMin", "out = the smallest element over the axes."),
    _reduce("ReduceProd", "out = the product over the axes."),
    _arg("Argmax", "out = the index of the first largest element along the axis."),
    _arg("Argmin", "out = the index of the first smallest element along the axis."),
)

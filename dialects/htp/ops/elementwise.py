"""Element-wise ops of one, two and three tensors, in the core form of rules and kernels."""

from __future__ import annotations

from typing import ClassVar

from ...value.dtypes import DType
from ...value.spec import TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import tensor_def
from ..guards import broadcast, is_a, is_number, same_type


class UnaryOp(NativeOp):
    """A function of every element of in [b, h, w, d]; the result has its shape and dtype."""

    ACCESS = access("in[b, h, w, d]")

    ABOUT = """in [b, h, w, d].

    Example: `%r = {}(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>`"""

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_number(self, "in")
        return (self.computed(self.like("in")),)


class UnaryLogicOp(UnaryOp):
    """The logical function of one tensor: Bool8 to Bool8."""

    ABOUT = """in [b, h, w, d], Bool8.

    Example: `%r = {}(%x) : (tensor<1x8x8x32xi1>) -> tensor<1x8x8x32xi1>`"""

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_a(self, "in", DType.Bool8)
        return (self.like("in"),)


class BinaryOp(NativeOp):
    """A function of the elements of a and b, which broadcast; a's dtype, which b shares."""

    ABOUT = """a and b [b, h, w, d], each dim equal or 1.

    Example: `%r = {}(%a, %b) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>)
    -> tensor<1x8x8x32xf32>`"""

    a = tensor_def()
    b = tensor_def()

    SAME_TYPE: ClassVar[bool] = True
    ACCESS = access("a[b?, h?, w?, d?], b[b?, h?, w?, d?]")

    def infer(self) -> tuple[TensorSpec | None, ...]:
        shape = broadcast(self, self.OPERANDS)
        is_number(self, "a")
        if self.SAME_TYPE:
            same_type(self, "a", "b")
        return (self.computed(self.like("a").with_shape(shape)),)


class PowerOp(BinaryOp):
    """A power: the exponent may have a dtype of its own."""

    SAME_TYPE = False


class CompareOp(BinaryOp):
    """A comparison of a and b, which broadcast: Bool8."""

    ABOUT = """a and b [b, h, w, d], each dim equal or 1.

    Example: `%r = {}(%a, %b) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>)
    -> tensor<1x8x8x32xi1>`"""

    def infer(self) -> tuple[TensorSpec | None, ...]:
        shape = broadcast(self, self.OPERANDS)
        same_type(self, "a", "b")
        return (TensorSpec(shape, DType.Bool8),)


class LogicOp(BinaryOp):
    """A logical function of a and b, both Bool8, which broadcast: Bool8."""

    ABOUT = """a and b [b, h, w, d], each dim equal or 1.

    Example: `%r = {}(%a, %b) :
    (tensor<1x8x8x32xi1>, tensor<1x8x8x32xi1>)
    -> tensor<1x8x8x32xi1>`"""

    def infer(self) -> tuple[TensorSpec | None, ...]:
        for name in self.OPERANDS:
            is_a(self, name, DType.Bool8)
        return (TensorSpec(broadcast(self, self.OPERANDS), DType.Bool8),)


class ChoiceOp(NativeOp):
    """A choice between the elements of two tensors; cond, a and b broadcast."""

    ACCESS = access("a[b?, h?, w?, d?], b[b?, h?, w?, d?], cond[b?, h?, w?, d?]")

    ABOUT = """cond Bool8, a and b [b, h, w, d], each dim equal or 1.

    Example: `%r = {}(%c, %a, %b) :
    (tensor<1x8x8x32xi1>, tensor<1x8x8x32xf32>, tensor<1x1x1x32xf32>)
    -> tensor<1x8x8x32xf32>`"""

    cond = tensor_def()
    a = tensor_def()
    b = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_a(self, "cond", DType.Bool8)
        same_type(self, "a", "b")
        return (self.computed(self.like("a").with_shape(broadcast(self, self.OPERANDS))),)

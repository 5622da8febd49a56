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


class AbsOp(UnaryOp):
    """out = |in|."""

    name = "htp.Abs"


class NegOp(UnaryOp):
    """out = -in."""

    name = "htp.Neg"


class ExpOp(UnaryOp):
    """out = e to the power of in."""

    name = "htp.Exp"


class LogOp(UnaryOp):
    """out = the natural logarithm of in."""

    name = "htp.Log"


class SqrtOp(UnaryOp):
    """out = the square root of in."""

    name = "htp.Sqrt"


class RsqrtOp(UnaryOp):
    """out = 1 / the square root of in."""

    name = "htp.Rsqrt"


class SinOp(UnaryOp):
    """out = sin(in), in radians."""

    name = "htp.Sin"


class CosOp(UnaryOp):
    """out = cos(in), in radians."""

    name = "htp.Cos"


class FloorOp(UnaryOp):
    """out = the largest whole number <= in."""

    name = "htp.Floor"


class CeilOp(UnaryOp):
    """out = the smallest whole number >= in."""

    name = "htp.Ceil"


class RoundOp(UnaryOp):
    """out = the nearest whole number, half to even."""

    name = "htp.Round"


class SignOp(UnaryOp):
    """out = -1, 0 or 1."""

    name = "htp.Sign"


class ReciprocalOp(UnaryOp):
    """out = 1 / in."""

    name = "htp.Reciprocal"


class ErfOp(UnaryOp):
    """out = the error function of in."""

    name = "htp.Erf"


class SoftplusOp(UnaryOp):
    """out = log(1 + exp(in))."""

    name = "htp.Softplus"


class AddOp(BinaryOp):
    """out = a + b."""

    name = "htp.Add"


class SubOp(BinaryOp):
    """out = a - b."""

    name = "htp.Sub"


class MulOp(BinaryOp):
    """out = a * b."""

    name = "htp.Mul"


class DivOp(BinaryOp):
    """out = a / b; of integers truncated towards zero."""

    name = "htp.Div"


class PowOp(PowerOp):
    """out = a to the power of b."""

    name = "htp.Pow"


class MaximumOp(BinaryOp):
    """out = the larger of a and b."""

    name = "htp.Maximum"


class MinimumOp(BinaryOp):
    """out = the smaller of a and b."""

    name = "htp.Minimum"


class SquaredDifferenceOp(BinaryOp):
    """out = (a - b) squared."""

    name = "htp.SquaredDifference"


class ModOp(BinaryOp):
    """out = the remainder of a / b, with the sign of b."""

    name = "htp.Mod"


class LessOp(CompareOp):
    """out = a < b."""

    name = "htp.Less"


class LessEqualOp(CompareOp):
    """out = a <= b."""

    name = "htp.LessEqual"


class GreaterOp(CompareOp):
    """out = a > b."""

    name = "htp.Greater"


class GreaterEqualOp(CompareOp):
    """out = a >= b."""

    name = "htp.GreaterEqual"


class EqualOp(CompareOp):
    """out = a == b."""

    name = "htp.Equal"


class NotEqualOp(CompareOp):
    """out = a != b."""

    name = "htp.NotEqual"


class AndOp(LogicOp):
    """out = a and b."""

    name = "htp.And"


class OrOp(LogicOp):
    """out = a or b."""

    name = "htp.Or"


class XorOp(LogicOp):
    """out = either a or b."""

    name = "htp.Xor"


class NotOp(UnaryLogicOp):
    """out = not in."""

    name = "htp.Not"


class SelectOp(ChoiceOp):
    """out = a where cond holds, else b."""

    name = "htp.Select"


OPS: tuple[type[NativeOp], ...] = (
    *(AbsOp, NegOp, ExpOp, LogOp, SqrtOp, RsqrtOp, SinOp, CosOp, FloorOp, CeilOp, RoundOp, SignOp),
    *(ReciprocalOp, ErfOp, SoftplusOp, AddOp, SubOp, MulOp, DivOp, PowOp, MaximumOp, MinimumOp),
    *(SquaredDifferenceOp, ModOp, LessOp, LessEqualOp, GreaterOp, GreaterEqualOp, EqualOp),
    *(NotEqualOp, AndOp, OrOp, XorOp, NotOp, SelectOp),
)

"""Element-wise ops of one, two and three tensors.

Each exists twice: in the raw form that a graph op becomes (`ElementWiseAdd`) and in the core form
that rules and kernels speak of (`Add`).
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from ...value.dtypes import DType
from ...value.spec import TensorSpec
from ..access import access
from ..base import NativeOp
from ..guards import broadcast, is_a, is_number, same_type

N = TypeVar("N", bound=NativeOp)

_F32 = "tensor<1x8x8x32xf32>"
_ROW = "tensor<1x1x1x32xf32>"
_BOOL = "tensor<1x8x8x32xi1>"


class UnaryOp(NativeOp):
    """A function of every element of in [b, h, w, d]; the result has its shape and dtype."""

    OPERANDS: ClassVar[tuple[str, ...]] = ("in",)
    ACCESS = access("in[b, h, w, d]")

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_number(self, "in")
        return (self.computed(self.like("in")),)


class NotOp(UnaryOp):
    """The logical function of one tensor: Bool8 to Bool8."""

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_a(self, "in", DType.Bool8)
        return (self.like("in"),)


class BinaryOp(NativeOp):
    """A function of the elements of a and b, which broadcast; a's dtype, which b shares."""

    OPERANDS = ("a", "b")
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

    def infer(self) -> tuple[TensorSpec | None, ...]:
        shape = broadcast(self, self.OPERANDS)
        same_type(self, "a", "b")
        return (TensorSpec(shape, DType.Bool8),)


class LogicOp(BinaryOp):
    """A logical function of a and b, both Bool8, which broadcast: Bool8."""

    def infer(self) -> tuple[TensorSpec | None, ...]:
        for name in self.OPERANDS:
            is_a(self, name, DType.Bool8)
        return (TensorSpec(broadcast(self, self.OPERANDS), DType.Bool8),)


class ChoiceOp(NativeOp):
    """A choice between the elements of two tensors; cond, a and b broadcast."""

    OPERANDS = ("cond", "a", "b")
    ACCESS = access("a[b?, h?, w?, d?], b[b?, h?, w?, d?], cond[b?, h?, w?, d?]")

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_a(self, "cond", DType.Bool8)
        same_type(self, "a", "b")
        return (self.computed(self.like("a").with_shape(broadcast(self, self.OPERANDS))),)


def leaf(base: type[N], mnemonic: str, meaning: str, operands: str, example: str) -> type[N]:
    """A leaf class: `htp.` and the mnemonic, documented like one that is written out."""
    doc = f"{meaning}\n\n    {operands}\n\n    Example: `%r = htp.{mnemonic}{example}`\n    "
    members = {"name": f"htp.{mnemonic}", "__doc__": doc, "__module__": base.__module__}
    return type(f"{mnemonic}Op", (base,), members)


def unary(mnemonic: str, meaning: str) -> type[UnaryOp]:
    """A leaf of one number tensor."""
    return leaf(UnaryOp, mnemonic, meaning, "in [b, h, w, d].", f"(%x) : ({_F32}) -> {_F32}")


def _two(base: type[BinaryOp], mnemonic: str, meaning: str) -> type[BinaryOp]:
    wide, row, result = {
        CompareOp: (_F32, _ROW, _BOOL),
        LogicOp: (_BOOL, _BOOL, _BOOL),
    }.get(base, (_F32, _ROW, _F32))
    operands = "a and b [b, h, w, d], each dim equal or 1."
    return leaf(base, mnemonic, meaning, operands, f"(%a, %b) : ({wide}, {row}) -> {result}")


def _not(mnemonic: str) -> type[NotOp]:
    example = f"(%x) : ({_BOOL}) -> {_BOOL}"
    return leaf(NotOp, mnemonic, "out = not in.", "in [b, h, w, d], Bool8.", example)


def _select(mnemonic: str) -> type[ChoiceOp]:
    operands = "cond Bool8, a and b [b, h, w, d], each dim equal or 1."
    example = f"(%c, %a, %b) : ({_BOOL}, {_F32}, {_ROW}) -> {_F32}"
    return leaf(ChoiceOp, mnemonic, "out = a where cond holds, else b.", operands, example)


_UNARY = (
    ("Abs", "Abs", "out = |in|."),
    ("Neg", "Neg", "out = -in."),
    ("Exp", "Exp", "out = e to the power of in."),
    ("Log", "Log", "out = the natural logarithm of in."),
    ("SquareRoot", "Sqrt", "out = the square root of in."),
    ("Rsqrt", "Rsqrt", "out = 1 / the square root of in."),
    ("Sin", "Sin", "out = sin(in), in radians."),
    ("Cos", "Cos", "out = cos(in), in radians."),
    ("Floor", "Floor", "out = the largest whole number <= in."),
    ("Ceil", "Ceil", "out = the smallest whole number >= in."),
    ("Round", "Round", "out = the nearest whole number, half to even."),
    ("Sign", "Sign", "out = -1, 0 or 1."),
    ("Reciprocal", "Reciprocal", "out = 1 / in."),
    ("Erf", "Erf", "out = the error function of in."),
    ("Softplus", "Softplus", "out = log(1 + exp(in))."),
)

_BINARY = (
    (BinaryOp, "Add", "Add", "out = a + b."),
    (BinaryOp, "Subtract", "Sub", "out = a - b."),
    (BinaryOp, "Multiply", "Mul", "out = a * b."),
    (BinaryOp, "Divide", "Div", "out = a / b; of integers truncated towards zero."),
    (PowerOp, "Power", "Pow", "out = a to the power of b."),
    (BinaryOp, "Maximum", "Maximum", "out = the larger of a and b."),
    (BinaryOp, "Minimum", "Minimum", "out = the smaller of a and b."),
    (BinaryOp, "SquaredDifference", "SquaredDifference", "out = (a - b) squared."),
    (BinaryOp, "Mod", "Mod", "out = the remainder of a / b, with the sign of b."),
    (CompareOp, "Less", "Less", "out = a < b."),
    (CompareOp, "LessEqual", "LessEqual", "out = a <= b."),
    (CompareOp, "Greater", "Greater", "out = a > b."),
    (CompareOp, "GreaterEqual", "GreaterEqual", "out = a >= b."),
    (CompareOp, "Equal", "Equal", "out = a == b."),
    (CompareOp, "NotEqual", "NotEqual", "out = a != b."),
    (LogicOp, "And", "And", "out = a and b."),
    (LogicOp, "Or", "Or", "out = a or b."),
    (LogicOp, "Xor", "Xor", "out = either a or b."),
)

CORE_OF: dict[str, str] = {
    **{f"ElementWise{raw}": core for raw, core, _ in _UNARY},
    **{f"ElementWise{raw}": core for _, raw, core, _ in _BINARY},
    "ElementWiseNot": "Not",
    "ElementWiseSelect": "Select",
}
"""The core form of every raw element-wise form, by mnemonic: ElementWiseSubtract -> Sub."""

OPS: tuple[type[NativeOp], ...] = (
    *(unary(f"ElementWise{raw}", meaning) for raw, _, meaning in _UNARY),
    *(unary(core, meaning) for _, core, meaning in _UNARY),
    *(_two(base, f"ElementWise{raw}", meaning) for base, raw, _, meaning in _BINARY),
    *(_two(base, core, meaning) for base, _, core, meaning in _BINARY),
    *(_not(mnemonic) for mnemonic in ("ElementWiseNot", "Not")),
    *(_select(mnemonic) for mnemonic in ("ElementWiseSelect", "Select")),
)

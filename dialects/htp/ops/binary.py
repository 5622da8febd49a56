"""Element-wise ops of two and three tensors, each in its core form and its raw form.

The raw form is the one that a graph op becomes; a rule renames it.
"""

from __future__ import annotations

from ..base import NativeOp
from .elementwise import BinaryOp, ChoiceOp, CompareOp, LogicOp, PowerOp


class AddOp(BinaryOp):
    """out = a + b."""

    name = "htp.Add"


class ElementWiseAddOp(BinaryOp):
    name = "htp.ElementWiseAdd"
    CORE = AddOp


class SubOp(BinaryOp):
    """out = a - b."""

    name = "htp.Sub"


class ElementWiseSubtractOp(BinaryOp):
    name = "htp.ElementWiseSubtract"
    CORE = SubOp


class MulOp(BinaryOp):
    """out = a * b."""

    name = "htp.Mul"


class ElementWiseMultiplyOp(BinaryOp):
    name = "htp.ElementWiseMultiply"
    CORE = MulOp


class DivOp(BinaryOp):
    """out = a / b; of integers truncated towards zero."""

    name = "htp.Div"


class ElementWiseDivideOp(BinaryOp):
    name = "htp.ElementWiseDivide"
    CORE = DivOp


class PowOp(PowerOp):
    """out = a to the power of b."""

    name = "htp.Pow"


class ElementWisePowerOp(PowerOp):
    name = "htp.ElementWisePower"
    CORE = PowOp


class MaximumOp(BinaryOp):
    """out = the larger of a and b."""

    name = "htp.Maximum"


class ElementWiseMaximumOp(BinaryOp):
    name = "htp.ElementWiseMaximum"
    CORE = MaximumOp


class MinimumOp(BinaryOp):
    """out = the smaller of a and b."""

    name = "htp.Minimum"


class ElementWiseMinimumOp(BinaryOp):
    name = "htp.ElementWiseMinimum"
    CORE = MinimumOp


class SquaredDifferenceOp(BinaryOp):
    """out = (a - b) squared."""

    name = "htp.SquaredDifference"


class ElementWiseSquaredDifferenceOp(BinaryOp):
    name = "htp.ElementWiseSquaredDifference"
    CORE = SquaredDifferenceOp


class ModOp(BinaryOp):
    """out = the remainder of a / b, with the sign of b."""

    name = "htp.Mod"


class ElementWiseModOp(BinaryOp):
    name = "htp.ElementWiseMod"
    CORE = ModOp


class LessOp(CompareOp):
    """out = a < b."""

    name = "htp.Less"


class ElementWiseLessOp(CompareOp):
    name = "htp.ElementWiseLess"
    CORE = LessOp


class LessEqualOp(CompareOp):
    """out = a <= b."""

    name = "htp.LessEqual"


class ElementWiseLessEqualOp(CompareOp):
    name = "htp.ElementWiseLessEqual"
    CORE = LessEqualOp


class GreaterOp(CompareOp):
    """out = a > b."""

    name = "htp.Greater"


class ElementWiseGreaterOp(CompareOp):
    name = "htp.ElementWiseGreater"
    CORE = GreaterOp


class GreaterEqualOp(CompareOp):
    """out = a >= b."""

    name = "htp.GreaterEqual"


class ElementWiseGreaterEqualOp(CompareOp):
    name = "htp.ElementWiseGreaterEqual"
    CORE = GreaterEqualOp


class EqualOp(CompareOp):
    """out = a == b."""

    name = "htp.Equal"


class ElementWiseEqualOp(CompareOp):
    name = "htp.ElementWiseEqual"
    CORE = EqualOp


class NotEqualOp(CompareOp):
    """out = a != b."""

    name = "htp.NotEqual"


class ElementWiseNotEqualOp(CompareOp):
    name = "htp.ElementWiseNotEqual"
    CORE = NotEqualOp


class AndOp(LogicOp):
    """out = a and b."""

    name = "htp.And"


class ElementWiseAndOp(LogicOp):
    name = "htp.ElementWiseAnd"
    CORE = AndOp


class OrOp(LogicOp):
    """out = a or b."""

    name = "htp.Or"


class ElementWiseOrOp(LogicOp):
    name = "htp.ElementWiseOr"
    CORE = OrOp


class XorOp(LogicOp):
    """out = either a or b."""

    name = "htp.Xor"


class ElementWiseXorOp(LogicOp):
    name = "htp.ElementWiseXor"
    CORE = XorOp


class SelectOp(ChoiceOp):
    """out = a where cond holds, else b."""

    name = "htp.Select"


class ElementWiseSelectOp(ChoiceOp):
    name = "htp.ElementWiseSelect"
    CORE = SelectOp


OPS: tuple[type[NativeOp], ...] = (
    *(AddOp, ElementWiseAddOp),
    *(SubOp, ElementWiseSubtractOp),
    *(MulOp, ElementWiseMultiplyOp),
    *(DivOp, ElementWiseDivideOp),
    *(PowOp, ElementWisePowerOp),
    *(MaximumOp, ElementWiseMaximumOp),
    *(MinimumOp, ElementWiseMinimumOp),
    *(SquaredDifferenceOp, ElementWiseSquaredDifferenceOp),
    *(ModOp, ElementWiseModOp),
    *(LessOp, ElementWiseLessOp),
    *(LessEqualOp, ElementWiseLessEqualOp),
    *(GreaterOp, ElementWiseGreaterOp),
    *(GreaterEqualOp, ElementWiseGreaterEqualOp),
    *(EqualOp, ElementWiseEqualOp),
    *(NotEqualOp, ElementWiseNotEqualOp),
    *(AndOp, ElementWiseAndOp),
    *(OrOp, ElementWiseOrOp),
    *(XorOp, ElementWiseXorOp),
    *(SelectOp, ElementWiseSelectOp),
)

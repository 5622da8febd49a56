"""Element-wise ops of two and three tensors, each in its core form and its raw form.

The raw form is the one that a graph op becomes; a rule renames it.
"""

from ..base import NativeOp
from .elementwise import BinaryOp, ChoiceOp, CompareOp, LogicOp, PowerOp


class AddOp(BinaryOp):
    """out = a + b."""

    name = "htp.Add"


class ElementWiseAddOp(BinaryOp, core=AddOp):
    name = "htp.ElementWiseAdd"


class SubOp(BinaryOp):
    """out = a - b."""

    name = "htp.Sub"


class ElementWiseSubtractOp(BinaryOp, core=SubOp):
    name = "htp.ElementWiseSubtract"


class MulOp(BinaryOp):
    """out = a * b."""

    name = "htp.Mul"


class ElementWiseMultiplyOp(BinaryOp, core=MulOp):
    name = "htp.ElementWiseMultiply"


class DivOp(BinaryOp):
    """out = a / b; of integers truncated towards zero."""

    name = "htp.Div"


class ElementWiseDivideOp(BinaryOp, core=DivOp):
    name = "htp.ElementWiseDivide"


class PowOp(PowerOp):
    """out = a to the power of b."""

    name = "htp.Pow"


class ElementWisePowerOp(PowerOp, core=PowOp):
    name = "htp.ElementWisePower"


class MaximumOp(BinaryOp):
    """out = the larger of a and b."""

    name = "htp.Maximum"


class ElementWiseMaximumOp(BinaryOp, core=MaximumOp):
    name = "htp.ElementWiseMaximum"


class MinimumOp(BinaryOp):
    """out = the smaller of a and b."""

    name = "htp.Minimum"


class ElementWiseMinimumOp(BinaryOp, core=MinimumOp):
    name = "htp.ElementWiseMinimum"


class SquaredDifferenceOp(BinaryOp):
    """out = (a - b) squared."""

    name = "htp.SquaredDifference"


class ElementWiseSquaredDifferenceOp(BinaryOp, core=SquaredDifferenceOp):
    name = "htp.ElementWiseSquaredDifference"


class ModOp(BinaryOp):
    """out = the remainder of a / b, with the sign of b."""

    name = "htp.Mod"


class ElementWiseModOp(BinaryOp, core=ModOp):
    name = "htp.ElementWiseMod"


class LessOp(CompareOp):
    """out = a < b."""

    name = "htp.Less"


class ElementWiseLessOp(CompareOp, core=LessOp):
    name = "htp.ElementWiseLess"


class LessEqualOp(CompareOp):
    """out = a <= b."""

    name = "htp.LessEqual"


class ElementWiseLessEqualOp(CompareOp, core=LessEqualOp):
    name = "htp.ElementWiseLessEqual"


class GreaterOp(CompareOp):
    """out = a > b."""

    name = "htp.Greater"


class ElementWiseGreaterOp(CompareOp, core=GreaterOp):
    name = "htp.ElementWiseGreater"


class GreaterEqualOp(CompareOp):
    """out = a >= b."""

    name = "htp.GreaterEqual"


class ElementWiseGreaterEqualOp(CompareOp, core=GreaterEqualOp):
    name = "htp.ElementWiseGreaterEqual"


class EqualOp(CompareOp):
    """out = a == b."""

    name = "htp.Equal"


class ElementWiseEqualOp(CompareOp, core=EqualOp):
    name = "htp.ElementWiseEqual"


class NotEqualOp(CompareOp):
    """out = a != b."""

    name = "htp.NotEqual"


class ElementWiseNotEqualOp(CompareOp, core=NotEqualOp):
    name = "htp.ElementWiseNotEqual"


class AndOp(LogicOp):
    """out = a and b; of integers bit by bit."""

    name = "htp.And"


class ElementWiseAndOp(LogicOp, core=AndOp):
    name = "htp.ElementWiseAnd"


class OrOp(LogicOp):
    """out = a or b; of integers bit by bit."""

    name = "htp.Or"


class ElementWiseOrOp(LogicOp, core=OrOp):
    name = "htp.ElementWiseOr"


class XorOp(LogicOp):
    """out = either a or b; of integers bit by bit."""

    name = "htp.Xor"


class ElementWiseXorOp(LogicOp, core=XorOp):
    name = "htp.ElementWiseXor"


class SelectOp(ChoiceOp):
    """out = a where cond holds, else b."""

    name = "htp.Select"


class ElementWiseSelectOp(ChoiceOp, core=SelectOp):
    name = "htp.ElementWiseSelect"


OPS: tuple[type[NativeOp], ...] = (
    *(AddOp, ElementWiseAddOp, SubOp, ElementWiseSubtractOp, MulOp, ElementWiseMultiplyOp),
    *(DivOp, ElementWiseDivideOp, PowOp, ElementWisePowerOp),
    *(MaximumOp, ElementWiseMaximumOp, MinimumOp, ElementWiseMinimumOp),
    *(SquaredDifferenceOp, ElementWiseSquaredDifferenceOp, ModOp, ElementWiseModOp),
    *(LessOp, ElementWiseLessOp, LessEqualOp, ElementWiseLessEqualOp),
    *(GreaterOp, ElementWiseGreaterOp, GreaterEqualOp, ElementWiseGreaterEqualOp),
    *(EqualOp, ElementWiseEqualOp, NotEqualOp, ElementWiseNotEqualOp),
    *(AndOp, ElementWiseAndOp, OrOp, ElementWiseOrOp, XorOp, ElementWiseXorOp),
    *(SelectOp, ElementWiseSelectOp),
)

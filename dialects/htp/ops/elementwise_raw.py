"""Element-wise ops in the raw form that a graph op becomes; each has a core form of its shape."""

from __future__ import annotations

from ..base import NativeOp
from . import elementwise as core
from .elementwise import (
    BinaryOp,
    ChoiceOp,
    CompareOp,
    LogicOp,
    PowerOp,
    UnaryLogicOp,
    UnaryOp,
)


class ElementWiseAbsOp(UnaryOp):
    name = "htp.ElementWiseAbs"
    CORE = core.AbsOp


class ElementWiseNegOp(UnaryOp):
    name = "htp.ElementWiseNeg"
    CORE = core.NegOp


class ElementWiseExpOp(UnaryOp):
    name = "htp.ElementWiseExp"
    CORE = core.ExpOp


class ElementWiseLogOp(UnaryOp):
    name = "htp.ElementWiseLog"
    CORE = core.LogOp


class ElementWiseSquareRootOp(UnaryOp):
    name = "htp.ElementWiseSquareRoot"
    CORE = core.SqrtOp


class ElementWiseRsqrtOp(UnaryOp):
    name = "htp.ElementWiseRsqrt"
    CORE = core.RsqrtOp


class ElementWiseSinOp(UnaryOp):
    name = "htp.ElementWiseSin"
    CORE = core.SinOp


class ElementWiseCosOp(UnaryOp):
    name = "htp.ElementWiseCos"
    CORE = core.CosOp


class ElementWiseFloorOp(UnaryOp):
    name = "htp.ElementWiseFloor"
    CORE = core.FloorOp


class ElementWiseCeilOp(UnaryOp):
    name = "htp.ElementWiseCeil"
    CORE = core.CeilOp


class ElementWiseRoundOp(UnaryOp):
    name = "htp.ElementWiseRound"
    CORE = core.RoundOp


class ElementWiseSignOp(UnaryOp):
    name = "htp.ElementWiseSign"
    CORE = core.SignOp


class ElementWiseReciprocalOp(UnaryOp):
    name = "htp.ElementWiseReciprocal"
    CORE = core.ReciprocalOp


class ElementWiseErfOp(UnaryOp):
    name = "htp.ElementWiseErf"
    CORE = core.ErfOp


class ElementWiseSoftplusOp(UnaryOp):
    name = "htp.ElementWiseSoftplus"
    CORE = core.SoftplusOp


class ElementWiseAddOp(BinaryOp):
    name = "htp.ElementWiseAdd"
    CORE = core.AddOp


class ElementWiseSubtractOp(BinaryOp):
    name = "htp.ElementWiseSubtract"
    CORE = core.SubOp


class ElementWiseMultiplyOp(BinaryOp):
    name = "htp.ElementWiseMultiply"
    CORE = core.MulOp


class ElementWiseDivideOp(BinaryOp):
    name = "htp.ElementWiseDivide"
    CORE = core.DivOp


class ElementWisePowerOp(PowerOp):
    name = "htp.ElementWisePower"
    CORE = core.PowOp


class ElementWiseMaximumOp(BinaryOp):
    name = "htp.ElementWiseMaximum"
    CORE = core.MaximumOp


class ElementWiseMinimumOp(BinaryOp):
    name = "htp.ElementWiseMinimum"
    CORE = core.MinimumOp


class ElementWiseSquaredDifferenceOp(BinaryOp):
    name = "htp.ElementWiseSquaredDifference"
    CORE = core.SquaredDifferenceOp


class ElementWiseModOp(BinaryOp):
    name = "htp.ElementWiseMod"
    CORE = core.ModOp


class ElementWiseLessOp(CompareOp):
    name = "htp.ElementWiseLess"
    CORE = core.LessOp


class ElementWiseLessEqualOp(CompareOp):
    name = "htp.ElementWiseLessEqual"
    CORE = core.LessEqualOp


class ElementWiseGreaterOp(CompareOp):
    name = "htp.ElementWiseGreater"
    CORE = core.GreaterOp


class ElementWiseGreaterEqualOp(CompareOp):
    name = "htp.ElementWiseGreaterEqual"
    CORE = core.GreaterEqualOp


class ElementWiseEqualOp(CompareOp):
    name = "htp.ElementWiseEqual"
    CORE = core.EqualOp


class ElementWiseNotEqualOp(CompareOp):
    name = "htp.ElementWiseNotEqual"
    CORE = core.NotEqualOp


class ElementWiseAndOp(LogicOp):
    name = "htp.ElementWiseAnd"
    CORE = core.AndOp


class ElementWiseOrOp(LogicOp):
    name = "htp.ElementWiseOr"
    CORE = core.OrOp


class ElementWiseXorOp(LogicOp):
    name = "htp.ElementWiseXor"
    CORE = core.XorOp


class ElementWiseNotOp(UnaryLogicOp):
    name = "htp.ElementWiseNot"
    CORE = core.NotOp


class ElementWiseSelectOp(ChoiceOp):
    name = "htp.ElementWiseSelect"
    CORE = core.SelectOp


OPS: tuple[type[NativeOp], ...] = (
    *(ElementWiseAbsOp, ElementWiseNegOp, ElementWiseExpOp, ElementWiseLogOp),
    *(ElementWiseSquareRootOp, ElementWiseRsqrtOp, ElementWiseSinOp, ElementWiseCosOp),
    *(ElementWiseFloorOp, ElementWiseCeilOp, ElementWiseRoundOp, ElementWiseSignOp),
    *(ElementWiseReciprocalOp, ElementWiseErfOp, ElementWiseSoftplusOp, ElementWiseAddOp),
    *(ElementWiseSubtractOp, ElementWiseMultiplyOp, ElementWiseDivideOp, ElementWisePowerOp),
    *(ElementWiseMaximumOp, ElementWiseMinimumOp, ElementWiseSquaredDifferenceOp, ElementWiseModOp),
    *(ElementWiseLessOp, ElementWiseLessEqualOp, ElementWiseGreaterOp, ElementWiseGreaterEqualOp),
    *(ElementWiseEqualOp, ElementWiseNotEqualOp, ElementWiseAndOp, ElementWiseOrOp),
    *(ElementWiseXorOp, ElementWiseNotOp, ElementWiseSelectOp),
)

CORE_OF: dict[str, str] = {op.mnemonic(): op.CORE.mnemonic() for op in OPS if op.CORE}
"""The core form of every raw element-wise form, by mnemonic: ElementWiseSubtract -> Sub."""

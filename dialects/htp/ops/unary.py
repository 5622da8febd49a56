"""Element-wise ops of one tensor: the core form of rules and kernels, and the raw form.

The raw form is the one that a graph op becomes; a rule renames it.
"""

from ..base import NativeOp
from .elementwise import UnaryLogicOp, UnaryOp


class AbsOp(UnaryOp):
    """out = |in|."""

    name = "htp.Abs"


class ElementWiseAbsOp(UnaryOp, core=AbsOp):
    name = "htp.ElementWiseAbs"


class NegOp(UnaryOp):
    """out = -in."""

    name = "htp.Neg"


class ElementWiseNegOp(UnaryOp, core=NegOp):
    name = "htp.ElementWiseNeg"


class ExpOp(UnaryOp):
    """out = e to the power of in."""

    name = "htp.Exp"


class ElementWiseExpOp(UnaryOp, core=ExpOp):
    name = "htp.ElementWiseExp"


class LogOp(UnaryOp):
    """out = the natural logarithm of in."""

    name = "htp.Log"


class ElementWiseLogOp(UnaryOp, core=LogOp):
    name = "htp.ElementWiseLog"


class SqrtOp(UnaryOp):
    """out = the square root of in."""

    name = "htp.Sqrt"


class ElementWiseSquareRootOp(UnaryOp, core=SqrtOp):
    name = "htp.ElementWiseSquareRoot"


class RsqrtOp(UnaryOp):
    """out = 1 / the square root of in."""

    name = "htp.Rsqrt"


class ElementWiseRsqrtOp(UnaryOp, core=RsqrtOp):
    name = "htp.ElementWiseRsqrt"


class SinOp(UnaryOp):
    """out = sin(in), in radians."""

    name = "htp.Sin"


class ElementWiseSinOp(UnaryOp, core=SinOp):
    name = "htp.ElementWiseSin"


class CosOp(UnaryOp):
    """out = cos(in), in radians."""

    name = "htp.Cos"


class ElementWiseCosOp(UnaryOp, core=CosOp):
    name = "htp.ElementWiseCos"


class AsinOp(UnaryOp):
    """out = the angle in radians whose sine is in."""

    name = "htp.Asin"


class ElementWiseAsinOp(UnaryOp, core=AsinOp):
    name = "htp.ElementWiseAsin"


class AtanOp(UnaryOp):
    """out = the angle in radians whose tangent is in."""

    name = "htp.Atan"


class ElementWiseAtanOp(UnaryOp, core=AtanOp):
    name = "htp.ElementWiseAtan"


class FloorOp(UnaryOp):
    """out = the largest whole number <= in."""

    name = "htp.Floor"


class ElementWiseFloorOp(UnaryOp, core=FloorOp):
    name = "htp.ElementWiseFloor"


class CeilOp(UnaryOp):
    """out = the smallest whole number >= in."""

    name = "htp.Ceil"


class ElementWiseCeilOp(UnaryOp, core=CeilOp):
    name = "htp.ElementWiseCeil"


class RoundOp(UnaryOp):
    """out = the nearest whole number, half to even."""

    name = "htp.Round"


class ElementWiseRoundOp(UnaryOp, core=RoundOp):
    name = "htp.ElementWiseRound"


class SignOp(UnaryOp):
    """out = -1, 0 or 1."""

    name = "htp.Sign"


class ElementWiseSignOp(UnaryOp, core=SignOp):
    name = "htp.ElementWiseSign"


class ReciprocalOp(UnaryOp):
    """out = 1 / in."""

    name = "htp.Reciprocal"


class ElementWiseReciprocalOp(UnaryOp, core=ReciprocalOp):
    name = "htp.ElementWiseReciprocal"


class ErfOp(UnaryOp):
    """out = the error function of in."""

    name = "htp.Erf"


class ElementWiseErfOp(UnaryOp, core=ErfOp):
    name = "htp.ElementWiseErf"


class SoftplusOp(UnaryOp):
    """out = log(1 + exp(in))."""

    name = "htp.Softplus"


class ElementWiseSoftplusOp(UnaryOp, core=SoftplusOp):
    name = "htp.ElementWiseSoftplus"


class NotOp(UnaryLogicOp):
    """out = not in; of an integer each bit."""

    name = "htp.Not"


class ElementWiseNotOp(UnaryLogicOp, core=NotOp):
    name = "htp.ElementWiseNot"


OPS: tuple[type[NativeOp], ...] = (
    *(AbsOp, ElementWiseAbsOp, NegOp, ElementWiseNegOp, ExpOp, ElementWiseExpOp),
    *(LogOp, ElementWiseLogOp, SqrtOp, ElementWiseSquareRootOp, RsqrtOp, ElementWiseRsqrtOp),
    *(SinOp, ElementWiseSinOp, CosOp, ElementWiseCosOp, FloorOp, ElementWiseFloorOp),
    *(AsinOp, ElementWiseAsinOp, AtanOp, ElementWiseAtanOp),
    *(CeilOp, ElementWiseCeilOp, RoundOp, ElementWiseRoundOp, SignOp, ElementWiseSignOp),
    *(ReciprocalOp, ElementWiseReciprocalOp, ErfOp, ElementWiseErfOp),
    *(SoftplusOp, ElementWiseSoftplusOp, NotOp, ElementWiseNotOp),
)

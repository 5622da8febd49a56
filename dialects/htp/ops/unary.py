"""Element-wise ops of one tensor: the core form of rules and kernels, and the raw form.

The raw form is the one that a graph op becomes; a rule renames it.
"""

from __future__ import annotations

from ..base import NativeOp
from .elementwise import UnaryLogicOp, UnaryOp


class AbsOp(UnaryOp):
    """out = |in|."""

    name = "htp.Abs"


class ElementWiseAbsOp(UnaryOp):
    name = "htp.ElementWiseAbs"
    CORE = AbsOp


class NegOp(UnaryOp):
    """out = -in."""

    name = "htp.Neg"


class ElementWiseNegOp(UnaryOp):
    name = "htp.ElementWiseNeg"
    CORE = NegOp


class ExpOp(UnaryOp):
    """out = e to the power of in."""

    name = "htp.Exp"


class ElementWiseExpOp(UnaryOp):
    name = "htp.ElementWiseExp"
    CORE = ExpOp


class LogOp(UnaryOp):
    """out = the natural logarithm of in."""

    name = "htp.Log"


class ElementWiseLogOp(UnaryOp):
    name = "htp.ElementWiseLog"
    CORE = LogOp


class SqrtOp(UnaryOp):
    """out = the square root of in."""

    name = "htp.Sqrt"


class ElementWiseSquareRootOp(UnaryOp):
    name = "htp.ElementWiseSquareRoot"
    CORE = SqrtOp


class RsqrtOp(UnaryOp):
    """out = 1 / the square root of in."""

    name = "htp.Rsqrt"


class ElementWiseRsqrtOp(UnaryOp):
    name = "htp.ElementWiseRsqrt"
    CORE = RsqrtOp


class SinOp(UnaryOp):
    """out = sin(in), in radians."""

    name = "htp.Sin"


class ElementWiseSinOp(UnaryOp):
    name = "htp.ElementWiseSin"
    CORE = SinOp


class CosOp(UnaryOp):
    """out = cos(in), in radians."""

    name = "htp.Cos"


class ElementWiseCosOp(UnaryOp):
    name = "htp.ElementWiseCos"
    CORE = CosOp


class FloorOp(UnaryOp):
    """out = the largest whole number <= in."""

    name = "htp.Floor"


class ElementWiseFloorOp(UnaryOp):
    name = "htp.ElementWiseFloor"
    CORE = FloorOp


class CeilOp(UnaryOp):
    """out = the smallest whole number >= in."""

    name = "htp.Ceil"


class ElementWiseCeilOp(UnaryOp):
    name = "htp.ElementWiseCeil"
    CORE = CeilOp


class RoundOp(UnaryOp):
    """out = the nearest whole number, half to even."""

    name = "htp.Round"


class ElementWiseRoundOp(UnaryOp):
    name = "htp.ElementWiseRound"
    CORE = RoundOp


class SignOp(UnaryOp):
    """out = -1, 0 or 1."""

    name = "htp.Sign"


class ElementWiseSignOp(UnaryOp):
    name = "htp.ElementWiseSign"
    CORE = SignOp


class ReciprocalOp(UnaryOp):
    """out = 1 / in."""

    name = "htp.Reciprocal"


class ElementWiseReciprocalOp(UnaryOp):
    name = "htp.ElementWiseReciprocal"
    CORE = ReciprocalOp


class ErfOp(UnaryOp):
    """out = the error function of in."""

    name = "htp.Erf"


class ElementWiseErfOp(UnaryOp):
    name = "htp.ElementWiseErf"
    CORE = ErfOp


class SoftplusOp(UnaryOp):
    """out = log(1 + exp(in))."""

    name = "htp.Softplus"


class ElementWiseSoftplusOp(UnaryOp):
    name = "htp.ElementWiseSoftplus"
    CORE = SoftplusOp


class NotOp(UnaryLogicOp):
    """out = not in."""

    name = "htp.Not"


class ElementWiseNotOp(UnaryLogicOp):
    name = "htp.ElementWiseNot"
    CORE = NotOp


OPS: tuple[type[NativeOp], ...] = (
    *(AbsOp, ElementWiseAbsOp),
    *(NegOp, ElementWiseNegOp),
    *(ExpOp, ElementWiseExpOp),
    *(LogOp, ElementWiseLogOp),
    *(SqrtOp, ElementWiseSquareRootOp),
    *(RsqrtOp, ElementWiseRsqrtOp),
    *(SinOp, ElementWiseSinOp),
    *(CosOp, ElementWiseCosOp),
    *(FloorOp, ElementWiseFloorOp),
    *(CeilOp, ElementWiseCeilOp),
    *(RoundOp, ElementWiseRoundOp),
    *(SignOp, ElementWiseSignOp),
    *(ReciprocalOp, ElementWiseReciprocalOp),
    *(ErfOp, ElementWiseErfOp),
    *(SoftplusOp, ElementWiseSoftplusOp),
    *(NotOp, ElementWiseNotOp),
)

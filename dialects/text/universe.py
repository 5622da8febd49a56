"""The dialects as xDSL finds them: names and callables that import only when asked."""

from xdsl.ir import Dialect
from xdsl.universe import Universe


def _qti_aisw() -> Dialect:
    from ..qti_aisw import QTI_AISW

    return QTI_AISW


def _htp() -> Dialect:
    from ..htp import HTP

    return HTP


def _quant() -> Dialect:
    from ..quant import QUANT

    return QUANT


DIALECTS = Universe(all_dialects={"qti_aisw": _qti_aisw, "htp": _htp, "quant": _quant})
"""Entry point of the group `xdsl.universe`: gives every xDSL tool our dialects."""

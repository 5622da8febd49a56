"""The conversions of the package `htp`: of irregular ops, and the uniform one for the rest."""

from __future__ import annotations

from collections.abc import Iterable

from ...dialects.qti_aisw import GRAPH_OPS
from . import attention, custom, experts, movement, optimisers, rnn
from .registry import Conversion, ConversionSet, ir_name
from .regular import convert_regular

_IRREGULAR = (
    movement.CONVERSIONS,
    rnn.CONVERSIONS,
    experts.CONVERSIONS,
    optimisers.CONVERSIONS,
    attention.CONVERSIONS,
    custom.CONVERSIONS,
)
"""State, several outputs, another operand order or no HTP op of that name."""

_DECLARED = {row.op for rows in _IRREGULAR for row in rows}

_REGULAR = ConversionSet()
_REGULAR.conversion(*(op for op in GRAPH_OPS if ir_name(op) not in _DECLARED))(convert_regular)

SETS: tuple[Iterable[Conversion], ...] = (_REGULAR, *_IRREGULAR)
"""One conversion for every graph op but Const."""

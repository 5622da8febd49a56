"""The conversions of the package `htp`: the uniform one, or that of an irregular op."""

from __future__ import annotations

from ...dialects.qti_aisw import GRAPH_OPS
from .buffer import convert_buffer
from .custom import convert_custom
from .masked_softmax import convert_masked_softmax
from .movement import convert_concat, convert_gather, convert_reshape, convert_split, convert_typed
from .registry import Conversion, Convert, ir_name
from .regular import convert_regular
from .rnn import convert_rnn, convert_stateful_rnn

_IRREGULAR: dict[str, Convert] = {
    "Reshape": convert_reshape,
    "Concat": convert_concat,
    "Split": convert_split,
    "Gather": convert_gather,
    "Cast": convert_typed,
    "Quantize": convert_typed,
    "Dequantize": convert_typed,
    "Lstm": convert_rnn,
    "Gru": convert_rnn,
    "StatefulLstm": convert_stateful_rnn,
    "StatefulGru": convert_stateful_rnn,
    "Buffer": convert_buffer,
    "MaskedSoftmax": convert_masked_softmax,
    "Custom": convert_custom,
}
"""State, several outputs, another operand order or no HTP op of that name."""

CONVERSIONS: tuple[Conversion, ...] = tuple(
    Conversion(ir_name(op), _IRREGULAR.get(op, convert_regular)) for op in [*GRAPH_OPS, "Custom"]
)
"""One for every graph op but Const."""

"""Which conversion each graph op takes: the uniform one unless it stands here."""

from __future__ import annotations

from collections.abc import Callable

from ...dialects.qti_aisw.base import GraphOp
from .buffer import convert_buffer
from .builder import Builder
from .masked_softmax import convert_masked_softmax
from .movement import (
    convert_concat,
    convert_gather,
    convert_reshape,
    convert_split,
    convert_typed,
)
from .rnn import convert_rnn, convert_stateful_rnn

Conversion = Callable[[GraphOp, Builder], None]

IRREGULAR: dict[str, Conversion] = {
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
}
"""State, several outputs, another operand order or no HTP op of that name."""

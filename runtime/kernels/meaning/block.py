"""Recurrent layers and MaskedSoftmax by mnemonic."""

from __future__ import annotations

from collections.abc import Sequence

from ...functions.arrays import Array
from ...functions.masked_softmax import MaskMode, masked_softmax
from ...functions.rnn import Direction, gru, lstm
from ..support.params import Params
from .binding import Inputs, Meaning
from .operands import given, whole

_LSTM_RANKS = (3, 3, 3, 2, 1, 3, 3, 2)
_GRU_RANKS = (3, 3, 3, 2, 1, 3)


def _trimmed(inputs: Inputs, ranks: Sequence[int]) -> list[Array | None]:
    """The first operands, without the dims of 1 that native level puts before their own."""
    return [
        value if value is None else value.reshape(value.shape[value.ndim - rank :])
        for value, rank in zip(inputs, ranks, strict=False)
    ]


def _clip(params: Params) -> float | None:
    """The bound on the gates; absent or 0 means none."""
    return (params.real("clip") or None) if "clip" in params else None


def _lstm(inputs: Inputs, params: Params) -> Sequence[Array]:
    x, w, r, b, lens, h, c, p = _trimmed(inputs, _LSTM_RANKS)
    return lstm(
        given((x,), 0),
        given((w,), 0),
        given((r,), 0),
        b,
        lens if lens is None else whole(lens),
        h,
        c,
        p,
        direction=params.choice("direction", Direction),
        clip=_clip(params),
        input_forget=params.flag("input_forget", default=False),
    )


def _gru(inputs: Inputs, params: Params) -> Sequence[Array]:
    x, w, r, b, lens, h = _trimmed(inputs, _GRU_RANKS)
    return gru(
        given((x,), 0),
        given((w,), 0),
        given((r,), 0),
        b,
        lens if lens is None else whole(lens),
        h,
        direction=params.choice("direction", Direction),
        clip=_clip(params),
        linear_before_reset=params.flag("linear_before_reset", default=False),
    )


def _masked_softmax(inputs: Inputs, params: Params) -> list[Array]:
    mode = params.choice("mode", MaskMode)
    return [masked_softmax(given(inputs, 0), whole(given(inputs, 1)), mode)]


RECURRENT: dict[str, Meaning] = {"Lstm": Meaning(_lstm), "Gru": Meaning(_gru)}

MASKED_SOFTMAX: dict[str, Meaning] = {"MaskedSoftmax": Meaning(_masked_softmax)}

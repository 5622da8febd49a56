"""All models of the conversion tests, by op and variant."""

from collections.abc import Callable

from tests.support.graph import Model

from . import (
    cases_attention,
    cases_block,
    cases_elementwise,
    cases_fused,
    cases_image,
    cases_movement,
    cases_recurrent,
    cases_window,
)

CASES: dict[str, Callable[[], Model]] = {
    **cases_elementwise.CASES,
    **cases_window.CASES,
    **cases_attention.CASES,
    **cases_fused.CASES,
    **cases_image.CASES,
    **cases_movement.CASES,
    **cases_recurrent.CASES,
    **cases_block.CASES,
}

STATEFUL = ("Buffer", "Buffer RIGHT", "StatefulLstm", "StatefulGru")

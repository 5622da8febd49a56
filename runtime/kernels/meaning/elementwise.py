"""Element-wise ops by mnemonic: graph form, raw native form and core form."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....dialects.htp.ops.elementwise import CORE_OF
from ...functions import elementwise
from ...functions.arrays import Array
from ...functions.elementwise import BINARY, UNARY
from ..support.params import Params
from .binding import Function, Inputs, Meaning
from .operands import given


def _unary(function: Callable[[Array], Array]) -> Meaning:
    return Meaning(lambda inputs, params: [function(given(inputs, 0))])


def _binary(function: Callable[[Array, Array], Array]) -> Meaning:
    return Meaning(lambda inputs, params: [function(given(inputs, 0), given(inputs, 1))])


def _select(inputs: Inputs, params: Params) -> list[Array]:
    condition = given(inputs, 0).astype(bool)
    return [elementwise.select(condition, given(inputs, 1), given(inputs, 2))]


def _scaled(function: Callable[[Array, float], Array]) -> Function:
    return lambda inputs, params: [function(given(inputs, 0), params.real("alpha"))]


def _clamp(low: str, high: str, inputs: Inputs, params: Params) -> list[Array]:
    return [elementwise.clamp(given(inputs, 0), params.real(low), params.real(high))]


_CORE: dict[str, Meaning] = {
    **{name: _unary(function) for name, function in UNARY.items()},
    **{name: _binary(function) for name, function in BINARY.items()},
    "Select": Meaning(_select, moves=True),
}

ELEMENTWISE: dict[str, Meaning] = {
    **_CORE,
    **{raw: _CORE[core] for raw, core in CORE_OF.items()},
    "BiasAdd": _CORE["Add"],
    "Elu": Meaning(_scaled(elementwise.elu)),
    "LeakyRelu": Meaning(_scaled(elementwise.leaky_relu)),
    "Prelu": _binary(elementwise.prelu),
    "Clamp": Meaning(partial(_clamp, "min", "max")),
    "ReluMinMax": Meaning(partial(_clamp, "min_value", "max_value")),
}

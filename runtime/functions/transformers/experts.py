"""A mixture of experts. f16 is computed in f32 and rounded once."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..elementwise import BINARY, UNARY, swish
from ..linear import matmul
from ..movement import gather
from ..norm import softmax
from ..reduce import REDUCE, top_k
from ..support.arrays import Array, narrow, widen


class ExpertActivation(IntEnum):
    """The function between the products of an expert."""

    RELU = 0
    GELU = 1
    GELU_TANH = 2
    SWISH = 3


class Routing(IntEnum):
    """The weights of the experts: of all, in their shares of the chosen, or of the chosen."""

    ALL = 0
    SHARED = 1
    CHOSEN = 2


_UNARY: dict[ExpertActivation, Callable[[Array], Array]] = {
    ExpertActivation.RELU: UNARY["Relu"],
    ExpertActivation.GELU: UNARY["Gelu"],
    ExpertActivation.GELU_TANH: UNARY["GeluTanh"],
    ExpertActivation.SWISH: lambda x: swish(x, 1.0),
}

_times = BINARY["Mul"]


def routed_experts(
    x: Array,
    scores: Array,
    up: Array,
    down: Array,
    gate: Array | None,
    k: int,
    activation: ExpertActivation,
    routing: Routing,
) -> Array:
    """x[t, d], scores[t, e], up and gate[e, d, f], down[e, f, g] -> [t, g].

    Each row's sum over its k experts: weight * (activation(x * gate) o (x * up)) * down.
    """
    weights, experts = route(widen(scores), k, routing)
    rows = widen(x)[:, np.newaxis, np.newaxis]
    first, *linear = (
        matmul(rows, widen(gather(stack, experts, 0))) for stack in (gate, up) if stack is not None
    )
    inner = _UNARY[activation](first)
    for factor in linear:
        inner = _times(inner, factor)
    results = matmul(inner, widen(gather(down, experts, 0)))
    weighted = _times(results, weights[:, :, np.newaxis, np.newaxis])
    return narrow(REDUCE["Sum"](weighted, (1, 2), False), x.dtype)


def route(scores: Array, k: int, routing: Routing) -> tuple[Array, NDArray[np.integer]]:
    """scores[t, e] -> the weights and the numbers of each row's k best experts, [t, k] both."""
    if routing is Routing.CHOSEN:
        best, experts = top_k(scores, k)
        return softmax(best), experts.astype(np.intp)
    weights, experts = top_k(softmax(scores), k)
    if routing is Routing.SHARED:
        total = REDUCE["Sum"](weights, (1,), True)
        weights = BINARY["Div"](weights, total)
    return weights, experts.astype(np.intp)

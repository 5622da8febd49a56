"""Matrix products, normalisations and reductions by mnemonic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from ...functions import linear, norm
from ...functions.arrays import Array
from ...functions.elementwise import UNARY, clamp
from ...functions.reduce import REDUCE, Reduction, argmax, argmin
from ..support.params import Params
from .binding import Inputs, Meaning
from .operands import given


class _Softmax(Protocol):
    def __call__(self, x: Array, axis: int, beta: float) -> Array: ...


_Norm = Callable[[Array, Array | None, Array | None, tuple[int, ...], float], Array]


def _fully_connected(inputs: Inputs, params: Params) -> list[Array]:
    weights = given(inputs, 1)
    matrix = weights.reshape(weights.shape[-2:])
    return [linear.fully_connected(given(inputs, 0), matrix, inputs[2])]


def _matmul(inputs: Inputs, params: Params) -> list[Array]:
    transposed = (params.flag(f"transpose_in{i}", default=False) for i in range(2))
    return [linear.matmul(given(inputs, 0), given(inputs, 1), *transposed)]


def _softmax(function: _Softmax) -> Meaning:
    return Meaning(
        lambda inputs, params: [
            function(given(inputs, 0), params.integer("axis"), params.real("beta"))
        ]
    )


def _norm(function: _Norm) -> Meaning:
    return Meaning(
        lambda inputs, params: [
            function(
                given(inputs, 0), inputs[1], inputs[2], params.ints("axes"), params.real("epsilon")
            )
        ]
    )


def _batchnorm(inputs: Inputs, params: Params) -> list[Array]:
    return [norm.batchnorm(given(inputs, 0), given(inputs, 1), given(inputs, 2))]


def _reduction(kind: str, function: Reduction) -> Meaning:
    return Meaning(
        lambda inputs, params: [
            function(given(inputs, 0), params.ints("axes"), params.flag("keep_dims", default=True))
        ],
        moves=kind in ("Max", "Min"),
        factors=int(kind in ("Sum", "Mean")),
    )


def _index(function: Callable[[Array, int, bool], Array]) -> Meaning:
    return Meaning(
        lambda inputs, params: [
            function(
                given(inputs, 0), params.integer("axis"), params.flag("keep_dims", default=True)
            )
        ]
    )


LINEAR: dict[str, Meaning] = {
    "FullyConnected": Meaning(_fully_connected, factors=2, channel=-2),
    "MatMul": Meaning(_matmul, factors=2),
    "Softmax": _softmax(norm.softmax),
    "LogSoftmax": _softmax(norm.log_softmax),
    "LayerNorm": _norm(norm.layer_norm),
    "RmsNorm": _norm(norm.rms_norm),
    "Batchnorm": Meaning(_batchnorm),
    **{f"Reduce{kind}": _reduction(kind, function) for kind, function in REDUCE.items()},
    "Argmax": _index(argmax),
    "Argmin": _index(argmin),
}
"""A reduction keeps its dims where the op has no param that says so, as native ones do."""


def _clamped(product: Array, params: Params) -> Array:
    return clamp(product, params.real("min"), params.real("max"))


def _gelu(product: Array, params: Params) -> Array:
    return UNARY["Gelu"](product)


FUSED_LINEAR: dict[str, Meaning] = {
    "FullyConnected.clamp": replace(LINEAR["FullyConnected"], finish=_clamped),
    "FullyConnected.gelu": replace(LINEAR["FullyConnected"], finish=_gelu),
}
"""Native ops only."""

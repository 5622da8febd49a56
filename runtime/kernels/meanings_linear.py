"""Matrix products, normalisations and reductions by mnemonic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..functions import linear, norm
from ..functions.arrays import Array
from ..functions.elementwise import UNARY, clamp
from ..functions.reduce import REDUCE, Reduction, argmax, argmin
from .meaning import Inputs, Meaning
from .operands import given
from .params import Params


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


def _reduction(function: Reduction, moves: bool) -> Meaning:
    return Meaning(
        lambda inputs, params: [
            function(given(inputs, 0), params.ints("axes"), params.flag("keep_dims", default=True))
        ],
        moves,
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
    "FullyConnected": Meaning(_fully_connected),
    "MatMul": Meaning(_matmul),
    "Softmax": _softmax(norm.softmax),
    "LogSoftmax": _softmax(norm.log_softmax),
    "LayerNorm": _norm(norm.layer_norm),
    "RmsNorm": _norm(norm.rms_norm),
    "Batchnorm": Meaning(_batchnorm),
    **{
        f"Reduce{kind}": _reduction(function, moves=kind in ("Max", "Min"))
        for kind, function in REDUCE.items()
    },
    "Argmax": _index(argmax),
    "Argmin": _index(argmin),
}
"""A reduction keeps its dims where the op has no param that says so, as native ones do."""


def _fully_connected_clamp(inputs: Inputs, params: Params) -> list[Array]:
    (product,) = _fully_connected(inputs, params)
    return [clamp(product, params.real("min"), params.real("max"))]


def _fully_connected_gelu(inputs: Inputs, params: Params) -> list[Array]:
    (product,) = _fully_connected(inputs, params)
    return [UNARY["Gelu"](product)]


FUSED_LINEAR: dict[str, Meaning] = {
    "FullyConnected.clamp": Meaning(_fully_connected_clamp),
    "FullyConnected.gelu": Meaning(_fully_connected_gelu),
}
"""Native ops only."""

"""Ops that move elements, and conversions, by mnemonic."""

from __future__ import annotations

from ...functions import movement
from ...functions.arrays import Array
from ..support.params import Params
from .binding import Inputs, Meaning
from .operands import given, present, whole


def _same(inputs: Inputs, params: Params) -> list[Array]:
    return [given(inputs, 0)]


def _concat(inputs: Inputs, params: Params) -> list[Array]:
    return [movement.concat(present(inputs), params.integer("axis"))]


def _split(inputs: Inputs, params: Params) -> list[Array]:
    return movement.split(given(inputs, 0), params.integer("axis"), params.ints("split_index"))


def _strided_slice(inputs: Inputs, params: Params) -> list[Array]:
    numbers = params.ints("ranges")
    ranges = list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
    return [movement.strided_slice(given(inputs, 0), ranges)]


def _transpose(inputs: Inputs, params: Params) -> list[Array]:
    return [movement.transpose(given(inputs, 0), params.ints("perm"))]


def _pad(inputs: Inputs, params: Params) -> list[Array]:
    data = given(inputs, 0)
    value = params.real("pad_constant_value")
    filler = value if data.dtype.kind == "f" else int(value)
    return [movement.pad(data, params.pairs("pad_amount"), filler)]


def _gather(inputs: Inputs, params: Params) -> list[Array]:
    data = given(inputs, 0)
    axis = params.integer("axis") % data.ndim
    return [movement.gather(data, whole(given(inputs, 1)), axis)]


def _native_gather(inputs: Inputs, params: Params) -> list[Array]:
    return _gather([inputs[0], given(inputs, 1).reshape(-1)], params)


def _tile(inputs: Inputs, params: Params) -> list[Array]:
    return [movement.tile(given(inputs, 0), params.ints("multiples"))]


def _reshape(inputs: Inputs, params: Params) -> list[Array]:
    return [movement.reshape(given(inputs, 0), params.ints("shape"))]


MOVEMENT: dict[str, Meaning] = {
    "Concat": Meaning(_concat, moves=True),
    "StridedSlice": Meaning(_strided_slice, moves=True),
    "Transpose": Meaning(_transpose, moves=True),
    "Pad": Meaning(_pad),
    "Tile": Meaning(_tile, moves=True),
    "Cast": Meaning(_same),
    "Quantize": Meaning(_same),
    "Dequantize": Meaning(_same),
}
"""The same at both levels. Conversions compute nothing: the result's own encoding does it all."""

GRAPH_MOVEMENT: dict[str, Meaning] = {
    "Split": Meaning(_split, moves=True),
    "Reshape": Meaning(_reshape, moves=True),
    "Gather": Meaning(_gather, moves=True),
}

NATIVE_MOVEMENT: dict[str, Meaning] = {"Gather": Meaning(_native_gather, moves=True)}

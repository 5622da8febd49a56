"""Every op whose layout or quantisation matters, for every dtype, at every place it may be."""

from __future__ import annotations

import numpy as np
import pytest
from htp_mlir.dialects.dtypes import DType
from htp_mlir.dialects.place import FLAT_DDR, FLAT_TCM, Place
from htp_mlir.runtime.functions.arrays import Array
from htp_mlir.runtime.kernels.elementwise import BINARY
from htp_mlir.runtime.kernels.pointwise import UNARY

from .dtypes import REALS, Case, check, is_concrete
from .harness import PLACES, dims, ints, scalar

RNG = np.random.default_rng(0)
FLATS = (FLAT_DDR, FLAT_TCM)
SHAPES = ((1, 9, 7, 33), (2, 1, 5, 65), (1, 1, 1, 1))
POSITIVE = ("Log", "Sqrt", "Rsqrt", "Reciprocal")


def random(*shape: int) -> Array:
    return RNG.uniform(-2, 2, shape).astype(np.float32)


def positive(*shape: int) -> Array:
    return RNG.uniform(0.5, 2, shape).astype(np.float32)


def unary(op: str, shape: tuple[int, ...]) -> Case:
    values = positive(*shape) if op in POSITIVE else random(*shape)
    return Case(op, (values,), (shape,))


def binary(op: str) -> Case:
    return Case(op, (positive(*SHAPES[0]), positive(1, 9, 1, 33)), (SHAPES[0],))


STRIDE = dims(1, 2, 1, 1)
WINDOW = (random(2, 9, 11, 33), random(3, 3, 33, 35) / 8, random(1, 1, 1, 35))
DEEP = (random(1, 12, 7, 33), random(3, 2, 1, 66), random(1, 1, 1, 66))
ROWS = (random(2, 3, 7, 33), random(1, 1, 65, 33) / 4, random(1, 1, 1, 65))
CONVOLUTIONS = {
    op: Case(op, (act,), (shape,), (weights, bias), (STRIDE, *bounds), order)
    for name, (act, weights, bias), shape in (
        ("ConvLayer_valid", WINDOW, (2, 4, 9, 35)),
        ("DepthwiseConvLayer_valid", DEEP, (1, 5, 6, 66)),
    )
    for op, bounds, order in (
        (name, (), (0, 1, 3, 2)),
        (f"{name}.clamp", (scalar(-0.5), scalar(1.5)), (0, 1, 3, 2, 4, 5)),
    )
}
POOLS = {
    name: Case(name, (random(2, 9, 7, 33),), ((2, 4, 6, 33),), (), (dims(1, 3, 2, 1), STRIDE))
    for name in ("MaxPool_valid", "AvgPool_valid")
}
NORMAL = (random(2, 3, 7, 33), positive(1, 1, 1, 33), random(1, 1, 1, 33))
FLAT_CASES = {
    "FullyConnected": Case("FullyConnected", ROWS[:1], ((2, 3, 7, 65),), ROWS[1:]),
    "FullyConnected.gelu": Case("FullyConnected.gelu", ROWS[:1], ((2, 3, 7, 65),), ROWS[1:]),
    "FullyConnected.clamp": Case(
        "FullyConnected.clamp", ROWS[:1], ((2, 3, 7, 65),), ROWS[1:], (scalar(-1), scalar(1))
    ),
    "MatMul": Case(
        "MatMul",
        (random(2, 3, 7, 33), random(1, 3, 9, 33)),
        ((2, 3, 7, 9),),
        (),
        (scalar(0, np.int32), scalar(1, np.int32)),
    ),
    "Softmax": Case("Softmax", NORMAL[:1], ((2, 3, 7, 33),), (), (ints(3), scalar(1.5))),
    "LayerNorm": Case(
        "LayerNorm", NORMAL[:1], ((2, 3, 7, 33),), NORMAL[1:], (ints(3), scalar(1e-3))
    ),
    "RmsNorm": Case("RmsNorm", NORMAL[:1], ((2, 3, 7, 33),), NORMAL[1:], (ints(3), scalar(1e-3))),
}


def concrete(case: Case, dtype: DType, at: Place, weights_at: Place = FLAT_DDR) -> None:
    assert is_concrete(check(case, dtype, at, weights_at))


@pytest.mark.parametrize("op", UNARY)
@pytest.mark.parametrize("dtype", REALS)
def test_unary(op: str, dtype: DType) -> None:
    for at in PLACES:
        concrete(unary(op, SHAPES[0]), dtype, at)


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sizes(shape: tuple[int, ...], dtype: DType) -> None:
    for at in PLACES:
        concrete(unary("Tanh", shape), dtype, at)
        concrete(Case("Sub", (random(*shape), random(*shape)), (shape,)), dtype, at)


@pytest.mark.parametrize("op", [op for op in BINARY if op != "Mod"])
@pytest.mark.parametrize("dtype", REALS)
def test_binary(op: str, dtype: DType) -> None:
    for at in PLACES:
        concrete(binary(op), dtype, at)


@pytest.mark.parametrize("dtype", REALS)
def test_bias_and_bounds(dtype: DType) -> None:
    shape = SHAPES[0]
    for at in PLACES:
        concrete(Case("BiasAdd", (random(*shape),), (shape,), (random(1, 1, 1, 33),)), dtype, at)
        clamp = Case("Clamp", (random(*shape),), (shape,), (), (scalar(-0.7), scalar(1.1)))
        concrete(clamp, dtype, at)


@pytest.mark.parametrize("op", CONVOLUTIONS)
@pytest.mark.parametrize("dtype", REALS)
def test_convolutions(op: str, dtype: DType) -> None:
    for at in PLACES:
        case = CONVOLUTIONS[op]
        act, weights, bias = (*case.data, *case.weights)
        concrete(case, dtype, at)


@pytest.mark.parametrize("op", POOLS)
@pytest.mark.parametrize("dtype", REALS)
def test_pools(op: str, dtype: DType) -> None:
    for at in PLACES:
        concrete(POOLS[op], dtype, at)


@pytest.mark.parametrize("op", FLAT_CASES)
@pytest.mark.parametrize("dtype", REALS)
def test_rows(op: str, dtype: DType) -> None:
    for at in FLATS:
        concrete(FLAT_CASES[op], dtype, at)

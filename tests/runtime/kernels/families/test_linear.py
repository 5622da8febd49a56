"""Matrix products against the reference: odd sizes, both memories, every transposition."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, Place, TensorSpec
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor
from htp_mlir.runtime.tensors.tensors import Tensor

from ..harness import (
    f32,
    held,
    outcomes,
    scalar,
    selected,
)

RNG = np.random.default_rng(0)
TOLERANCE = 2e-5
MEMORIES = (FLAT_DDR, FLAT_TCM)


def random(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def constant(values: np.ndarray, place: Place = FLAT_DDR) -> Tensor:
    return constant_tensor(f32(values.shape, place), values)


def layer(rows: int, depth: int, count: int, place: Place, weights: Place) -> list[Tensor]:
    return [
        held(random(2, 1, rows, depth), place),
        held(random(1, 1, count, depth), weights),
        held(random(1, 1, 1, count)),
    ]


@pytest.mark.one_per("weights")
@pytest.mark.parametrize("place", MEMORIES)
@pytest.mark.parametrize("weights", MEMORIES)
@pytest.mark.parametrize("sizes", [(1, 1, 1), (7, 33, 65), (65, 7, 33), (1, 65, 7)])
def test_fully_connected(sizes: tuple[int, int, int], weights: Place, place: Place) -> None:
    rows, depth, count = sizes
    operands = layer(rows, depth, count, place, weights)
    for outcome in outcomes("FullyConnected", [f32((2, 1, rows, count), place)], operands):
        outcome.check(TOLERANCE)


@pytest.mark.parametrize("place", MEMORIES)
@pytest.mark.parametrize(("op", "bounds"), [("clamp", (-0.5, 2.0)), ("gelu", ())])
def test_fused_functions(op: str, bounds: tuple[float, ...], place: Place) -> None:
    operands = [*layer(33, 65, 1000, place, FLAT_DDR), *map(scalar, bounds)]
    for outcome in outcomes(f"FullyConnected.{op}", [f32((2, 1, 33, 1000), place)], operands):
        outcome.check(TOLERANCE)


def test_constant_weights_are_laid_out_once() -> None:
    x, weights, bias = layer(7, 33, 65, FLAT_TCM, FLAT_DDR)
    fixed = [x, constant(weights.load()), constant(bias.load())]
    for outcome in outcomes("FullyConnected", [f32((2, 1, 7, 65), FLAT_TCM)], fixed):
        outcome.check(TOLERANCE)


def matrix(front: tuple[int, int], rows: int, columns: int, transposed: bool) -> np.ndarray:
    return random(*front, *((columns, rows) if transposed else (rows, columns)))


@pytest.mark.one_per("place")
@pytest.mark.parametrize("place", MEMORIES)
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(
    "fronts", [((2, 3), (2, 3)), ((2, 3), (1, 1)), ((1, 1), (2, 3)), ((2, 1), (1, 3))]
)
def test_matmul(
    fronts: tuple[tuple[int, int], tuple[int, int]], left: bool, right: bool, place: Place
) -> None:
    a, b = matrix(fronts[0], 7, 33, left), matrix(fronts[1], 33, 65, right)
    flags = [scalar(int(flag), np.int32) for flag in (left, right)]
    shape = (*np.broadcast_shapes(*fronts), 7, 65)
    for outcome in outcomes(
        "MatMul", [f32(shape, place)], [held(a, place), held(b, place), *flags]
    ):
        outcome.check(TOLERANCE)


def test_matmul_with_constant_params() -> None:
    a, b = held(random(1, 3, 7, 1), FLAT_TCM), held(random(1, 3, 65, 1), FLAT_TCM)
    flags = [scalar(flag, np.int32) for flag in (0, 1)]
    fixed = [constant_tensor(flag.spec, flag.stored()) for flag in flags]
    for outcome in outcomes("MatMul", [f32((1, 3, 7, 65), FLAT_TCM)], [a, b, *fixed]):
        outcome.check(TOLERANCE)


def test_the_placed_level_gets_fast_kernels() -> None:
    operands = layer(7, 33, 65, FLAT_TCM, FLAT_DDR)
    spec: TensorSpec = f32((2, 1, 7, 65), FLAT_TCM)
    assert selected("FullyConnected", [spec], operands).cost is Cost.FAST

"""Softmax against the reference: every axis, several blocks, masks, what is not finite."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, Place
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor

from ..harness import (
    f32,
    held,
    outcomes,
    scalar,
)

RNG = np.random.default_rng(0)
TOLERANCE = 2e-6


def check(values: np.ndarray, axis: int = 3, beta: float = 1, place: Place = FLAT_TCM) -> None:
    params = [scalar(axis, np.int32), scalar(beta)]
    fixed = [constant_tensor(param.spec, param.stored()) for param in params]
    for chosen in (params, fixed):
        for outcome in outcomes(
            "Softmax", [f32(values.shape, place)], [held(values, place), *chosen]
        ):
            outcome.check(TOLERANCE)


@pytest.mark.one_per("axis")
@pytest.mark.parametrize("place", [FLAT_DDR, FLAT_TCM])
@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize("beta", [1.0, 0.125, -2.0])
def test_axes(axis: int, beta: float, place: Place) -> None:
    check(RNG.normal(0, 3, (2, 7, 33, 65)).astype(np.float32), axis, beta, place)


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (1, 7, 1, 33), (1, 1, 600, 65), (1, 1, 2, 40000)])
def test_sizes(shape: tuple[int, int, int, int]) -> None:
    check(RNG.normal(0, 3, shape).astype(np.float32))


def test_rows_of_very_different_size() -> None:
    rows = np.array([-1e4, -30, 0, 30, 1e4], np.float32).reshape(1, 1, 5, 1)
    check(rows + RNG.normal(0, 3, (1, 2, 5, 7)).astype(np.float32))


def test_masked_positions_are_zero() -> None:
    values = RNG.normal(0, 3, (1, 2, 9, 7)).astype(np.float32)
    for mask in (-1e4, -np.inf):
        check(np.where(np.arange(7) < 5, values, np.float32(mask)))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_row_that_is_not_finite_leaves_the_others_alone(value: float) -> None:
    values = RNG.normal(0, 3, (1, 1, 9, 7)).astype(np.float32)
    values[0, 0, 3] = value
    check(values)

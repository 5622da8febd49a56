"""LayerNorm and RmsNorm against the reference: axes, blocks, scale and shift."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, Place
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor
from htp_mlir.runtime.tensors.tensors import Tensor

from ..harness import (
    f32,
    held,
    ints,
    outcomes,
    scalar,
)

RNG = np.random.default_rng(0)
TOLERANCE = 5e-6
NORMS = ("LayerNorm", "RmsNorm")


def affine(shape: tuple[int, ...], axes: tuple[int, ...]) -> list[Tensor]:
    extents = tuple(shape[axis] for axis in axes)
    affine_shape = (1,) * (4 - len(axes)) + extents
    return [held(RNG.standard_normal(affine_shape).astype(np.float32)) for _ in range(2)]


def constant(tensor: Tensor) -> Tensor:
    return constant_tensor(tensor.spec, tensor.stored())


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", NORMS)
@pytest.mark.parametrize("place", [FLAT_DDR, FLAT_TCM])
@pytest.mark.parametrize("axes", [(3,), (2, 3), (-2, -1), (0, 1, 2, 3), (1,), (0, 3)])
def test_axes(axes: tuple[int, ...], place: Place, op: str) -> None:
    shape = (2, 7, 33, 65)
    x = held(RNG.normal(1, 3, shape).astype(np.float32), place)
    scale = affine(shape, tuple(axis % 4 for axis in axes))
    for params in ([ints(*axes), scalar(1e-5)], [constant(ints(*axes)), constant(scalar(1e-5))]):
        for outcome in outcomes(op, [f32(shape, place)], [x, *scale, *params]):
            outcome.check(TOLERANCE)


@pytest.mark.parametrize("op", NORMS)
@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (1, 7, 1, 33), (1, 1, 600, 65), (1, 1, 2, 40000)])
def test_sizes(shape: tuple[int, int, int, int], op: str) -> None:
    x = held(RNG.normal(1, 3, shape).astype(np.float32), FLAT_TCM)
    operands = [x, *affine(shape, (3,)), ints(3), scalar(1e-3)]
    for outcome in outcomes(op, [f32(shape, FLAT_TCM)], operands):
        outcome.check(TOLERANCE)


@pytest.mark.parametrize("op", NORMS)
@pytest.mark.parametrize(("gamma", "beta"), [(1, 0), (2, 0), (1, 3)])
def test_constant_scale_and_shift(gamma: float, beta: float, op: str) -> None:
    shape = (1, 1, 7, 33)
    x = held(RNG.normal(1, 3, shape).astype(np.float32), FLAT_TCM)
    scale = [held(np.full((1, 1, 1, 33), value, np.float32)) for value in (gamma, beta)]
    operands = [x, *map(constant, scale), ints(3), scalar(1e-5)]
    for outcome in outcomes(op, [f32(shape, FLAT_TCM)], operands):
        outcome.check(TOLERANCE)


def test_a_large_mean_costs_no_digits() -> None:
    shape = (1, 1, 7, 64)
    x = held(RNG.normal(1000, 1, shape).astype(np.float32), FLAT_TCM)
    operands = [x, *affine(shape, (3,)), ints(3), scalar(1e-5)]
    for outcome in outcomes("LayerNorm", [f32(shape, FLAT_TCM)], operands):
        outcome.check(2e-4)

"""Element-wise kernels against the reference: all places, odd sizes, broadcasting."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR, FLAT_TCM, Place
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.kernels.f32.elementwise import BINARY
from htp_mlir.runtime.kernels.support.pointwise import UNARY

from ..harness import (
    PLACES,
    f32,
    fitting,
    held,
    outcomes,
    scalar,
    selected,
)

ODD = (2, 9, 7, 33)
TOLERANCE = 2e-6
RNG = np.random.default_rng(0)


def random(shape: tuple[int, ...]) -> np.ndarray:
    return RNG.uniform(0.1, 3, shape).astype(np.float32) * RNG.choice([1, -1], shape).astype("f")


@pytest.mark.one_per("op")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("op", UNARY)
def test_unary(op: str, place: Place) -> None:
    values = random(ODD)
    domain = np.abs(values) if op in ("Log", "Sqrt", "Rsqrt") else values
    for outcome in outcomes(op, [f32(ODD, place)], [held(domain, place)]):
        outcome.check(TOLERANCE)


@pytest.mark.parametrize("op", UNARY)
def test_unary_at_the_ends(op: str) -> None:
    values = np.array([0, -0.0, 1e-30, 9, -9, 80, -80, 1e30, -1e30], np.float32)
    x = held(values.reshape(1, 1, 1, -1), FLAT_TCM)
    for outcome in outcomes(op, [f32(x.shape, FLAT_TCM)], [x]):
        if op not in ("Sin", "Cos"):
            outcome.check(TOLERANCE)


def test_gelu_over_several_chunks() -> None:
    x = held(RNG.normal(0, 4, (1, 5, 37, 400)).astype(np.float32), FLAT_TCM)
    for outcome in outcomes("Gelu", [f32(x.shape, FLAT_TCM)], [x]):
        outcome.check(5e-7)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("op", BINARY)
def test_binary(op: str, place: Place) -> None:
    a, b = np.abs(random(ODD)), random(ODD)
    for outcome in outcomes(op, [f32(ODD, place)], [held(a, place), held(b, place)]):
        outcome.check(TOLERANCE)


@pytest.mark.one_per("left")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (ODD, (1, 1, 1, 33)),
        ((1, 1, 1, 33), ODD),
        (ODD, (1, 1, 1, 1)),
        (ODD, (2, 9, 7, 1)),
        ((2, 1, 7, 33), (1, 9, 1, 33)),
        ((2, 9, 1, 1), (1, 1, 7, 33)),
        ((1, 1, 1, 65), (1, 1, 1, 65)),
    ],
)
def test_binary_broadcasts(left: tuple[int, ...], right: tuple[int, ...], place: Place) -> None:
    operands = [held(random(left), place), held(random(right), place)]
    shape = np.broadcast_shapes(left, right)
    for outcome in outcomes("Sub", [f32(shape, place)], operands):
        outcome.check(0)


@pytest.mark.parametrize("place", [FLAT_TCM, CROUTON_TCM])
def test_mixed_layouts_have_a_kernel(place: Place) -> None:
    a, b = held(random(ODD), CROUTON_TCM), held(random((1, 1, 1, 33)), FLAT_DDR)
    for outcome in outcomes("Mul", [f32(ODD, place)], [a, b]):
        outcome.check(0)
    for outcome in outcomes("Gelu", [f32(ODD, place)], [held(random(ODD))]):
        outcome.check(TOLERANCE)


@pytest.mark.parametrize("place", PLACES)
def test_bias_add(place: Place) -> None:
    operands = [held(random(ODD), place), held(random((1, 1, 1, 33)))]
    for outcome in outcomes("BiasAdd", [f32(ODD, place)], operands):
        outcome.check(0)


@pytest.mark.one_per("bounds")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("bounds", [(0.0, 6.0), (-1.0, 1.0), (0.0, np.inf), (-np.inf, 0.5)])
def test_clamp(bounds: tuple[float, float], place: Place) -> None:
    operands = [held(random(ODD) * 4, place), *map(scalar, bounds)]
    for outcome in outcomes("Clamp", [f32(ODD, place)], operands):
        outcome.check(0)


def test_the_placed_level_gets_fast_kernels() -> None:
    a = held(random(ODD), CROUTON_TCM)
    kernel = selected("Add", [f32(ODD, CROUTON_TCM)], [a, a])
    assert kernel.cost is Cost.FAST
    assert len(fitting("Add", [f32(ODD, CROUTON_TCM)], [a, a])) == 2

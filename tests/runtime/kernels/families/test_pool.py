"""Pools without padding against the reference: all places, odd sizes, strides."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_TCM, Place
from htp_mlir.runtime.kernel.kernel import Cost

from ..harness import (
    PLACES,
    dims,
    f32,
    held,
    outcomes,
    selected,
)

RNG = np.random.default_rng(0)
OPS = ("MaxPool_valid", "AvgPool_valid")
CASES = [
    ((1, 9, 11, 33), (3, 3), (1, 1)),
    ((2, 17, 8, 32), (2, 2), (2, 2)),
    ((1, 33, 7, 1), (3, 3), (2, 2)),
    ((1, 7, 7, 65), (7, 7), (1, 1)),
    ((1, 65, 9, 7), (1, 4), (3, 1)),
    ((1, 20, 9, 7), (5, 1), (2, 3)),
    ((1, 7, 9, 7), (1, 1), (1, 1)),
    ((1, 1, 1, 1), (1, 1), (1, 1)),
    ((2, 60, 65, 65), (3, 3), (2, 2)),
    ((1, 20, 65, 300), (2, 2), (1, 1)),
]


@pytest.mark.one_per("op")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize(("shape", "window", "stride"), CASES)
@pytest.mark.parametrize("op", OPS)
def test_pool(
    op: str, shape: tuple[int, ...], window: tuple[int, int], stride: tuple[int, int], at: Place
) -> None:
    size = [(n - k) // s + 1 for n, k, s in zip(shape[1:], window, stride, strict=False)]
    x = RNG.normal(size=shape).astype(np.float32)
    operands = [held(x, at), dims(1, *window, 1), dims(1, *stride, 1)]
    for outcome in outcomes(op, [f32((shape[0], *size, shape[3]), at)], operands):
        outcome.check(2e-6)


@pytest.mark.parametrize("at", [FLAT_TCM, CROUTON_TCM])
def test_an_element_that_is_no_number_stays_in_its_windows(at: Place) -> None:
    x = np.zeros((1, 9, 9, 2), np.float32)
    x[0, 4, 4, 1] = np.nan
    operands = [held(x, at), dims(1, 3, 3, 1), dims(1, 3, 3, 1)]
    for op in OPS:
        for outcome in outcomes(op, [f32((1, 3, 3, 2), at)], operands):
            outcome.check(0)


@pytest.mark.parametrize("op", OPS)
def test_the_placed_level_gets_fast_kernels(op: str) -> None:
    operands = [held(np.ones((1, 8, 8, 32), np.float32), CROUTON_TCM), *[dims(1, 2, 2, 1)] * 2]
    assert selected(op, [f32((1, 4, 4, 32), CROUTON_TCM)], operands).cost is Cost.FAST

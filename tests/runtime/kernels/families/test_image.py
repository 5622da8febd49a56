"""Kernels of images against the reference: all places, odd extents, every mode."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import Place

from ..harness import (
    PLACES,
    dims,
    f32,
    held,
    ints,
    outcomes,
    scalar,
)

RNG = np.random.default_rng(0)


@pytest.mark.one_per("before", "after")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize(
    ("before", "after"),
    [((2, 7, 9, 33), (14, 18)), ((1, 1, 65, 7), (3, 33)), ((1, 8, 1, 1), (7, 1))],
)
def test_resize(before: tuple[int, ...], after: tuple[int, int], mode: int, at: Place) -> None:
    image = held(RNG.normal(size=before).astype(np.float32), at)
    out = f32((before[0], *after, before[3]), at)
    params = [ints(*after), ints(mode), ints(0), ints(0), ints(1), scalar(-0.5)]
    for outcome in outcomes("Resize", [out], [image, *params]):
        outcome.check(1e-6)


@pytest.mark.one_per("mode")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_resize_at_stated_places(mode: int, at: Place) -> None:
    image = held(RNG.normal(size=(2, 7, 9, 33)).astype(np.float32), at)
    out = f32((2, 14, 5, 33), at)
    params = [ints(14, 2, -1, 4, 2), ints(5, 9, 4, 5, 2), ints(mode), ints(0), ints(0)]
    for outcome in outcomes("Resize_places", [out], [image, *params, scalar(-0.75)]):
        outcome.check(1e-6)


@pytest.mark.one_per("deep", "block")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize(
    ("deep", "block"), [((2, 7, 9, 24), (2, 2)), ((1, 1, 33, 65), (1, 5)), ((1, 3, 2, 9), (3, 3))]
)
def test_shuffles(deep: tuple[int, ...], block: tuple[int, int], mode: int, at: Place) -> None:
    n, height, width, depth = deep
    wide = (n, height * block[0], width * block[1], depth // (block[0] * block[1]))
    for name, before, after in (("DepthToSpace", deep, wide), ("SpaceToDepth", wide, deep)):
        image = held(RNG.normal(size=before).astype(np.float32), at)
        for form, size in ((name, ints(*block)), (f"{name}_shape", dims(1, *block, 1))):
            for outcome in outcomes(form, [f32(after, at)], [image, size, ints(mode)]):
                outcome.check(0)


@pytest.mark.one_per("before")
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("before", [(2, 7, 9, 33), (1, 1, 65, 7), (1, 8, 1, 1)])
def test_repeated_pixels(before: tuple[int, ...], at: Place) -> None:
    image = held(RNG.normal(size=before).astype(np.float32), at)
    out = f32((before[0], before[1] * 2, before[2] * 3, before[3]), at)
    for outcome in outcomes("ResizeNearestNeighbor_shape", [out], [image, dims(1, 2, 3, 1)]):
        outcome.check(0)

"""Attention against the reference: tiles of queries and keys, masks, what is not finite."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array
from htp_mlir.dialects.value.limits import ANY_KEY
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, Place
from htp_mlir.runtime.kernels.f32 import attention
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor

from ..harness import f32, held, ints, outcomes, scalar

RNG = np.random.default_rng(0)
TOLERANCE = 2e-6
NOTHING = np.zeros((1, 1, 1, 1), np.float32)


def random(*shape: int) -> Array:
    return RNG.normal(0, 1, shape).astype(np.float32)


def check(
    q: Array,
    k: Array,
    v: Array,
    mask: Array = NOTHING,
    softcap: float = 0.0,
    first: int = -ANY_KEY,
    last: int = ANY_KEY,
    place: Place = FLAT_TCM,
) -> None:
    """Try all kernels, with params that are constant and params that are not."""
    data = [held(q, place), held(k), held(v, place), held(mask)]
    params = [scalar(0.3), scalar(softcap), ints(first), ints(last)]
    fixed = [constant_tensor(param.spec, param.stored()) for param in params]
    out = f32((*q.shape[:3], v.shape[3]), place)
    for chosen in (params, fixed):
        tried = [*outcomes("Attention", [out], [*data, *chosen])]
        assert tried
        for outcome in tried:
            outcome.check(TOLERANCE)


@pytest.mark.parametrize("place", [FLAT_DDR, FLAT_TCM])
@pytest.mark.parametrize(("queries", "keys"), [(1, 1), (7, 33), (65, 7), (1, 300), (300, 600)])
def test_sizes(queries: int, keys: int, place: Place) -> None:
    check(random(2, 3, queries, 8), random(2, 3, keys, 8), random(2, 3, keys, 5), place=place)


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (2, 1)])
def test_keys_for_several_heads_and_batches(shape: tuple[int, int]) -> None:
    check(random(2, 3, 7, 8), random(*shape, 9, 8), random(*shape, 9, 8))


@pytest.mark.parametrize("mask", [(1, 1, 7, 300), (2, 1, 1, 300), (1, 3, 7, 1), (2, 3, 7, 300)])
def test_masks_broadcast(mask: tuple[int, ...]) -> None:
    added = random(*mask)
    check(random(2, 3, 7, 8), random(2, 3, 300, 8), random(2, 3, 300, 8), added, softcap=2.0)


@pytest.mark.parametrize("bounds", [(-ANY_KEY, 0), (-3, 2), (100, 200), (5, ANY_KEY), (-9, -5)])
def test_windows(bounds: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """In tiles of 3 queries and 5 keys, and in one."""
    tensors = random(1, 2, 33, 8), random(1, 2, 17, 8), random(1, 2, 17, 8)
    check(*tensors, first=bounds[0], last=bounds[1])
    monkeypatch.setattr(attention, "_SCORES", 16)
    monkeypatch.setattr(attention, "_FEW", 16)
    check(*tensors, first=bounds[0], last=bounds[1])


def test_keys_that_take_no_part_may_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The later scores are far below 0: a peak of 0 would make them vanish."""
    monkeypatch.setattr(attention, "_SCORES", 16)
    monkeypatch.setattr(attention, "_FEW", 16)
    mask = random(1, 1, 7, 12) - 300
    mask[:, :, :, :5] = -np.inf
    mask[:, :, 3] = -np.inf
    mask[:, :, 4] = np.finfo(np.float32).min
    check(random(1, 2, 7, 8), random(1, 2, 12, 8), random(1, 2, 12, 8), mask)


def test_scores_that_are_not_finite() -> None:
    q, k, v = random(1, 2, 7, 8), random(1, 2, 12, 8), random(1, 2, 12, 8)
    k[0, 0, 2], k[0, 1, 5, 3] = np.inf, np.nan
    check(q, k, v)
    mask = np.zeros((1, 1, 1, 12), np.float32)
    mask[..., [2, 5]] = -np.inf
    check(q, k, v, mask)


@pytest.mark.parametrize(
    ("heads", "queries", "keys", "sizes"),
    [
        (8, 4096, 4096, (1, 128, 256)),
        (8, 512, 4096, (1, 128, 256)),
        (1, 512, 4096, (1, 90, 181)),
        (16, 64, 4096, (1, 64, 512)),
        (16, 64, 64, (8, 64, 64)),
        (32, 1, 2048, (1, 1, 2048)),
        (64, 1, 512, (4, 1, 512)),
        (2, 1, 10**6, (1, 1, 2048)),
        (0, 0, 0, (1, 1, 1)),
    ],
)
def test_a_block_has_a_quarter_of_the_elements_of_its_op_and_a_bound(
    heads: int, queries: int, keys: int, sizes: tuple[int, int, int]
) -> None:
    block = attention.block_of(heads, queries, keys, depth=64, width=64)
    assert (block.heads, block.rows, block.keys) == sizes
    assert block.parts[0] <= max(2048, min(32768, heads * queries * 32))


@pytest.mark.parametrize("shape", [(0, 3, 4), (2, 0, 4), (2, 3, 0)])
def test_nothing(shape: tuple[int, int, int]) -> None:
    heads, queries, keys = shape
    check(random(1, heads, queries, 4), random(1, heads, keys, 4), random(1, heads, keys, 4))

"""Keys in reach of queries, against one look at each pair."""

import itertools

import numpy as np
import pytest
from htp_mlir.dialects.value.limits import ANY_KEY
from htp_mlir.runtime.functions.transformers import within
from htp_mlir.runtime.kernels.f32.attention import Reach

BOUNDS = [*itertools.product((-ANY_KEY, -5, 0, 2), (ANY_KEY, 4, 0, -3)), (7, 9), (-9, -7)]


@pytest.mark.one_per("bounds")
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize("size", [1, 3, 64])
def test_tiles_hold_each_pair_once(bounds: tuple[int, int], size: int) -> None:
    reach = Reach(*bounds, keys=9)
    counts = np.zeros((7, 9), int)
    for rows in (slice(0, 4), slice(4, 7)):
        for keys in reach.tiles(rows, size):
            distance = (
                np.arange(keys.stop - keys.start) - np.arange(rows.stop - rows.start)[:, None]
            )
            first, last = reach.bounds(rows, keys) or (-ANY_KEY, ANY_KEY)
            counts[rows, keys] += (first <= distance) & (distance <= last)
    np.testing.assert_array_equal(counts, within(7, 9, *bounds))


def test_tiles_out_of_reach_are_left_out() -> None:
    causal = Reach(-ANY_KEY, 0, keys=8)
    assert [*causal.tiles(slice(0, 2), 4)] == [slice(0, 2)]
    assert [*causal.tiles(slice(4, 6), 4)] == [slice(0, 4), slice(4, 6)]


def test_a_tile_in_reach_of_all_has_no_bounds() -> None:
    causal = Reach(-ANY_KEY, 0, keys=8)
    assert causal.bounds(slice(4, 6), slice(0, 5)) is None
    assert causal.bounds(slice(4, 6), slice(0, 6)) == (4 - ANY_KEY - 4 + 4, 4)

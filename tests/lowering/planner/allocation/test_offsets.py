"""Packing: no two live ranges overlap, and the peak is as low as the orders can make it."""

from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval, peak_live
from htp_mlir.lowering.planner.allocation.offsets import Packing, best_fit, pack
from htp_mlir.runtime.memory_plan import PlanRow, verify
from hypothesis import given
from hypothesis import strategies as st

UNBOUNDED = 1 << 40


def live_intervals() -> st.SearchStrategy[list[LiveInterval]]:
    life = st.tuples(st.integers(0, 9000), st.integers(0, 30), st.integers(0, 12))
    return st.lists(life, max_size=25).map(
        lambda rows: [
            LiveInterval(f"t{index}", size, start, start + steps)
            for index, (size, start, steps) in enumerate(rows)
        ]
    )


def rows(lives: list[LiveInterval], packing: Packing) -> list[PlanRow]:
    return [
        PlanRow(life.name, life.bytes, life.start, life.end, offset)
        for life, offset in zip(lives, packing.offsets, strict=True)
    ]


@given(live_intervals(), st.sampled_from([1, 64, 2048]))
def test_no_two_live_ranges_share_bytes(lives: list[LiveInterval], alignment: int) -> None:
    packing = pack(lives, UNBOUNDED, alignment)
    assert packing is not None
    assert verify(rows(lives, packing), packing.peak, alignment) == ()
    assert packing.peak >= peak_live(lives, alignment)


@given(live_intervals())
def test_a_packing_fits_in_its_own_peak_and_never_below_the_bound(
    lives: list[LiveInterval],
) -> None:
    packing = pack(lives, UNBOUNDED, 1)
    assert packing is not None
    assert pack(lives, packing.peak, 1) == packing
    assert pack(lives, peak_live(lives) - 1, 1) is None


def test_tensors_that_never_meet_share_their_bytes() -> None:
    chain = [LiveInterval(f"t{step}", 100, step, step + 1) for step in range(10)]
    packing = pack(chain, 200, 1)
    assert packing == Packing((0, 100) * 5, 200, 200)
    assert packing.optimal


def test_another_order_helps_where_the_order_of_starts_wastes_room() -> None:
    lives = [LiveInterval("a", 1, 0, 0), LiveInterval("b", 2, 0, 2), LiveInterval("c", 3, 1, 2)]
    packing = pack(lives, 5, 1)
    assert packing is not None
    assert packing.peak == 5


def test_tensors_that_stick_out_are_placed_earlier_until_all_fit() -> None:
    """Of the orders none takes less than 13 bytes; 11 are alive at once."""
    lives = [LiveInterval("a", 6, 2, 2), LiveInterval("b", 4, 2, 4), LiveInterval("c", 4, 4, 7)]
    lives.append(LiveInterval("d", 3, 4, 4))
    packing = pack(lives, 11, 1)
    assert packing is not None
    assert verify(rows(lives, packing), 11, 1) == ()
    roomy = pack(lives, 100, 1)
    assert roomy is not None
    assert roomy.peak > packing.peak


def test_a_tensor_larger_than_the_memory_is_refused() -> None:
    assert pack([LiveInterval("a", 101, 0, 0)], 100, 1) is None
    assert pack([LiveInterval("a", 65, 0, 0)], 100, 64) is None


def test_best_fit_takes_the_smallest_gap_that_is_large_enough() -> None:
    taken = [(0, 10), (20, 30), (35, 40)]
    assert best_fit(taken, 5) == 30
    assert best_fit(taken, 8) == 10
    assert best_fit(taken, 11) == 40

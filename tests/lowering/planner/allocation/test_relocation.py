"""Offsets step by step: what is in the way moves, and nothing else."""

from __future__ import annotations

from collections import Counter

from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval, peak_live
from htp_mlir.lowering.planner.allocation.relocation import Put, Puts, put_stays
from hypothesis import given
from hypothesis import strategies as st


def put(
    lives: list[tuple[int, int, int]], capacity: int, ties: dict[int, range] | None = None
) -> Puts:
    """Put stays, given by size, first and last step."""
    each = [LiveInterval(str(n), *live) for n, live in enumerate(lives)]
    tied = [(ties or {}).get(n, range(0)) for n in range(len(each))]
    return put_stays(each, capacity, tied)


HOLES = [(1, 0, 1), (1, 0, 3), (1, 0, 1), (1, 0, 3), (2, 2, 3)]
"""a, b, c and d lie side by side; a and c end, and e needs as much as both."""


def test_one_stay_moves_where_two_gaps_are_too_small() -> None:
    puts = put(HOLES, 4)
    assert puts.stuck == {}
    moved = Counter(each.stay for each in puts.puts)
    assert moved.total() == len(HOLES) + 1
    assert puts.puts[-1].stay == 4


def test_a_tied_stay_does_not_move() -> None:
    (moving,) = [
        at for at, count in Counter(p.stay for p in put(HOLES, 4).puts).items() if count > 1
    ]
    puts = put(HOLES, 4, {moving: range(1, 4)})
    assert [each.step for each in puts.puts if each.stay == moving] == [0]
    assert puts.stuck == {}


def test_where_all_are_tied_the_step_is_named() -> None:
    puts = put(HOLES, 4, {1: range(1, 4), 3: range(1, 4)})
    assert [*puts.stuck] == [2]


def test_nothing_moves_onto_its_own_bytes() -> None:
    """A stay of 3 between two gaps of 2 has no gap to go to, so its neighbour cannot come."""
    lives = [(2, 0, 1), (3, 0, 3), (2, 0, 1), (4, 2, 3)]
    each = [LiveInterval(str(n), *live) for n, live in enumerate(lives)]
    puts = put_stays(each, 7, [range(0)] * 4, {0: 0, 1: 2, 2: 5})
    assert [*puts.stuck] == [2]
    assert [(r.start, r.end, r.stay) for r in puts.stuck[2]] == [(2, 5, 1)]


def test_a_wanted_offset_is_cleared() -> None:
    each = [LiveInterval("a", 1, 0, 2), LiveInterval("b", 3, 1, 2)]
    puts = put_stays(each, 5, [range(0)] * 2, {0: 0, 1: 0})
    assert puts.puts == [Put(0, 0, 0), Put(0, 1, 3), Put(1, 1, 0)]


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 9), st.integers(0, 4)), max_size=14))
def test_no_two_stays_ever_share_bytes(drawn: list[tuple[int, int, int]]) -> None:
    lives = [(size, start, start + steps) for size, start, steps in drawn]
    capacity = peak_live([LiveInterval("", *live) for live in lives])
    puts = put(lives, capacity)
    at: dict[int, int] = {}
    for each in puts.puts:
        size, start, _ = lives[each.stay]
        assert start <= each.step
        assert each.offset + size <= capacity
        own = range(each.offset, each.offset + size)
        beside = [n for n, (_, first, last) in enumerate(lives) if first <= each.step <= last]
        for other in beside:
            if other in at:
                # Its own old bytes count, too: a kernel reads them while it writes the new ones.
                assert not {*own} & {*range(at[other], at[other] + lives[other][0])}
        at[each.stay] = each.offset
    stuck = {n for n, (_, start, _) in enumerate(lives) if start in puts.stuck}
    assert {*range(len(lives))} - stuck <= at.keys()

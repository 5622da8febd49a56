"""The search for offsets: packings that the quick orders miss, and proofs that there is none."""

from itertools import permutations

import pytest
from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval, peak_live
from htp_mlir.lowering.planner.allocation.offsets import Packing, pack, pack_tightly
from htp_mlir.lowering.planner.allocation.packing.compiled import machine_code
from htp_mlir.lowering.planner.allocation.packing.exact import (
    MOST_TENSORS,
    STRATEGIES,
    Ended,
    SearchEnd,
    Strategy,
    pack_exactly,
    stretches,
    tensors_of,
)
from htp_mlir.lowering.planner.allocation.packing.run import run_on_lists, run_search
from htp_mlir.runtime.memory_plan import PlanRow, verify
from hypothesis import given, settings
from hypothesis import strategies as st

from ....support.packing import MINIMALLOC_CAPACITY, glow, minimalloc

QUICK = "BCDFGHJK"
"""Instances that take less than a second where the search is compiled."""


def rows(lives: list[LiveInterval], offsets: tuple[int, ...]) -> list[PlanRow]:
    return [
        PlanRow(life.name, life.bytes, life.start, life.end, offset)
        for life, offset in zip(lives, offsets, strict=True)
    ]


def few_intervals() -> st.SearchStrategy[list[LiveInterval]]:
    life = st.tuples(st.integers(1, 6), st.integers(0, 5), st.integers(0, 3))
    return st.lists(life, min_size=1, max_size=6).map(
        lambda rows: [
            LiveInterval(f"t{index}", size, start, start + steps)
            for index, (size, start, steps) in enumerate(rows)
        ]
    )


def least_peak(lives: list[LiveInterval]) -> int:
    """Brute force: in some order, each tensor laid on those before it gives the least peak."""
    return min(stacked(order) for order in permutations(lives))


def alive_together(first: LiveInterval, second: LiveInterval) -> bool:
    return first.start <= second.end and second.start <= first.end


def stacked(order: tuple[LiveInterval, ...]) -> int:
    tops: dict[LiveInterval, int] = {}
    for life in order:
        below = (top for other, top in tops.items() if alive_together(other, life))
        tops[life] = max(below, default=0) + life.bytes
    return max(tops.values())


@pytest.mark.slow
@settings(max_examples=60)
@given(few_intervals())
def test_the_search_finds_the_least_peak_and_shows_that_there_is_no_lower(
    lives: list[LiveInterval],
) -> None:
    least = least_peak(lives)
    packing = pack_exactly(lives, least, 10_000)
    assert packing.outcome is SearchEnd.FOUND
    assert verify(rows(lives, packing.offsets), least, 1) == ()
    if least > peak_live(lives):
        assert pack_exactly(lives, least - 1, 10_000).outcome is SearchEnd.IMPOSSIBLE
    tight = pack_tightly(lives, 1)
    assert tight.peak == tight.bound == least


@settings(max_examples=30)
@given(few_intervals(), st.sampled_from(STRATEGIES))
def test_compiled_or_not_the_decisions_are_the_same(
    lives: list[LiveInterval], strategy: Strategy
) -> None:
    tensors, capacity = tensors_of(lives, strategy), peak_live(lives)
    on_lists = run_on_lists(tensors, capacity, 1000, strategy.by_rest)
    assert run_search(tensors, capacity, 1000, strategy.by_rest) == on_lists


def test_the_search_stops_at_its_effort() -> None:
    lives = minimalloc()["E"]
    ended = pack_exactly(lives, MINIMALLOC_CAPACITY, 50)
    assert ended == Ended(SearchEnd.GAVE_UP, 50)
    assert pack(lives, MINIMALLOC_CAPACITY, 1, effort=50) is None


def test_too_many_tensors_at_once_are_not_searched() -> None:
    lives = [LiveInterval(str(index), 1, 0, 0) for index in range(MOST_TENSORS + 1)]
    assert pack_exactly(lives, MOST_TENSORS + 1, 10_000) == Ended(SearchEnd.GAVE_UP, 0)


def test_tensors_that_never_meet_are_searched_apart() -> None:
    lives = [LiveInterval("a", 1, 0, 2), LiveInterval("b", 1, 5, 5), LiveInterval("c", 1, 2, 4)]
    lives.append(LiveInterval("empty", 0, 4, 5))
    assert stretches(lives) == [[0, 2], [1]]


@pytest.mark.one_per
@pytest.mark.parametrize("letter", QUICK)
def test_published_instances_that_no_greedy_order_packs(letter: str) -> None:
    lives = minimalloc()[letter]
    packing = pack(lives, MINIMALLOC_CAPACITY, 1)
    assert packing is not None
    assert verify(rows(lives, packing.offsets), MINIMALLOC_CAPACITY, 1) == ()


@pytest.mark.slow
def test_an_instance_is_packed_without_numba() -> None:
    lives = minimalloc()["F"]
    tensors = [
        tensors_of([lives[index] for index in part], STRATEGIES[0]) for part in stretches(lives)
    ]
    ended = [run_on_lists(part, MINIMALLOC_CAPACITY, 1000, True) for part in tensors]
    assert {outcome for outcome, *_ in ended} == {SearchEnd.FOUND.value}


def test_every_trace_reaches_its_lower_bound() -> None:
    traces = list(glow())
    assert len(traces) == 79
    packings = [pack_tightly(trace.lifetimes, trace.alignment) for trace in traces]
    assert [trace.model for trace, p in zip(traces, packings, strict=True) if not p.optimal] == []
    for trace, packing in zip(traces, packings, strict=True):
        table = rows(list(trace.lifetimes), packing.offsets)
        assert verify(table, trace.glow_peak, trace.alignment) == ()


def test_a_lower_bound_says_whether_a_packing_is_the_best() -> None:
    assert Packing((0, 1), 5, 5).optimal
    assert not Packing((0, 1), 5, 4).optimal


def test_machine_code_on_disk_names_no_class_of_ours() -> None:
    """The next version reads it before it sees that it is old: a class may be renamed by then."""
    lives = [LiveInterval("a", 1, 0, 1), LiveInterval("b", 1, 1, 2)]
    assert pack_exactly(lives, 2, 100).outcome is SearchEnd.FOUND
    kept = [
        argument
        for signature in machine_code(keep=True).nopython_signatures
        for argument in signature.args
    ]
    assert kept
    assert not any(hasattr(argument, "instance_class") for argument in kept)

"""Copies that begin early: bytes beside those of the step before them, where that fits."""

import pytest
from htp_mlir.lowering.planner.allocation.actions import Alloc
from htp_mlir.lowering.planner.allocation.residency import without_spills
from htp_mlir.lowering.planner.allocation.steps import (
    AllocationStep,
    TcmBuffer,
    Work,
    live_intervals,
)

SIZE = 64


def tiles(count: int) -> list[AllocationStep]:
    """A loop over tiles: each is copied in, worked on, and its result is copied out."""
    steps: list[AllocationStep] = []
    for number in range(count):
        tile, result = (
            TcmBuffer(f"tile{number}", SIZE, fetched=SIZE),
            TcmBuffer(f"result{number}", SIZE),
        )
        steps += [
            AllocationStep(f"in{number}", (), (tile,), Work.BRINGS),
            AllocationStep(f"work{number}", (tile,), (result,)),
            AllocationStep(f"out{number}", (result,), work=Work.MOVES),
        ]
    return steps


def overlaps(capacity: int) -> bool:
    """Whether the second tile is given bytes that the first one's work does not use."""
    actions = without_spills(tiles(2), capacity, SIZE)
    assert actions is not None
    at = {action.residency.name: action.offset for action in actions if isinstance(action, Alloc)}
    return at["tile1"] not in (at["tile0"], at["result0"])


@pytest.mark.parametrize(("blocks", "expected"), [(2, False), (3, True), (5, True)])
def test_both_buffers_are_counted_where_they_fit(blocks: int, expected: bool) -> None:
    assert overlaps(blocks * SIZE) is expected


def test_a_copy_begins_with_the_last_step_that_computes() -> None:
    starts = {life.name: life.start for life in live_intervals(tiles(3), early=True)}
    assert (starts["tile0"], starts["tile1"], starts["tile2"]) == (0, 1, 4)
    assert starts["result1"] == 4

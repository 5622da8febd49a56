"""What a plan says of itself: strips, what stays in TCM, and the next best plan."""

import pytest
from htp_mlir.lowering.planner.tiling import plan_tiles
from htp_mlir.lowering.planner.tiling.chosen import ChosenTiles, plan_around
from htp_mlir.lowering.planner.tiling.explained import SegmentFacts, explain
from htp_mlir.lowering.planner.tiling.program import TileProgram
from htp_mlir.lowering.planner.tiling.search import TilingPlan

from .test_chain import ROW, UNIT, H, element_wise, windowed
from .test_single import CAPACITY, matmul

TCM = 192 * UNIT


def plan(program: TileProgram) -> TilingPlan:
    return plan_tiles(program, TCM, 32 * UNIT)


def chain(program: TileProgram) -> SegmentFacts:
    return next(facts for facts in explain(plan(program)) if facts.end - facts.start > 1)


def test_the_bytes_are_those_of_the_plan() -> None:
    whole = plan(windowed(3))
    facts = list(explain(whole))
    assert sum(each.bytes for each in facts) == whole.price.bytes
    assert sum(each.calls for each in facts) == whole.price.calls
    assert [(each.start, each.end) for each in facts] == [(s.start, s.end) for s in whole.segments]


def test_a_window_keeps_a_ring_of_whole_tiles() -> None:
    """A tile of the second convolution reads two rows of the next tile of the first."""
    facts = chain(windowed(3))
    ((_, tile),) = facts.cuts[facts.end - 1]
    assert facts.strips == -(-64 // tile)
    assert facts.stripes == 1
    rings = set(facts.rings.values())
    assert rings
    assert all(size % (tile * ROW) == 0 for size in rings)


def test_without_windows_nothing_stays_from_tile_to_tile() -> None:
    (facts,) = (f for f in explain(plan(element_wise(4))) if f.end - f.start > 1)
    assert facts.rings == {}
    assert facts.pinned == {}


def test_what_no_cut_follows_is_pinned() -> None:
    (facts,) = explain(plan_tiles(matmul(1024, 1024, 256), CAPACITY, CAPACITY // 2))
    dims = {dim for dim, _ in facts.cuts[0]}
    assert dims
    assert len(facts.pinned) == (1 if len(dims) == 1 else 0)


@pytest.mark.parametrize(("program", "apart"), [(windowed(3), False), (element_wise(3), True)])
def test_the_runner_up_is_no_better(program: TileProgram, apart: bool) -> None:
    """Convolutions in step would have other sizes of tiles, element-wise ops none in common."""
    whole = plan(program)
    facts = list(explain(whole))
    rivals = [(s, f.runner_up) for s, f in zip(whole.segments, facts, strict=True) if f.runner_up]
    assert [rival.apart for _, rival in rivals] == [apart]
    assert all(not rival.price < segment.price for segment, rival in rivals)
    assert all(rival.cuts != segment.cuts for segment, rival in rivals)


def test_chosen_tiles_stand_and_the_others_are_planned_around_them() -> None:
    program = element_wise(4)
    chosen = ChosenTiles(1, 2, {1: ((H, 4),)})
    around, misfit = plan_around(program, [chosen], lambda p: plan_tiles(p, 80 * UNIT, 32 * UNIT))
    assert misfit is None
    assert around.cuts[1] == ((H, 4),)
    assert [s.start for s in around.segments] == sorted(s.start for s in around.segments)
    assert {at for s in around.segments for at in range(s.start, s.end)} == set(range(4))
    assert 1 not in around.in_step


def test_chosen_tiles_that_do_not_fit_say_what_they_need() -> None:
    chosen = ChosenTiles(1, 2, {1: ((H, 32),)})
    _, misfit = plan_around(
        element_wise(4), [chosen], lambda p: plan_tiles(p, 80 * UNIT, 32 * UNIT)
    )
    assert misfit
    assert misfit.need == 2 * 32 * ROW

"""The chosen plan: what it joins, and that it is no worse than the plans it chose from."""

from math import inf

import pytest
from htp_mlir.lowering.planner.allocation.replay import moved_bytes
from htp_mlir.lowering.planner.allocation.step_list import STEP
from htp_mlir.lowering.planner.tiling import TileProgram, choice
from htp_mlir.lowering.planner.tiling.choice import choose_plan
from htp_mlir.lowering.planner.tiling.memory import Price, Setting
from htp_mlir.lowering.planner.tiling.search import Segment, TilingPlan, plan_tiles

from .expanded import expand
from .test_chain import ROW, UNIT, H, element_wise, windowed

PROGRAMS = pytest.mark.parametrize(
    "program", [element_wise(3), windowed(3), windowed(9)], ids=["element-wise", "3 rows", "9 rows"]
)
CAPACITIES = pytest.mark.parametrize("capacity", [80 * UNIT, 160 * UNIT, 340 * UNIT])


def weight(plan: TilingPlan, capacity: int) -> float:
    """The bytes that a plan moves, and its steps."""
    steps = expand(plan.setting.program, plan.cuts, plan.leaders, capacity, plan.windows)
    moved = moved_bytes(steps, capacity)
    return inf if moved is None else moved + STEP * len(steps.steps)


@pytest.mark.one_per("program")
@PROGRAMS
@CAPACITIES
def test_no_plan_that_was_offered_is_better(program: TileProgram, capacity: int) -> None:
    plan = choose_plan(program, capacity)
    own = plan.price.bytes + STEP * plan.price.calls
    assert own <= weight(plan_tiles(program, capacity, capacity // 2), capacity)


def test_segments_are_joined_where_that_moves_less() -> None:
    program, capacity = element_wise(2), 80 * UNIT
    strips = ((H, 8),)
    alone = tuple(Segment(at, at + 1, Price(), {at: strips}) for at in range(2))
    apart = TilingPlan(alone, Setting(program, capacity, capacity // 2, capacity // 2))
    plan = choose_plan(program, capacity)
    assert plan.in_step == {0}
    assert plan.price.bytes == 2 * 64 * ROW
    assert weight(apart, capacity) > weight(plan, capacity)


@PROGRAMS
@CAPACITIES
def test_an_op_that_can_be_cut_is_not_left_in_ddr(program: TileProgram, capacity: int) -> None:
    plan = choose_plan(program, capacity)
    for at, op in enumerate(program.ops):
        touched = {*op.results, *(operand.tensor for operand in op.operands)}
        if op.in_tcm and sum(program.tensors[number].bytes for number in touched) > capacity:
            assert plan.cuts[at]


@pytest.mark.parametrize(("taps", "units"), [(3, 80), (9, 120)])
def test_replays_correct_estimates(taps: int, units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of plans that nothing refines the later ones, by what earlier replays show, are better."""
    monkeypatch.setattr(choice, "REFINED", ())
    monkeypatch.setattr(choice, "SHARES", (1.0,))
    program, capacity = windowed(taps), units * UNIT
    every = choose_plan(program, capacity)
    monkeypatch.setattr(choice, "ROUNDS", 1)
    first = choose_plan(program, capacity)
    assert weight(every, capacity) < weight(first, capacity)


def test_a_plan_of_many_steps_is_refined_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a round over several plans could not replay each often, the last one has its steps."""
    efforts = list[int]()

    def refine(_search: object, steps: int) -> int:
        efforts.append(steps)
        return 0

    monkeypatch.setattr(choice._PlanSearch, "refine", refine)
    program, capacity = windowed(9), 120 * UNIT
    monkeypatch.setattr(choice, "REFINED", ((2, 1_000), (2, 100_000), (1, 1_000_000)))
    choose_plan(program, capacity)
    assert efforts == [1_000, 1_000, 100_000, 100_000, 1_000_000]
    efforts.clear()
    monkeypatch.setattr(choice, "REPLAYS", 100_000)
    choose_plan(program, capacity)
    assert efforts == [2_000 + 200_000 + 1_000_000]

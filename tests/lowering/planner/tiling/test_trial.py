"""Trials: what the steps around a change promise is what the whole plan then moves."""

from dataclasses import replace

import pytest
from htp_mlir.lowering.planner.allocation.replay import Replay
from htp_mlir.lowering.planner.tiling.memory import Price, Setting
from htp_mlir.lowering.planner.tiling.search import Segment, TilingPlan
from htp_mlir.lowering.planner.tiling.steps import Expansion
from htp_mlir.lowering.planner.tiling.trial import ChangeTrial, Replayed

from .test_chain import UNIT, H, element_wise

COUNT = 6
PROGRAM, CAPACITY = element_wise(COUNT), 300 * UNIT
SETTING = Setting(PROGRAM, CAPACITY, CAPACITY // 2, CAPACITY // 2)


def segment(start: int, end: int, size: int) -> Segment:
    return Segment(start, end, Price(), dict.fromkeys(range(start, end), ((H, size),)))


def replayed(plan: TilingPlan) -> Replayed:
    expansion = Expansion(plan.program, plan.cuts, CAPACITY, plan.windows)
    assert expansion.run_all(plan.leaders)
    replay = Replay(expansion.list, CAPACITY)
    assert replay.run()
    return Replayed(plan, expansion, replay)


def weight(plan: TilingPlan) -> int:
    own = replayed(plan)
    return own.expansion.list.weight(own.replay.bytes)


ALONE = TilingPlan(tuple(segment(at, at + 1, 8) for at in range(COUNT)), SETTING)


@pytest.mark.parametrize("size", [1, 4, 16, 32])
@pytest.mark.parametrize("at", range(COUNT))
def test_a_segment_that_is_cut_anew_weighs_less_where_the_plan_does(at: int, size: int) -> None:
    segments = (*ALONE.segments[:at], segment(at, at + 1, size), *ALONE.segments[at + 1 :])
    plan = replace(ALONE, segments=segments)
    trial = ChangeTrial(replayed(ALONE), plan, min(at + 1, COUNT - 1))
    assert trial.is_less == (weight(plan) < weight(ALONE))


@pytest.mark.parametrize("at", range(COUNT - 1))
def test_two_segments_that_are_joined_weigh_less(at: int) -> None:
    joined = segment(at, at + 2, 8)
    segments = (*ALONE.segments[:at], joined, *ALONE.segments[at + 2 :])
    plan, base = replace(ALONE, segments=segments), replayed(ALONE)
    trial = ChangeTrial(base, plan, min(at + 2, COUNT - 1))
    assert trial.is_less
    assert weight(plan) < weight(ALONE)
    # The steps in front of it are not replayed, nor are those behind the segment that follows.
    assert trial.steps <= 3 * len(base.expansion.list.steps) / COUNT

"""The plan of a whole program: the cheapest cover, what leaves as it is made, likeness."""

from dataclasses import replace

from htp_mlir.lowering.planner.allocation.replay import Replay
from htp_mlir.lowering.planner.tiling import (
    SUMMED,
    AccessMap,
    TileProgram,
    TilingOp,
    TilingOperand,
    TilingTensor,
)
from htp_mlir.lowering.planner.tiling.memory import Price, Setting
from htp_mlir.lowering.planner.tiling.search import Chains, Segment, TilingPlan, cheapest
from htp_mlir.lowering.planner.tiling.steps import Expansion

from .test_chain import UNIT, H, element_wise


def test_the_cheapest_segments_cover_a_program() -> None:
    """The first op alone and the others in step, as the docstring of the module has it."""
    setting = Setting(element_wise(3), 80 * UNIT, 40 * UNIT, 60 * UNIT)
    alone = [Segment(at, at + 1, Price(8)) for at in range(3)]
    in_step = [Segment(0, 2, Price(10)), Segment(1, 3, Price(9))]
    plan = cheapest(setting, [*alone, *in_step])
    assert plan.segments == (alone[0], in_step[1])
    dear = in_step[1].weighing(15)
    assert cheapest(setting, [*alone, in_step[0], dear]).segments == (in_step[0], alone[2])


def two(capacity: int, *segments: Segment) -> TilingPlan:
    """Two ops in a row, with 256 units between them."""
    setting = Setting(element_wise(2), capacity, capacity // 2, capacity * 3 // 4)
    return TilingPlan(segments, setting)


def strips(start: int, end: int, drains: bool = True) -> Segment:
    """Ops in step, in strips of 8 rows."""
    cuts = dict.fromkeys(range(start, end), ((H, 8),))
    return Segment(start, end, Price(), cuts, drains)


def test_what_another_segment_reads_leaves_as_it_is_made() -> None:
    """The second result is in main memory in any case."""
    plan = two(80 * UNIT, strips(0, 1), strips(1, 2))
    assert plan.drained == {0}
    assert [tensor.in_ddr for tensor in plan.program.tensors] == [True, True, True]
    assert [tensor.in_ddr for tensor in plan.setting.program.tensors] == [True, False, True]


def test_what_stays_is_not_drained() -> None:
    """In step, in half of the TCM, where the plan says so, and of an op that is not cut."""
    apart, whole = strips(0, 1), Segment(0, 1, Price(), {0: ()})
    plans = [
        two(80 * UNIT, strips(0, 2)),
        two(512 * UNIT, apart, strips(1, 2)),
        two(80 * UNIT, strips(0, 1, drains=False), strips(1, 2)),
        two(80 * UNIT, whole, strips(1, 2)),
    ]
    for plan in plans:
        assert plan.drained == frozenset()
        assert plan.program is plan.setting.program
    assert two(511 * UNIT, apart, strips(1, 2)).drained == {0}


def test_ops_in_the_middle_are_alike() -> None:
    """The first op reads from DDR, and the last one writes there."""
    program = element_wise(5)
    same = replace(program, ops=[replace(op, name="relu") for op in program.ops])
    kind = Setting(same, 80 * UNIT, 40 * UNIT, 60 * UNIT).likeness.kind
    assert kind(1, 3) == kind(2, 4)
    assert kind(0, 2) != kind(1, 3)
    assert kind(2, 4) != kind(3, 5)


def test_a_segment_is_moved_with_its_cuts() -> None:
    assert strips(1, 3).moved(2) == strips(3, 5)


def averaged(in_tcm: bool = True) -> TileProgram:
    """Two ops in a row, and a sum over the rows."""
    rows = element_wise(2)
    total = TilingTensor((1, 1, 1, 128), 4)
    whole = {SUMMED: AccessMap(H)}
    mean = TilingOp("mean", (3,), (TilingOperand(2, whole),), in_tcm=in_tcm, summed=64)
    tensors = [*rows.tensors[:2], replace(rows.tensors[2], in_ddr=False), total]
    return TileProgram(tensors, [*rows.ops, mean], frozenset({3}))


def test_parts_of_a_sum_that_are_too_large_fit_no_plan() -> None:
    """They are added up in TCM, also of an op that may run from main memory."""
    cuts = {**dict.fromkeys((0, 1), ((H, 8),)), 2: ((SUMMED, 32),)}
    expansion = Expansion(averaged(in_tcm=False), cuts, 80 * UNIT, {})
    assert expansion.run_all([2])
    assert not Replay(expansion.list, 80 * UNIT).run()
    assert Replay(expansion.list, 200 * UNIT).run()


def test_what_is_summed_over_an_image_is_made_in_parts() -> None:
    """Of two ops and a sum the image is read once; what only the sum reads is written nowhere."""
    program = averaged()
    setting = Setting(program, 80 * UNIT, 40 * UNIT, 60 * UNIT)
    whole_chains = (each for each in Chains(setting).sums() if (each.start, each.end) == (0, 3))
    best = min(whole_chains, key=lambda segment: segment.price)
    (size,) = {tile for at in (0, 1) for _, tile in best.cuts[at]}
    assert best.cuts[2] == ((SUMMED, size),)
    assert best.price.bytes == program.tensors[0].bytes

"""The plan of a whole program: how much of the TCM results keep is chosen by the price."""

from htp_mlir.lowering.planner.tiling import (
    SUMMED,
    AccessMap,
    TileProgram,
    TilingOp,
    TilingOperand,
    TilingTensor,
    plan_tiles,
)
from htp_mlir.lowering.planner.tiling.memory import Price, Setting
from htp_mlir.lowering.planner.tiling.search import CLEARLY, Segment, TilingPlan, cheapest

from .test_chain import UNIT, H, element_wise

ROWS, DEPTH = 2, 3
CAPACITY = 2 << 20
HALF, MOST = CAPACITY // 2, CAPACITY * 3 // 4


def feed_forward(tokens: int, inner: int) -> TileProgram:
    """The second half of a transformer's feed-forward block: a long sum, a skip, a norm."""
    wide, skip, out = (TilingTensor((1, 1, tokens, n), 4, in_ddr=True) for n in (inner, 768, 768))
    weights = TilingTensor((1, 1, 768, inner), 4, constant=True)
    hidden = TilingTensor((1, 1, tokens, 768), 4)
    both = {ROWS: AccessMap(ROWS), DEPTH: AccessMap(DEPTH)}
    x = TilingOperand(0, {ROWS: AccessMap(ROWS), SUMMED: AccessMap(DEPTH)})
    w = TilingOperand(1, {DEPTH: AccessMap(ROWS), SUMMED: AccessMap(DEPTH)}, in_tcm=False)
    ops = [
        TilingOp("FullyConnected", (2,), (x, w), (ROWS, DEPTH), summed=inner),
        TilingOp("Add", (4,), (TilingOperand(2, both), TilingOperand(3, both)), (ROWS, DEPTH)),
        TilingOp("LayerNorm", (5,), (TilingOperand(4, {ROWS: AccessMap(ROWS)}),), (ROWS,)),
    ]
    return TileProgram([wide, weights, hidden, skip, hidden, out], ops, frozenset({5}))


def test_results_that_crowd_the_tcm_do_not_stay_there() -> None:
    program = feed_forward(512, 3072)
    wide, narrow = (cheapest(Setting(program, CAPACITY, HALF, kept)) for kept in (MOST, HALF))
    assert narrow.price.weight < CLEARLY * wide.price.weight
    assert plan_tiles(program, CAPACITY, HALF) == narrow


def test_results_that_leave_enough_stay() -> None:
    program = feed_forward(384, 256)
    wide, narrow = (cheapest(Setting(program, CAPACITY, HALF, kept)) for kept in (MOST, HALF))
    assert Setting(program, CAPACITY, HALF, MOST).resident > frozenset()
    assert narrow.price.weight >= CLEARLY * wide.price.weight
    assert plan_tiles(program, CAPACITY, HALF) == wide


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

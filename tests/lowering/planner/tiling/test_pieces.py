"""The shortest path over segments: which spans lie on it, and how each is cut."""

from dataclasses import replace
from math import inf

from htp_mlir.lowering.planner.tiling import TileProgram
from htp_mlir.lowering.planner.tiling.memory import Price, Setting
from htp_mlir.lowering.planner.tiling.pieces import Pieces, Span
from htp_mlir.lowering.planner.tiling.program import Cuts
from htp_mlir.lowering.planner.tiling.search import Segment, TilingPlan

from .test_chain import UNIT, H, element_wise

SCARCE, AMPLE = 80 * UNIT, 400 * UNIT
"""What lies between two ops takes 256 units."""
WHOLE, STRIPS, LINES = (), ((H, 8),), ((H, 1),)
ENOUGH = 1 << 20


def setting(program: TileProgram, capacity: int) -> Setting:
    return Setting(program, capacity, capacity // 2, capacity * 3 // 4)


def ways(start: int, end: int, *cuts: Cuts) -> list[Segment]:
    """Ways to cut some ops, each of them alike."""
    return [Segment(start, end, Price(), dict.fromkeys(range(start, end), each)) for each in cuts]


def likely(*joined: Cuts) -> dict[Span, list[Segment]]:
    """Two ops in a row, alone in strips, or joined."""
    apart = {(at, at + 1): ways(at, at + 1, STRIPS) for at in range(2)}
    return {**apart, (0, 2): ways(0, 2, *joined)} if joined else apart


def pieces(capacity: int, effort: int = ENOUGH) -> Pieces:
    return Pieces(setting(element_wise(2), capacity), effort)


def planned(capacity: int, *joined: Cuts, effort: int = ENOUGH) -> dict[Span, Cuts]:
    """How the last op of each segment is cut, where both ops may be joined in some ways."""
    return cuts_of(pieces(capacity, effort).plan(likely(*joined)))


def cuts_of(plan: TilingPlan) -> dict[Span, Cuts]:
    """How the last op of each segment is cut."""
    return {(each.start, each.end): each.cuts[each.end - 1] for each in plan.segments}


APART = {(0, 1): STRIPS, (1, 2): STRIPS}


def test_ops_go_in_step_where_what_lies_between_would_leave() -> None:
    assert planned(SCARCE, STRIPS) == {(0, 2): STRIPS}


def test_what_stays_in_tcm_between_two_spans_does_not_move() -> None:
    """Both move as much, and joined in strips of one row are more steps."""
    assert planned(AMPLE, LINES) == APART
    assert planned(SCARCE, LINES) == {(0, 2): LINES}


def test_the_way_that_weighs_the_least_is_taken() -> None:
    """Whole tensors do not fit, and lines are more steps than strips."""
    assert planned(SCARCE, WHOLE, LINES, STRIPS) == {(0, 2): STRIPS}


def test_what_does_not_fit_joined_stays_apart() -> None:
    assert planned(SCARCE, WHOLE) == APART


def test_what_is_not_on_the_path_is_not_replayed() -> None:
    """What both ops move alone cannot be less than what they move joined."""
    every, joined = pieces(SCARCE), pieces(SCARCE)
    ways = likely(STRIPS)
    assert cuts_of(every.plan(ways)) == cuts_of(joined.plan({(0, 2): ways[0, 2]}))
    assert every.left == joined.left < ENOUGH


def test_without_replays_the_bound_decides() -> None:
    """By what they cannot but move both ops are joined, in the way that comes first."""
    assert planned(SCARCE, WHOLE, STRIPS, effort=0) == {(0, 2): WHOLE}


def test_where_nothing_fits_every_op_is_in_one_segment() -> None:
    assert planned(UNIT) == APART
    assert planned(UNIT, STRIPS) in (APART, {(0, 2): STRIPS})


def test_segments_that_look_alike_are_replayed_once() -> None:
    every = Pieces(setting(element_wise(4), SCARCE), ENOUGH)
    weights = [every.weight(ways(at, at + 2, STRIPS)[0]) for at in range(3)]
    left = every.left
    assert weights[1] == weights[0]
    assert every.weight(ways(1, 3, LINES)[0]) > weights[1]
    assert every.left < left


def test_a_replay_ends_at_its_limit_and_goes_on_with_a_larger_one() -> None:
    (segment,), every = ways(0, 2, LINES), pieces(SCARCE)
    weight = Pieces(every.setting, ENOUGH).weight(segment)
    assert every.weight(segment, weight / 2) == inf
    cut = ENOUGH - every.left
    assert every.weight(segment, weight / 4) == inf
    assert ENOUGH - every.left == cut
    assert every.weight(segment) == weight < inf
    assert ENOUGH - every.left > 2 * cut - cut


def test_ops_in_the_middle_are_alike() -> None:
    """The first op reads from DDR, and the last one writes there."""
    program = element_wise(5)
    same = replace(program, ops=[replace(op, name="relu") for op in program.ops])
    kind = setting(same, SCARCE).likeness.kind
    assert kind(1, 3) == kind(2, 4)
    assert kind(0, 2) != kind(1, 3)
    assert kind(2, 4) != kind(3, 5)


def test_a_segment_is_moved_with_its_cuts() -> None:
    (segment,) = ways(1, 3, STRIPS)
    assert segment.moved(2) == ways(3, 5, STRIPS)[0]

"""The shortest path over segments: which spans lie on it, and how each is cut."""

from __future__ import annotations

from htp_mlir.lowering.planner.tiling import TileProgram
from htp_mlir.lowering.planner.tiling.memory import Price, Setting
from htp_mlir.lowering.planner.tiling.pieces import Pieces, Span
from htp_mlir.lowering.planner.tiling.program import Cuts
from htp_mlir.lowering.planner.tiling.search import Segment, TilingPlan

from .test_chain import ROW, UNIT, H, element_wise

SCARCE, AMPLE = 80 * UNIT, 400 * UNIT
"""What lies between two ops takes 256 units."""
WHOLE, STRIPS, LINES = (), ((H, 8),), ((H, 1),)
ENOUGH = 1 << 20


def setting(program: TileProgram, capacity: int) -> Setting:
    return Setting(program, capacity, capacity // 2, capacity * 3 // 4)


def ways(start: int, end: int, *cuts: Cuts) -> list[Segment]:
    """Ways to cut some ops, each of them alike."""
    return [Segment(start, end, Price(), dict.fromkeys(range(start, end), each)) for each in cuts]


def pieces(capacity: int, joined: tuple[Cuts, ...], effort: int = ENOUGH, step: int = 1) -> Pieces:
    """Two ops in a row, alone in strips, or joined."""
    likely: dict[Span, list[Segment]] = {(at, at + 1): ways(at, at + 1, STRIPS) for at in range(2)}
    if joined:
        likely[0, 2] = ways(0, 2, *joined)
    return Pieces(setting(element_wise(2), capacity), likely, step, effort)


def cuts_of(plan: TilingPlan) -> dict[Span, Cuts]:
    """How the last op of each segment is cut."""
    return {(each.start, each.end): each.cuts[each.end - 1] for each in plan.segments}


APART = {(0, 1): STRIPS, (1, 2): STRIPS}


def test_ops_go_in_step_where_what_lies_between_would_leave() -> None:
    assert cuts_of(pieces(SCARCE, (STRIPS,)).plan()) == {(0, 2): STRIPS}


def test_what_stays_in_tcm_between_two_spans_does_not_move() -> None:
    """Both move as much, and joined in strips of one row are more steps."""
    assert cuts_of(pieces(AMPLE, (LINES,)).plan()) == APART
    assert cuts_of(pieces(SCARCE, (LINES,)).plan()) == {(0, 2): LINES}


def test_a_step_weighs_what_the_caller_says() -> None:
    """Joined, 128 tiles make the 256 units between the ops stay; apart there are 16."""
    moved = 2 * 64 * ROW
    assert cuts_of(pieces(SCARCE, (LINES,), step=moved // 256).plan()) == {(0, 2): LINES}
    assert cuts_of(pieces(SCARCE, (LINES,), step=moved // 64).plan()) == APART


def test_the_way_that_moves_the_least_is_taken() -> None:
    """Whole tensors do not fit, and lines are more steps than strips."""
    assert cuts_of(pieces(SCARCE, (WHOLE, LINES, STRIPS)).plan()) == {(0, 2): STRIPS}


def test_what_does_not_fit_joined_stays_apart() -> None:
    assert cuts_of(pieces(SCARCE, (WHOLE,)).plan()) == APART


def test_what_is_not_on_the_path_is_not_replayed() -> None:
    """What both ops move alone cannot be less than what they move joined."""
    every = pieces(SCARCE, (STRIPS,))
    joined = Pieces(every.setting, {(0, 2): every.likely[0, 2]}, 1, ENOUGH)
    assert cuts_of(every.plan()) == cuts_of(joined.plan())
    assert every.left == joined.left < ENOUGH


def test_without_replays_the_bound_decides() -> None:
    """By what they cannot but move both ops are joined, in the way that comes first."""
    assert cuts_of(pieces(SCARCE, (WHOLE, STRIPS), effort=0).plan()) == {(0, 2): WHOLE}


def test_where_nothing_fits_every_op_is_in_one_segment() -> None:
    assert cuts_of(pieces(UNIT, ()).plan()) == APART
    assert cuts_of(pieces(UNIT, (STRIPS,)).plan()) in (APART, {(0, 2): STRIPS})

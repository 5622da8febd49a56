"""Tiles that somebody chose for some ops, and the plan of the others around them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from .explained import price_of
from .program import Cuts, TileProgram
from .search import Segment, TilingPlan


@dataclass(frozen=True)
class ChosenTiles:
    """Ops from `start` to before `end` in step, with the cuts of those that are cut.

    `drains` as of a segment.
    """

    start: int
    end: int
    cuts: Mapping[int, Cuts]
    drains: bool = True


@dataclass(frozen=True)
class Misfit:
    """Chosen tiles that cannot be: the bytes that the largest one needs."""

    tiles: ChosenTiles
    need: int


def plan_around(
    program: TileProgram,
    chosen: Sequence[ChosenTiles],
    plan: Callable[[TileProgram], TilingPlan],
) -> tuple[TilingPlan, Misfit | None]:
    """Plan a program with chosen tiles; the second result are those that cannot be, if any.

    To the planner the ops with chosen tiles are ops that cannot be cut.
    """
    fixed = {at for each in chosen for at in range(each.start, each.end)}
    ops = [
        replace(op, cuts=(), summed=0) if at in fixed else op for at, op in enumerate(program.ops)
    ]
    rest = plan(replace(program, ops=ops))
    setting = replace(rest.setting, program=program)
    segments = [segment for segment in rest.segments if segment.start not in fixed]
    for each in chosen:
        price, need = price_of(setting, each.start, each.end, each.cuts)
        if price is None:
            return rest, Misfit(each, need)
        segments.append(Segment(each.start, each.end, price, each.cuts, each.drains))
    segments.sort(key=lambda segment: segment.start)
    return TilingPlan(tuple(segments), setting), None

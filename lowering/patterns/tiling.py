"""Pass group TILING: an op becomes a Concat of smaller ones, by plan or because it is too large.

Every cut of the tile table makes a rule. It cuts as the plan on the op says (`htp-plan-tiles`);
where an op that no plan speaks of holds too much of the TCM, it halves the dim at a whole number
of chunks, and again until the halves fit. The order of the table is the order in which halving
tries dims: rows first, because strips of rows are what windows and memory like best; what the op
sums over comes last.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..rules import (
    ADD,
    AND,
    AUTOSPLIT,
    AUTOSPLIT_SLICE,
    CHANGEDIM_SLICE,
    DIM_OF,
    DIV,
    ELEMENTSIZE_OF,
    EQ,
    GT,
    LT,
    OR,
    PLANNED_CHUNK,
    ROUNDUP,
    SELECT,
    SPLIT_SIZE,
    SPLIT_START,
    TILING,
    TYPICAL_CONV_SLICE,
    TYPICAL_SLICE,
    Op,
    gen_Shape,
    rule,
    rules,
)
from ..rules.definition.rule import Rule
from ..rules.tree.expr import Arg, Expr, OpForm, Tag
from .conditions import EXCEEDS_ITS_SHARE
from .sums import sums
from .tile_table import (
    DEPTH_CHUNK,
    SHARED_CHUNK,
    TILE_TABLE,
    B,
    Cut,
    D,
    Follow,
    H,
    Shrunk,
    TileRow,
    W,
    Window,
)

CHUNK = {B: 1, H: SHARED_CHUNK, W: SHARED_CHUNK, D: DEPTH_CHUNK}
"""A half lands on a multiple of these, so that no crouton is shared by two tiles."""

CROUTON_COLUMNS = DIV(8, ELEMENTSIZE_OF("*"))
"""The columns of one crouton."""


def _part(tag: str, follow: Follow, dim: int) -> Expr:
    """What a tile reads of an operand."""
    if isinstance(follow, Window):
        return TYPICAL_CONV_SLICE(tag, "I", follow.stride, follow.taps)
    if isinstance(follow, Shrunk):
        start, size = DIV(SPLIT_START("I"), follow.by), DIV(SPLIT_SIZE("I"), follow.by)
        begin = gen_Shape(*(start if at == dim else 0 for at in range(4)))
        extent = gen_Shape(*(size if at == dim else DIM_OF(tag, at) for at in range(4)))
        return AUTOSPLIT_SLICE(tag, begin, extent)
    there = follow.along(dim)
    part = TYPICAL_SLICE(tag, "I") if there == dim else CHANGEDIM_SLICE(tag, "I", there)
    return SELECT(EQ(DIM_OF(tag, there), 1), tag, part) if follow.broadcast else part


def _tile(op: OpForm, cut: Cut) -> OpForm:
    """The op of one tile."""
    tags = [expr.name for expr in op.inputs if isinstance(expr, Tag)]
    follows = cut.follows
    parts = [_part(tag, follows[tag], cut.dim) if tag in follows else tag for tag in tags]
    return Op(op.name, *parts)


def _holds(cut: Cut, guard: Expr) -> Expr:
    return guard if cut.condition is None else AND(cut.condition, guard)


def tiles(op: OpForm, cut: Cut) -> Rule:
    """The rule that cuts the result of `op` along a dim: as its plan says, or in two halves."""
    chunk, half = PLANNED_CHUNK("*", cut.dim), _half(cut.dim, CHUNK[cut.dim])
    by_plan = AND(GT(chunk, 0), LT(chunk, DIM_OF("*", cut.dim)))
    return rule(
        TILING,
        op,
        _holds(cut, OR(by_plan, _too_large(cut.dim, CHUNK[cut.dim]))),
        AUTOSPLIT(cut.dim, "I", SELECT(GT(chunk, 0), chunk, half), _tile(op, cut)),
        name=f"tile {op.name} along {'BHWD'[cut.dim]}",
    )


def columns(op: OpForm, cut: Cut) -> Rule:
    """The rule that halves a dim at single croutons, the last resort after all other dims."""
    return rule(
        TILING,
        op,
        _holds(cut, _too_large(cut.dim, CROUTON_COLUMNS)),
        AUTOSPLIT(cut.dim, "I", _half(cut.dim, CROUTON_COLUMNS), _tile(op, cut)),
        name=f"tile {op.name} along {'BHWD'[cut.dim]} in single croutons",
    )


def _half(dim: int, chunk: Arg) -> Expr:
    return ROUNDUP(DIV(ADD(DIM_OF("*", dim), 1), 2), chunk)


def _too_large(dim: int, chunk: Arg) -> Expr:
    """The op exceeds its share of the TCM, and there is more than one chunk to cut."""
    return AND(GT(DIM_OF("*", dim), chunk), EXCEEDS_ITS_SHARE)


def _rules_of(row: TileRow) -> Iterator[Rule]:
    yield from (tiles(row.op, cut) for cut in row.cuts)
    if row.columns is not None:
        yield columns(row.op, row.columns)
    if row.summed is not None:
        yield sums(row, row.summed)


TILING_RULES = rules(*(rule_ for row in TILE_TABLE for rule_ in _rules_of(row)))

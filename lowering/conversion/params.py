"""Graph params as native operands: dims and axes moved to rank 4."""

from __future__ import annotations

from collections.abc import Callable

from ...dialects.qti_aisw.params import ParamValue
from ...dialects.value.layout import RANK

Move = Callable[[tuple[int, ...], int], tuple[int, ...] | None]
"""Params that speak of dims, moved from a tensor of the given rank to rank 4.

Above rank 4 the leading dims of extent 1 fold away; None where a param needs one of them.
"""


def _axis(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
    moved = tuple(axis % rank + RANK - rank for axis in values)
    return moved if min(moved) >= 0 else None


def _axes(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
    """To reduce over an extent of 1 as well changes nothing, so a folded axis just goes."""
    moved = tuple(axis % rank + RANK - rank for axis in values)
    return tuple(axis for axis in moved if axis >= 0) or None


def _permutation(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
    folded = max(rank - RANK, 0)
    if any(axis >= folded for axis in values[:folded]):
        return None
    return (*range(RANK - rank), *(axis + RANK - rank for axis in values[folded:]))


def _per_dim(neutral: tuple[int, ...]) -> Move:
    def mover(values: tuple[int, ...], rank: int) -> tuple[int, ...] | None:
        folded = max(rank - RANK, 0) * len(neutral)
        if values[:folded] != neutral * max(rank - RANK, 0):
            return None
        return (*neutral * (RANK - rank), *values[folded:])

    return mover


MOVES: dict[str, Move] = {
    "axis": _axis,
    "axes": _axes,
    "perm": _permutation,
    "ranges": _per_dim((0, 1, 1)),
    "multiples": _per_dim((1,)),
    "Pad.pad_amount": _per_dim((0, 0)),
}
"""The move of a param that names dims, by param, or by op and param where other ops differ.

A range over a back-filled dim takes its one element: begin 0, end 1, stride 1.
"""


def move(op: str, name: str, value: ParamValue, rank: int) -> ParamValue | None:
    """Return the param's value at rank 4; None where it speaks of a dim that folds away."""
    mover = MOVES.get(name) or MOVES.get(f"{op}.{name}")
    if mover is None:
        return value
    if isinstance(value, tuple):
        return mover(value, rank)
    moved = mover((int(value),), rank)
    return None if moved is None else moved[0]

"""Places for all tensors of a function: layouts first, then memories, each by a minimum cut.

Cost: two minimum cuts (see `min_cut`). Layouts come first: what conversions there are decides which
tensors are worth a place in TCM. The memories are then the best for these layouts, not for all.

Example: of two convolutions in a row the tensor between them is in croutons, as both read and write
them, and in TCM, as nothing else reads it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.value import Place
from .layouts import (
    PlacementOp,
    PlacementTensor,
    converted_bytes,
    in_tcm,
    is_crouton,
    layout_problem,
)
from .memories import memory_problem
from .min_cut import choose
from .places import TcmBudget


@dataclass(frozen=True)
class PlacementPlan:
    """The places of each op's tensors, reads first, and the bytes that conversions write."""

    places: tuple[tuple[Place, ...], ...]
    converted: int


def plan(
    tensors: Sequence[PlacementTensor], ops: Sequence[PlacementOp], budget: TcmBudget
) -> PlacementPlan:
    """Choose layouts at the fewest converted bytes, then memories at the fewest moved bytes."""
    crouton = croutons(tensors, ops, budget)
    problem, variables, narrowed = memory_problem(tensors, ops, crouton, budget)
    memories = choose(problem).labels
    tcm = [[memories[variable] for variable in row] for row in variables]
    return PlacementPlan(
        tuple(map(_places, narrowed, crouton, tcm)), converted_bytes(tensors, ops, crouton)
    )


def croutons(
    tensors: Sequence[PlacementTensor], ops: Sequence[PlacementOp], budget: TcmBudget
) -> list[list[bool]]:
    """Choose the layouts alone: whether each of an op's tensors is in croutons."""
    problem, variables = layout_problem(tensors, ops, budget)
    layouts = choose(problem).labels
    return [[layouts[variable] for variable in row] for row in variables]


def _places(op: PlacementOp, crouton: Sequence[bool], tcm: Sequence[bool]) -> tuple[Place, ...]:
    """The place of each tensor that has these labels, from an option that has all of them."""
    wanted = [*zip(crouton, tcm, strict=True)]
    options = (
        [
            next((p for p in places if (is_crouton(p), in_tcm(p)) == labels), None)
            for places, labels in zip(option, wanted, strict=True)
        ]
        for option in op.options
    )
    return next(tuple(p for p in places if p) for places in options if None not in places)

"""Places for all tensors of a function: layouts first, then memories, each by a minimum cut.

Cost: two minimum cuts (see `min_cut`). Layouts come first: what conversions there are decides which
tensors are worth a place in TCM. The memories are then the best for these layouts, not for all.

Example: of two convolutions in a row the tensor between them is in croutons, as both read and write
them, and in TCM, as nothing else reads it.

A tensor goes from one place to another in steps that are ops of the IR. Its places are the nodes of
a graph: a copy between the memories moves the bytes of the layout, a change of layout in DDR those
of both layouts, in TCM none. The cheapest path from any place where the tensor is leads to the one
that is wanted.

Example: croutons of 2 KB in TCM are wanted flat, 1 KB, in DDR. By way of DDR 2 + 3 KB move. Changed
in TCM 1 KB moves, so that is the path wherever both forms fit there.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ....dialects.value import LayoutKind, Memory, Place
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
class RouteStep:
    """A native op that moves a tensor, from one place to another."""

    op: str
    start: Place
    result: Place


_WORDS = {LayoutKind.FLAT: "Flat", LayoutKind.CROUTON: "Crouton"}


def route(
    starts: Collection[Place], end: Place, forms: Mapping[LayoutKind, int], in_tcm: bool
) -> tuple[RouteStep, ...]:
    """List the steps that move the fewest bytes from one of some places to another.

    `forms` are the bytes in each layout. `in_tcm`: TCM has room for a change of layout. Only flat
    and crouton have conversions; ValueError for another layout.
    """
    if end in starts:
        return ()
    if strange := {end.layout, *(place.layout for place in starts)} - _WORDS.keys():
        raise ValueError(f"no conversion from or to layout {strange.pop().value}")
    paths = {start: ((0, 0), tuple[RouteStep, ...]()) for start in starts}
    # Four places: no path has more than three steps.
    for _ in range(3):
        for start, ((moved, count), steps) in list(paths.items()):
            for step, size in _steps(start, forms, in_tcm):
                known = paths.get(step.result)
                price = moved + size, count + 1
                if known is None or price < known[0]:
                    paths[step.result] = price, (*steps, step)
    return paths[end][1]


def _steps(
    start: Place, forms: Mapping[LayoutKind, int], in_tcm: bool
) -> list[tuple[RouteStep, int]]:
    """List the steps from a place, with the bytes that they move."""
    steps: list[tuple[RouteStep, int]] = []
    for layout, memory in product(forms, Memory):
        result = Place(layout, memory)
        if layout is start.layout and memory is not start.memory:
            way = "to" if memory is Memory.TCM else "from"
            step = RouteStep(f"{layout.value}_{way}_vtcm", start, result)
            steps.append((step, forms[layout]))
        elif layout is not start.layout and memory is start.memory:
            step = RouteStep(f"ForceFormat_{_WORDS[layout]}", start, result)
            if memory is Memory.DDR:
                steps.append((step, sum(forms.values())))
            elif in_tcm:
                steps.append((step, 0))
    return steps


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

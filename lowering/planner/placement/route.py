"""Conversions of a tensor from one place to another, in steps that are ops of the IR.

The places of a tensor are the nodes of a graph: a copy between the memories moves the bytes of the
layout, a change of layout in DDR those of both layouts, in TCM none. The cheapest path from any
place where the tensor already is leads to the one that is wanted.

Example: croutons of 2 KB in TCM are wanted flat, 1 KB, in DDR. By way of DDR 2 + 3 KB move. Changed
in TCM 1 KB moves, so that is the path wherever both forms fit there.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import product

from ....dialects.value import LayoutKind, Memory, Place


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

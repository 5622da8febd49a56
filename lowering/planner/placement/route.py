"""Conversions of a tensor from one place to another, in steps that are ops of the IR."""

from __future__ import annotations

from dataclasses import dataclass

from ....dialects.value.place import LayoutKind, Memory, Place


@dataclass(frozen=True)
class RouteStep:
    """A native op that moves a tensor, and the place of its result."""

    op: str
    result: Place


_WORDS = {LayoutKind.FLAT: "Flat", LayoutKind.CROUTON: "Crouton"}


def route(start: Place, end: Place) -> tuple[RouteStep, ...]:
    """List the conversions from one place to another: layouts change in DDR only.

    Only flat and crouton have conversions; ValueError for another layout.
    """
    if start.unplaced() == end:
        return ()
    if strange := {start.layout, end.layout} - _WORDS.keys():
        raise ValueError(f"no conversion from or to layout {strange.pop().value}")
    steps: list[RouteStep] = []
    if start.memory is Memory.TCM:
        steps.append(RouteStep(f"{start.layout.value}_from_vtcm", Place(start.layout, Memory.DDR)))
    if start.layout is not end.layout:
        forced = Place(end.layout, Memory.DDR)
        steps.append(RouteStep(f"ForceFormat_{_WORDS[end.layout]}", forced))
    if end.memory is Memory.TCM:
        steps.append(RouteStep(f"{end.layout.value}_to_vtcm", end))
    return tuple(steps)

"""Where all tensors of a function lie, as they are made and as each op reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.value.place import Place
from .layouts import Item, Step, in_tcm, is_crouton, layout_problem
from .memories import memory_problem
from .places import Room
from .two_labels import choose


@dataclass(frozen=True)
class Plan:
    """The places of each step's tensors, reads first, and the bytes that conversions write."""

    places: tuple[tuple[Place, ...], ...]
    converted: int


def plan(items: Sequence[Item], steps: Sequence[Step], room: Room) -> Plan:
    """Layouts at the least converted bytes, then memories at the least bytes between them."""
    first = layout_problem(items, steps)
    layouts = choose(first.problem)
    crouton = [[layouts.labels[variable] for variable in held] for held in first.variables]
    problem, variables, narrowed = memory_problem(items, steps, crouton, room)
    memories = choose(problem).labels
    tcm = [[memories[variable] for variable in held] for held in variables]
    return Plan(tuple(map(_places, narrowed, crouton, tcm)), layouts.converted // first.scale)


def _places(step: Step, crouton: Sequence[bool], tcm: Sequence[bool]) -> tuple[Place, ...]:
    """The place of each tensor that has these labels, from a way that has all of them."""
    wanted = [*zip(crouton, tcm, strict=True)]
    found = (
        [
            next((p for p in places if (is_crouton(p), in_tcm(p)) == labels), None)
            for places, labels in zip(way, wanted, strict=True)
        ]
        for way in step.ways
    )
    return next(tuple(p for p in way if p) for way in found if None not in way)

"""TCM allocation: offsets alone where everything fits, else a walk that spills and fills."""

from __future__ import annotations

from collections.abc import Sequence

from .lifetimes import peak_live
from .offsets import pack
from .spill import Action, Alloc, Run, Stay, spill_plan
from .steps import Step, lifetimes


def allocate(steps: Sequence[Step], capacity: int, alignment: int) -> tuple[Action, ...]:
    """The actions that run the steps within `capacity` bytes, without spills if that can be.

    Raises DoesNotFit for a step whose own blocks are larger than the memory.
    """
    actions = without_spills(steps, capacity, alignment)
    return spill_plan(steps, capacity, alignment) if actions is None else actions


def without_spills(
    steps: Sequence[Step], capacity: int, alignment: int
) -> tuple[Action, ...] | None:
    """The actions that run the steps without any block leaving; None where none are found."""
    lives = lifetimes(steps)
    packing = pack(lives, capacity, alignment)
    if packing is None:
        return None
    offsets = {life.name: at for life, at in zip(lives, packing.offsets, strict=True)}
    actions: list[Action] = []
    for index, step in enumerate(steps):
        actions += [Alloc(Stay(block.name, 0), offsets[block.name]) for block in step.writes]
        read = dict.fromkeys(Stay(block.name, 0) for block in step.reads)
        actions.append(Run(index, tuple(read)))
    return tuple(actions)


def lower_bound(steps: Sequence[Step], alignment: int) -> int:
    """The least memory that runs the steps in this order without a spill."""
    return peak_live(lifetimes(steps), alignment)

"""TCM allocation: offsets alone where everything fits, else a walk that spills and fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .lifetimes import Lifetime
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
    """The actions that run the steps without any block leaving; None where none are found.

    Copies get bytes of their own from the step before them on where that fits too: then they can
    begin while it computes.
    """
    offsets = _offsets(lifetimes(steps, early=True), capacity, alignment)
    offsets = offsets or _offsets(lifetimes(steps), capacity, alignment)
    if offsets is None:
        return None
    actions: list[Action] = []
    for index, step in enumerate(steps):
        actions += [Alloc(Stay(block.name, 0), offsets[block.name]) for block in step.writes]
        read = dict.fromkeys(Stay(block.name, 0) for block in step.reads)
        actions.append(Run(index, tuple(read)))
    return tuple(actions)


def _offsets(lives: Sequence[Lifetime], capacity: int, alignment: int) -> Mapping[str, int] | None:
    packing = pack(lives, capacity, alignment)
    if packing is None:
        return None
    return {life.name: at for life, at in zip(lives, packing.offsets, strict=True)}

"""TCM allocation: offsets alone where everything fits, else with spills and fills.

What leaves when is planned before the offsets are; where no offsets are found for that, by a walk
that decides on both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .actions import Action, Alloc, Residency, RunStep
from .offsets import pack
from .residency import by_intervals
from .spill import spill_plans
from .steps import AllocationStep, live_intervals


def allocate(steps: Sequence[AllocationStep], capacity: int, alignment: int) -> tuple[Action, ...]:
    """Plan the actions that run the steps within `capacity` bytes, without spills if possible.

    Raises DoesNotFit for a step whose own buffers are larger than the memory.
    """
    return next(allocations(steps, capacity, alignment))


def allocations(
    steps: Sequence[AllocationStep], capacity: int, alignment: int
) -> Iterator[tuple[Action, ...]]:
    """Plan as `allocate`; where a walk decides what leaves, more than one plan may follow."""
    actions = without_spills(steps, capacity, alignment)
    if actions is not None:
        yield actions
        return
    planned = by_intervals(steps, capacity, alignment)
    if planned is not None:
        yield planned
    else:
        yield from spill_plans(steps, capacity, alignment)


def without_spills(
    steps: Sequence[AllocationStep], capacity: int, alignment: int
) -> tuple[Action, ...] | None:
    """Plan the actions that run the steps without spills; None where no offsets are found.

    Where that fits too, copies get bytes of their own from the step before them on: then they can
    begin while it computes.
    """
    for early in (True, False):
        lives = live_intervals(steps, early)
        packing = pack(lives, capacity, alignment)
        if packing is not None:
            break
    else:
        return None
    offsets = {live.name: at for live, at in zip(lives, packing.offsets, strict=True)}
    actions: list[Action] = []
    for index, step in enumerate(steps):
        actions += [Alloc(Residency(b.name, 0), offsets[b.name]) for b in step.writes]
        read = dict.fromkeys(Residency(buffer.name, 0) for buffer in step.reads)
        actions.append(RunStep(index, tuple(read)))
    return tuple(actions)

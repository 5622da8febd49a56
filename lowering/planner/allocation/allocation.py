"""TCM allocation where everything fits: offsets alone, without spills and fills."""

from collections.abc import Sequence

from .actions import Action, Alloc, Residency, RunStep
from .offsets import pack
from .steps import AllocationStep, live_intervals


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

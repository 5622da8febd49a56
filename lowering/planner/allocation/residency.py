"""TCM allocation by live intervals: first which buffers are there when, then their offsets.

The steps are replayed without offsets (see `replay`). Each stay of a buffer is a live interval, and
all of them are packed at once (see `offsets`). Where no packing is found, the steps are replayed
in less TCM, which leaves room for gaps.

Cost: a replay and a packing for each size of the TCM that is tried.

Example: capacity 4, buffers of 1 to 2 bytes. What is freed leaves gaps of 1; a buffer of 2 that
enters fits the sum of two gaps, and neither. Packed together, the two lie side by side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from .actions import Action, Alloc, Fill, Residency, RunStep, Spill
from .live_intervals import LiveInterval
from .offsets import pack
from .replay import Replay, ReplayStep, StepList
from .steps import AllocationStep, Reasons, TcmBuffer, uses

PARTS = 32
"""Parts of the TCM, some of which each try leaves free for gaps."""
LEFT_FREE = (0, 1, 2, 3, 4, 6, 8, 12, 16)
"""Numbers of these parts, in the order in which they are tried."""
EFFORT = 50_000
"""Placements of the search for offsets, for each of them."""


def least_moved(steps: Sequence[AllocationStep], capacity: int, alignment: int) -> int | None:
    """Count the bytes of spills, fills and reads of what was saved, where nothing leaves gaps.

    None where a step does not fit.
    """
    return _listed(steps, alignment)[0].moved(capacity)


def by_intervals(
    steps: Sequence[AllocationStep], capacity: int, alignment: int
) -> tuple[Action, ...] | None:
    """Plan the actions that run the steps; None where no offsets are found."""
    listed, buffers = _listed(steps, alignment)
    packed = packed_stays(listed, capacity, alignment)
    return None if packed is None else tuple(_actions(steps, *packed, buffers))


def packed_stays(
    listed: StepList, capacity: int, alignment: int, effort: int = EFFORT
) -> tuple[Replay, tuple[int, ...]] | None:
    """Find who stays in TCM when, and the offset of each stay; None where none are found."""
    for less in LEFT_FREE:
        replay = Replay(listed, capacity - capacity * less // PARTS)
        if not replay.run():
            return None
        offsets = offsets_of(replay, capacity, alignment, effort)
        if offsets is not None:
            return replay, offsets
    return None


def offsets_of(
    replay: Replay, capacity: int, alignment: int, effort: int = 0
) -> tuple[int, ...] | None:
    """Find the offset of each stay of a replay; None where none are found."""
    sizes = replay.list.sizes
    lives = [
        LiveInterval(str(at), sizes[stay.buffer], stay.first, max(stay.first, stay.last))
        for at, stay in enumerate(replay.stays)
    ]
    packing = pack(lives, capacity, alignment, effort=effort)
    return None if packing is None else packing.offsets


def _listed(steps: Sequence[AllocationStep], alignment: int) -> tuple[StepList, list[TcmBuffer]]:
    """Number the buffers, in the order in which they are written."""
    listed, numbers, buffers = StepList(), dict[str, int](), list[TcmBuffer]()

    def number(buffer: TcmBuffer) -> int:
        if buffer.name not in numbers:
            fetched = buffer.bytes if buffer.backed else None
            numbers[buffer.name] = listed.buffer(buffer.bytes, fetched, alignment)
            buffers.append(buffer)
        return numbers[buffer.name]

    for step in steps:
        reads = tuple(dict.fromkeys(map(number, step.reads)))
        writes = tuple(map(number, step.writes))
        takes = {numbers[name]: size for name, size in step.takes.items()}
        listed.steps.append(ReplayStep(reads, writes, 0, takes))
    return listed, buffers


def _actions(
    steps: Sequence[AllocationStep],
    replay: Replay,
    offsets: Sequence[int],
    buffers: Sequence[TcmBuffer],
) -> Iterator[Action]:
    """Spill what leaves before a step, then bring what it lacks, then run it."""
    count: dict[int, int] = defaultdict(int)
    entering: dict[int, list[tuple[int, Residency]]] = defaultdict(list)
    leaving: dict[int, list[Residency]] = defaultdict(list)
    spans: dict[int, list[tuple[int, int, Residency]]] = defaultdict(list)
    for at, stay in enumerate(replay.stays):
        residency = Residency(buffers[stay.buffer].name, count[stay.buffer])
        count[stay.buffer] += 1
        entering[stay.first].append((at, residency))
        spans[stay.buffer].append((stay.first, stay.last, residency))
        if stay.saved:
            leaving[stay.last + 1].append(residency)
    reasons, now = Reasons(steps, uses(steps)), dict[int, Residency]()
    named = {buffer.name: buffer for buffer in buffers}
    for index, step in enumerate(replay.list.steps):
        for residency in leaving[index]:
            yield Spill(residency, reasons.leaves(named[residency.name], index))
        for at, residency in entering[index]:
            stay = replay.stays[at]
            now[stay.buffer] = residency
            if stay.comes_back:
                yield Fill(residency, offsets[at], reasons.comes_back(buffers[stay.buffer], index))
            elif buffers[stay.buffer] in steps[index].writes:
                yield Alloc(residency, offsets[at])
        direct = replay.direct.get(index, ())
        reads = tuple(now[number] for number in step.reads if number not in direct)
        yield RunStep(index, reads, tuple(buffers[number].name for number in direct))

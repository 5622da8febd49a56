"""TCM allocation by live intervals: first which buffers are there when, then their offsets.

The steps are replayed without offsets (see `replay`). Each stay of a buffer is a live interval, and
all of them are packed at once (see `offsets`). Where a packing sticks out, the steps there are
replayed in less of the TCM, which leaves room for gaps.

Cost: a replay and a packing for each round.

Example: capacity 4, buffers of 1 to 2 bytes. What is freed leaves gaps of 1; a buffer of 2 that
enters fits the sum of two gaps, and neither. Packed together, the two lie side by side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from .actions import Action, Alloc, Fill, Residency, RunStep, Spill
from .live_intervals import LiveInterval
from .offsets import Packing, pack, pack_mostly
from .replay import Replay, ReplayStep, StepList
from .steps import AllocationStep, Reasons, TcmBuffer, uses

PARTS = 32
"""Parts of the TCM, one of which is left free more, at most, in each round."""
ROUNDS = 32
"""Rounds in which room is left for gaps where a packing sticks out."""
LEFT_FREE = (4, 8, 12, 16)
"""Parts that are left free at all steps where these rounds find no offsets."""
EFFORT = 50_000
"""Placements of the search for offsets, for each of them."""


def least_moved(steps: Sequence[AllocationStep], capacity: int, alignment: int) -> int | None:
    """Count the bytes of spills, fills and reads of what was saved, where nothing leaves gaps.

    None where a step does not fit.
    """
    return _listed(steps, alignment)[0].moved(capacity)


def returning(
    steps: Sequence[AllocationStep], capacity: int, alignment: int
) -> Iterator[tuple[str, int]]:
    """List what leaves TCM without a copy in DDR and comes back, with the step that reads it."""
    listed, buffers = _listed(steps, alignment)
    replay = Replay(listed, capacity)
    if replay.run():
        for stay in replay.stays:
            if stay.comes_back and not buffers[stay.buffer].backed:
                yield buffers[stay.buffer].name, stay.first


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
    count = len(listed.steps)
    lost, uniform = [0] * count, iter(LEFT_FREE)
    for number in range(ROUNDS + len(LEFT_FREE)):
        if number >= ROUNDS:
            lost = [capacity * next(uniform) // PARTS] * count
        replay = Replay(listed, capacity, lost)
        if not replay.run():
            return None
        lives = _lives(replay)
        packing = pack_mostly(lives, capacity, alignment)
        if packing.peak > capacity and number in (0, ROUNDS):
            packing = pack(lives, capacity, alignment, effort=effort) or packing
        if packing.peak <= capacity:
            return replay, packing.offsets
        _leave_free(lost, lives, packing, capacity)
    return None


def _leave_free(
    lost: list[int], lives: Sequence[LiveInterval], packing: Packing, capacity: int
) -> None:
    """Leave more free at the steps of what sticks out: a part of the TCM, then twice as much."""
    over = [0] * len(lost)
    for live, offset in zip(lives, packing.offsets, strict=True):
        out = min(offset + live.bytes - capacity, capacity // PARTS)
        for step in range(live.start, live.end + 1) if out > 0 else ():
            over[step] = max(over[step], out)
    more = (free + max(free, out) if out else free for free, out in zip(lost, over, strict=True))
    lost[:] = [min(each, capacity // 2) for each in more]


def offsets_of(replay: Replay, capacity: int, alignment: int) -> tuple[int, ...] | None:
    """Find the offset of each stay of a replay without a search; None where none are found."""
    packing = pack_mostly(_lives(replay), capacity, alignment)
    return packing.offsets if packing.peak <= capacity else None


def _lives(replay: Replay) -> list[LiveInterval]:
    sizes = replay.list.sizes
    return [
        LiveInterval(str(at), sizes[stay.buffer], stay.first, max(stay.first, stay.last))
        for at, stay in enumerate(replay.stays)
    ]


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

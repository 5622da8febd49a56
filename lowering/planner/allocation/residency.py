"""TCM allocation by live intervals: first which buffers are there when, then their offsets.

The steps are replayed without offsets (see `replay`). Each stay of a buffer gets an offset as it
begins. Where gaps are too small, buffers move within TCM (see `relocation`), so that no bytes leave
it for want of a place. Where even that does not help, the step is replayed in less of the TCM.

Cost: a replay and four walks over the stays for each round.

Example: capacity 4, buffers of 1 to 2 bytes. What is freed leaves gaps of 1; a buffer of 2 that
enters fits the sum of two gaps, and neither. What lies between them moves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from .actions import Action, Alloc, Fill, Relocate, Residency, RunStep, Spill
from .live_intervals import LiveInterval
from .relocation import Put, Puts, put_stays
from .replay import Replay, ReplayStep, StepList
from .steps import AllocationStep, Reasons, TcmBuffer, uses

Key = tuple[int, int]
"""A stay, by its buffer and its first step."""
PARTS = 32
"""Parts of the TCM, one of which is left free at first at a step at which no window is cleared."""
MOST_LEFT = 4
"""The part of the TCM that is left free there at most; then all buffers leave before the step."""
REPAIRS = 4
"""Times that the stays of one replay are put into TCM."""


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
    steps: Sequence[AllocationStep],
    capacity: int,
    alignment: int,
    tied: Mapping[str, range] | None = None,
) -> tuple[Action, ...] | None:
    """Plan the actions that run the steps; None where no offsets are found.

    Between the steps to which buffers are `tied`, by name, they do not move.
    """
    listed, buffers = _listed(steps, alignment)
    ties = {at: (tied or {}).get(buffer.name, range(0)) for at, buffer in enumerate(buffers)}
    placed = placed_stays(listed, capacity, alignment, ties)
    return None if placed is None else tuple(_actions(steps, *placed, buffers))


def placed_stays(
    listed: StepList, capacity: int, alignment: int, tied: Mapping[int, range] | None = None
) -> tuple[Replay, list[Put]] | None:
    """Find who stays in TCM when, and where; None where a step does not fit or ties are in the way.

    `tied` as of `by_intervals`, by the numbers of buffers.
    """
    capacity = capacity // alignment * alignment
    lost = [0] * len(listed.steps)
    gone: dict[int, list[int]] = {}
    wanted: dict[Key, int] = {}
    while True:
        replay = Replay(listed, capacity, lost, gone)
        if not replay.run():
            return None
        puts = _put(replay, capacity, wanted, tied or {})
        if not puts.stuck:
            return replay, puts.puts
        if puts.stuck.keys() <= gone.keys():
            return None
        for step in puts.stuck:
            if lost[step] < capacity // MOST_LEFT:
                lost[step] = max(2 * lost[step], capacity // PARTS, 1)
            else:
                inside = (s.buffer for s in replay.stays if s.first < step <= s.last)
                gone[step] = [n for n in inside if step not in (tied or {}).get(n, range(0))]
                wanted = {key: at for key, at in wanted.items() if key[1] != step}


def _put(replay: Replay, capacity: int, wanted: dict[Key, int], tied: Mapping[int, range]) -> Puts:
    """Find offsets for the stays of a replay.

    What is in the way of others begins at one end of the TCM or at the other, in turn; `wanted`
    keeps these offsets.
    """
    sizes, keys = replay.list.sizes, [(stay.buffer, stay.first) for stay in replay.stays]
    lives = [
        LiveInterval(str(at), sizes[stay.buffer], stay.first, max(stay.first, stay.last))
        for at, stay in enumerate(replay.stays)
    ]
    ties = [tied.get(stay.buffer, range(0)) for stay in replay.stays]
    best: Puts | None = None
    for _ in range(REPAIRS):
        offsets = {at: wanted[key] for at, key in enumerate(keys) if key in wanted}
        puts = put_stays(lives, capacity, ties, offsets)
        if best is None or len(puts.stuck) < len(best.stuck):
            best = puts
        if not puts.stuck:
            break
        for start, end, stay in chain.from_iterable(puts.stuck.values()):
            top = capacity - (end - start)
            wanted[keys[stay]] = 0 if offsets.get(stay) == top else top
    return best or Puts()


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
    puts: Sequence[Put],
    buffers: Sequence[TcmBuffer],
) -> Iterator[Action]:
    """Spill what leaves before a step, then move and bring what has to be there, then run it."""
    leaving: dict[int, list[int]] = defaultdict(list)
    for stay in replay.stays:
        if stay.saved:
            leaving[stay.last + 1].append(stay.buffer)
    changes: dict[int, list[Put]] = defaultdict(list)
    for put in puts:
        changes[put.step].append(put)
    reasons, now = Reasons(steps, uses(steps)), dict[int, Residency]()
    for index, step in enumerate(replay.list.steps):
        for number in leaving[index]:
            yield Spill(now[number], reasons.leaves(buffers[number], index))
        for put in changes[index]:
            stay = replay.stays[put.stay]
            number, buffer = stay.buffer, buffers[stay.buffer]
            before = now.get(number)
            now[number] = Residency(buffer.name, before.number + 1 if before else 0)
            if stay.first < index:
                yield Relocate(now[number], put.offset, reasons.moves(buffer, index))
            elif stay.comes_back:
                yield Fill(now[number], put.offset, reasons.comes_back(buffer, index))
            elif buffer in steps[index].writes:
                yield Alloc(now[number], put.offset)
        direct = replay.direct.get(index, ())
        reads = tuple(now[number] for number in step.reads if number not in direct)
        yield RunStep(index, reads, tuple(buffers[number].name for number in direct))

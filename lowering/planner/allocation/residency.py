"""TCM allocation: which buffers are in TCM when, and where.

The steps are replayed (see `replay`), and each buffer gets an offset as it comes (see
`relocation`). Where gaps are too small, buffers move within TCM, so that no bytes leave it for want
of a place. What cannot move leaves and comes back.

Cost: one replay with offsets.

Example: capacity 4, buffers of 1 to 2 bytes. What is freed leaves gaps of 1; a buffer of 2 that
enters fits the sum of two gaps, and neither. What lies between them moves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from .actions import Action, Alloc, Fill, Relocate, Residency, RunStep, Spill
from .offsets import pack
from .relocation import BufferRange, TcmMap
from .replay import Replay, Stay, moved_bytes
from .step_list import StepList
from .steps import AllocationStep, Reasons, TcmBuffer, live_intervals, uses


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


def least_moved(steps: Sequence[AllocationStep], capacity: int, alignment: int) -> float:
    """Count the bytes of spills, fills and reads of what was saved, where nothing leaves gaps.

    Infinite where a step does not fit.
    """
    moved = moved_bytes(_listed(steps, alignment)[0], capacity)
    return inf if moved is None else moved


def returning(
    steps: Sequence[AllocationStep], capacity: int, alignment: int
) -> Iterator[tuple[str, int]]:
    """List what leaves TCM and is read again, with the step that reads it."""
    listed, buffers = _listed(steps, alignment)
    replay = Replay(listed, capacity)
    if replay.run():
        back = [(stay.first, stay.buffer) for stay in replay.stays if stay.comes_back]
        back += [(at, number) for at, numbers in replay.direct.items() for number in numbers]
        for at, number in sorted(back):
            yield buffers[number].name, at


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
    return None if placed is None else tuple(_actions(steps, placed, buffers))


def placed_stays(
    listed: StepList, capacity: int, alignment: int, tied: Mapping[int, range] | None = None
) -> PlacedReplay | None:
    """Find who stays in TCM when, and where; None where a step does not fit or ties are in the way.

    `tied` as of `by_intervals`, by the numbers of buffers.
    """
    replay = PlacedReplay(listed, capacity // alignment * alignment, tied or {})
    return replay if replay.run() else None


@dataclass(frozen=True, slots=True)
class Put:
    """A stay has an offset from a step on."""

    stay: Stay
    step: int
    offset: int


class PlacedReplay(Replay):
    """A replay in which every buffer in TCM has an offset.

    `puts` are the places of stays, in order: first as they begin, then as they move. What a step
    writes onto another buffer has its offset.
    """

    def __init__(self, steps: StepList, capacity: int, tied: Mapping[int, range]) -> None:
        super().__init__(steps, capacity)
        self.puts: list[Put] = []
        self._tied = tied
        self._needed: Collection[int] = ()
        self._map = TcmMap(capacity, self._can_move, self._price, self._end)

    def _is_tied(self, number: int) -> bool:
        return self._now in self._tied.get(number, ())

    def _can_move(self, number: int) -> bool:
        return self._inside[number].first < self._now and not self._is_tied(number)

    def _price(self, number: int) -> int | None:
        """The bytes that move where a buffer leaves and comes back; None where it has to stay."""
        return None if number in self._needed or self._is_tied(number) else self._cost(number)

    def _end(self, number: int) -> int:
        """The last step that reads a buffer."""
        return max(self._reads[number], default=self._now)

    def _leave(self, number: int) -> None:
        super()._leave(number)
        self._map.remove(number)

    def _enter(self, needed: frozenset[int], apart: list[int]) -> bool:
        self._needed, count = needed, len(self.stays)
        if not super()._enter(needed, apart):
            return False
        done = len(self.puts)
        if all(map(self._put, self._largest_first(self.stays[count:]))):
            self._overwrite()
            return True
        # All that may leaves, and what the step needs comes back.
        del self.puts[done:]
        for number, stay in list(self._inside.items()):
            if not self._is_tied(number):
                if stay.first == self._now:
                    self._map.remove(number)
                else:
                    self._evict(number)
        if not super()._enter(needed, []) or not all(
            self._put(stay)
            for stay in self._largest_first(self.stays[count:])
            if stay.buffer not in self._map.ranges
        ):
            return False
        self._overwrite()
        return True

    def _largest_first(self, stays: Sequence[Stay]) -> list[Stay]:
        """Sort stays by size, without the result that is written onto another buffer."""
        writes = self.list.steps[self._now].writes
        result = writes[0] if self._now in self.over else None
        others = (stay for stay in stays if stay.buffer != result)
        return sorted(others, key=lambda stay: -self._sizes[stay.buffer])

    def _overwrite(self) -> None:
        """Give the first result of a step the bytes of the buffer that it overwrites, if any."""
        number = self.over.get(self._now)
        if number is not None:
            result = self.list.steps[self._now].writes[0]
            start, end, _ = self._map.ranges[number]
            self._map.remove(number)
            self._map.add(BufferRange(start, end, result))
            self.puts.append(Put(self._inside[result], self._now, start))

    def _put(self, stay: Stay) -> bool:
        """Find room for a stay that begins; False where there is none."""
        size = self._sizes[stay.buffer]
        room = self._map.room(size)
        if room is None:
            return False
        for each in room.leaving:
            self._evict(each.buffer)
        for each in room.moved:
            self._map.remove(each.buffer)
        for each in (*room.moved, BufferRange(room.offset, room.offset + size, stay.buffer)):
            self._map.add(each)
            self.puts.append(Put(self._inside[each.buffer], self._now, each.start))
        return True


def _listed(steps: Sequence[AllocationStep], alignment: int) -> tuple[StepList, list[TcmBuffer]]:
    """Number the buffers, in the order in which they are written."""
    listed, numbers, buffers = StepList(), dict[str, int](), list[TcmBuffer]()

    def number(buffer: TcmBuffer) -> int:
        if buffer.name not in numbers:
            numbers[buffer.name] = listed.buffer(buffer.bytes, buffer.fetched, alignment)
            buffers.append(buffer)
        return numbers[buffer.name]

    for step in steps:
        reads = tuple(dict.fromkeys(map(number, step.reads)))
        writes = tuple(map(number, step.writes))
        takes = {numbers[name]: size for name, size in step.takes.items()}
        listed.step(reads, writes, 0, takes, [numbers[name] for name in step.onto])
    return listed, buffers


def _actions(
    steps: Sequence[AllocationStep], replay: PlacedReplay, buffers: Sequence[TcmBuffer]
) -> Iterator[Action]:
    """Spill what leaves before a step, then move and bring what has to be there, then run it."""
    leaving: dict[int, list[int]] = defaultdict(list)
    for stay in replay.stays:
        if stay.saved:
            leaving[stay.last + 1].append(stay.buffer)
    changes: dict[int, list[Put]] = defaultdict(list)
    for put in replay.puts:
        changes[put.step].append(put)
    reasons, now = Reasons(steps, uses(steps)), dict[int, Residency]()
    for index, step in enumerate(replay.list.steps):
        for number in leaving[index]:
            yield Spill(now[number], reasons.leaves(buffers[number], index))
        for put in changes[index]:
            stay, number, buffer = put.stay, put.stay.buffer, buffers[put.stay.buffer]
            before = now.get(number)
            now[number] = Residency(buffer.name, before.number + 1 if before else 0)
            if stay.first < index:
                yield Relocate(now[number], put.offset, reasons.moves(buffer, index))
            elif stay.comes_back:
                yield Fill(now[number], put.offset, reasons.comes_back(buffer, index))
            elif buffer in steps[index].writes:
                over = replay.over.get(index) if number == step.writes[0] else None
                yield Alloc(now[number], put.offset, None if over is None else now[over])
        direct = replay.direct.get(index, ())
        reads = tuple(now[number] for number in step.reads if number not in direct)
        yield RunStep(index, reads, tuple(buffers[number].name for number in direct))

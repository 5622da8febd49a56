"""Spilling with the farthest next read: TCM offsets for a program that does not fit at once.

A walk over the steps. Each step gets room for its buffers; where the gaps do not suffice, buffers
leave that it does not need, those with the farthest next read first (Belady's rule), and of equals
those with a copy in DDR. Only those in the way of an entering buffer really leave. Where that does
not suffice, the step's own buffers have to move: the TCM is emptied, which leaves no gaps behind,
or the step reads in DDR what it can, or the cheapest of them move. Each may move the fewest bytes
in the end, so there are three walks. A walk succeeds wherever what each single step holds fits.

Cost: quadratic in the buffers in TCM, for each step.

Example: capacity 2, buffers of 1 byte. a and b are written, then a step reads a and writes c. b is
not needed there, so it is spilled and c takes its offset; the next step reads b and fills it.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from ....dialects.value.layout import round_up
from .actions import Action, Alloc, Fill, Residency, RunStep, Spill
from .offsets import best_fit
from .steps import AllocationStep, Reasons, TcmBuffer, uses


class DoesNotFit(Exception):
    """An error for a step whose own buffers are larger than the memory."""

    def __init__(self, index: int, step: AllocationStep, needed: int, capacity: int) -> None:
        self.index = index
        self.step = step
        self.needed = needed
        self.capacity = capacity
        super().__init__(f"{step.name} needs {needed} bytes at once, there are {capacity}")


class Crowding(Enum):
    """A way to go on where a step's own buffers, scattered over the TCM, leave too little room."""

    EMPTIES = "all buffers leave, and the step's own come back"
    READS = "the step reads in DDR what it can, also where there is room; else all leave"
    MOVES = "the cheapest of its buffers move"


@dataclass
class _Resident:
    """A buffer that is in TCM now."""

    buffer: TcmBuffer
    residency: Residency
    offset: int
    end: int


@dataclass
class _SpillWalk:
    """The state of the walk: buffers in TCM, buffers saved in DDR, and the actions so far.

    `crowding` tells what happens where a step's own buffers are in the way, `others` what could.
    """

    steps: Sequence[AllocationStep]
    capacity: int
    alignment: int
    reads: dict[str, list[int]]
    crowding: Crowding
    now: int = 0
    others: set[Crowding] = field(default_factory=set)
    residents: dict[str, _Resident] = field(default_factory=dict)
    residencies: dict[str, int] = field(default_factory=dict)
    saved: set[str] = field(default_factory=set)
    actions: list[Action] = field(default_factory=list)

    def run(self) -> tuple[Action, ...]:
        """Return the actions that run all steps."""
        for _ in self.steps:
            self.run_step()
        return tuple(self.actions)

    @cached_property
    def reasons(self) -> Reasons:
        """The words for what leaves and comes back."""
        return Reasons(self.steps, self.reads)

    def exceeds(self, buffers: Sequence[TcmBuffer]) -> bool:
        """Tell whether buffers take more than the TCM."""
        return sum(map(self.size, buffers)) > self.capacity

    def size(self, buffer: TcmBuffer) -> int:
        return round_up(buffer.bytes, self.alignment)

    def next_read(self, name: str) -> int | None:
        """The first step from now on that reads a buffer; None where no step does."""
        readers = self.reads.get(name, [])
        index = bisect_right(readers, self.now - 1)
        return readers[index] if index < len(readers) else None

    def run_step(self) -> None:
        step = self.steps[self.now]
        needed = [buffer for buffer in step.buffers if not self.stays_out(buffer, step)]
        offsets = self.make_room(step, needed)
        for buffer in filter(lambda each: each.name in offsets, step.buffers):
            comes_back = buffer in step.reads
            if comes_back:
                self.check_saved(buffer, step)
            self.enter(buffer, offsets[buffer.name], fill=comes_back)
        inside = [buffer for buffer in step.buffers if buffer.name in self.residents]
        read = dict.fromkeys(buffer.name for buffer in inside if buffer in step.reads)
        residencies = tuple(self.residents[name].residency for name in read)
        saved = tuple(name for name in step.takes if name not in self.residents)
        self.actions.append(RunStep(self.now, residencies, saved))
        self.now += 1
        for buffer in inside:
            if self.next_read(buffer.name) is None:
                del self.residents[buffer.name]

    def stays_out(self, buffer: TcmBuffer, step: AllocationStep) -> bool:
        """Tell whether a step reads in DDR what it could: a part, or what nothing reads later.

        All of what is read again had better come back: that moves no more bytes.
        """
        taken = step.takes.get(buffer.name)
        if taken is None or not self.is_only_saved(buffer.name):
            return False
        if taken < buffer.bytes:
            return True
        self.others.add(Crowding.READS)
        return self.crowding is Crowding.READS and self.reads[buffer.name][-1] == self.now

    def is_only_saved(self, name: str) -> bool:
        """Tell whether a buffer was in TCM and now is in DDR alone."""
        return name in self.saved and name in self.residencies and name not in self.residents

    def check_saved(self, buffer: TcmBuffer, step: AllocationStep) -> None:
        if not buffer.backed and buffer.name not in self.saved:
            raise ValueError(f"{step.name} reads {buffer.name}, which no earlier step writes")

    def enter(self, buffer: TcmBuffer, offset: int, *, fill: bool) -> None:
        number = self.residencies.get(buffer.name, 0)
        self.residencies[buffer.name] = number + 1
        residency = Residency(buffer.name, number)
        self.residents[buffer.name] = _Resident(
            buffer, residency, offset, offset + self.size(buffer)
        )
        if buffer.backed:
            self.saved.add(buffer.name)
        if fill:
            self.actions.append(Fill(residency, offset, self.reasons.comes_back(buffer, self.now)))
        else:
            self.actions.append(Alloc(residency, offset))

    def make_room(self, step: AllocationStep, needed: Sequence[TcmBuffer]) -> dict[str, int]:
        """Find offsets for what a step needs and is not in TCM; evict what is in the way."""
        missing, kept = self.split(needed)
        offsets = self.place(missing, list(self.residents.values()))
        if offsets is not None:
            return offsets
        # Take out buffers that the step does not need until the missing ones fit.
        own = {buffer.name for buffer in needed}
        rest = [resident for name, resident in self.residents.items() if name not in own]
        leaving = sorted(rest, key=self.keep_order)[::-1]
        offsets = self.place_without(leaving[1:], missing, kept) if leaving else None
        if offsets is None:
            self.others |= {Crowding.READS, Crowding.MOVES} if step.takes else {Crowding.MOVES}
        if offsets is None and (self.crowding is Crowding.READS or self.exceeds(needed)):
            # Read in DDR what can be: filling what is only read here would move as many bytes.
            readable = [resident for resident in kept if resident.buffer.name in step.takes]
            needed = [buffer for buffer in needed if buffer.name not in step.takes]
            missing, kept = self.split(needed)
            readable = sorted(readable, key=self.moving_cost, reverse=True)[::-1]
            offsets = self.place_without(readable, missing, kept)
            leaving += readable
        if offsets is None:
            return self.crowd_out(step, needed, missing, kept)
        for old in self.in_the_way(leaving, missing, offsets):
            self.evict(old, step)
        return offsets

    def split(self, needed: Sequence[TcmBuffer]) -> tuple[list[TcmBuffer], list[_Resident]]:
        """Split what a step needs into what is missing, the largest first, and what is in TCM."""
        missing = [buffer for buffer in needed if buffer.name not in self.residents]
        missing.sort(key=lambda buffer: -self.size(buffer))
        own = {buffer.name for buffer in needed}
        return missing, [resident for name, resident in self.residents.items() if name in own]

    def place_without(
        self, leaving: list[_Resident], missing: Sequence[TcmBuffer], kept: Sequence[_Resident]
    ) -> dict[str, int] | None:
        """Find offsets for what is missing with as few as possible out, those in front first."""
        tries = (self.place(missing, [*leaving[n:], *kept]) for n in range(len(leaving) + 1))
        return next((offsets for offsets in tries if offsets is not None), None)

    def crowd_out(
        self,
        step: AllocationStep,
        needed: Sequence[TcmBuffer],
        missing: Sequence[TcmBuffer],
        kept: Sequence[_Resident],
    ) -> dict[str, int]:
        """Find offsets where the step's own buffers, `kept`, have to move; evict what has to go."""
        leaving, entering = list(self.residents.values()), list(needed)
        moves = self.crowding is Crowding.MOVES
        offsets = None if moves else self.place(entering, ())
        staying = sorted(kept, key=self.moving_cost, reverse=True)
        while offsets is None:
            missing = [*missing, staying.pop().buffer]
            entering = sorted(missing, key=lambda buffer: -self.size(buffer))
            offsets = self.place(entering, staying)
        if moves:
            leaving = self.in_the_way(leaving, entering, offsets)
        for old in leaving:
            self.evict(old, step)
        return offsets

    def in_the_way(
        self, leaving: Sequence[_Resident], entering: Sequence[TcmBuffer], offsets: dict[str, int]
    ) -> list[_Resident]:
        """List those that lie where a buffer enters, or that enter again themselves."""
        ranges = [(offsets[b.name], offsets[b.name] + self.size(b)) for b in entering]
        return [
            old
            for old in leaving
            if old.buffer.name in offsets
            or any(max(old.offset, start) < min(old.end, end) for start, end in ranges)
        ]

    def moving_cost(self, resident: _Resident) -> int:
        """Count the bytes that leave TCM and come back when a buffer moves."""
        return resident.buffer.bytes * (1 if resident.buffer.name in self.saved else 2)

    def keep_order(self, resident: _Resident) -> tuple[int, bool, int]:
        """Sort what should leave first to the end: farthest next read, then backed, then large."""
        next_read = self.next_read(resident.buffer.name)
        distance = len(self.steps) if next_read is None else next_read
        return distance, resident.buffer.name in self.saved, resident.buffer.bytes

    def place(
        self, missing: Sequence[TcmBuffer], kept: Sequence[_Resident]
    ) -> dict[str, int] | None:
        end = self.capacity, self.capacity
        taken = sorted([*((resident.offset, resident.end) for resident in kept), end])
        offsets: dict[str, int] = {}
        for buffer in missing:
            size = self.size(buffer)
            offset = best_fit(taken, size)
            if offset + size > self.capacity:
                return None
            offsets[buffer.name] = offset
            insort(taken, (offset, offset + size))
        return offsets

    def evict(self, resident: _Resident, step: AllocationStep) -> None:
        del self.residents[resident.buffer.name]
        if resident.buffer.name not in self.saved:
            self.saved.add(resident.buffer.name)
            self.actions.append(
                Spill(resident.residency, self.reasons.leaves(resident.buffer, self.now))
            )


def spill_plans(
    steps: Sequence[AllocationStep], capacity: int, alignment: int
) -> Iterator[tuple[Action, ...]]:
    """Plan the actions that run the steps, in order, within `capacity` bytes of TCM.

    The first plan empties the TCM where a step's own buffers have to move. If there is such a step,
    a plan for each other way follows. Raises DoesNotFit for the step that holds the most,
    in multiples of `alignment`, where that is too large.
    """
    needs = [sum(round_up(buffer.bytes, alignment) for buffer in step.held) for step in steps]
    worst = max(range(len(steps)), key=needs.__getitem__, default=0)
    if steps and needs[worst] > capacity:
        raise DoesNotFit(worst, steps[worst], needs[worst], capacity)
    readers = uses(steps)
    first = _SpillWalk(steps, capacity, alignment, readers, Crowding.EMPTIES)
    yield first.run()
    for crowding in Crowding:
        if crowding in first.others:
            yield _SpillWalk(steps, capacity, alignment, readers, crowding).run()

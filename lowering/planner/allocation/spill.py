"""TCM offsets for a program that does not fit at once: blocks leave TCM and come back.

The walk goes op by op and always succeeds where the tensors of each single op fit.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field

from ....dialects.value.layout import round_up
from .offsets import best_fit
from .steps import Block, Step, uses


@dataclass(frozen=True)
class Stay:
    """One stay of a block in TCM; a block that comes back gets the next number."""

    name: str
    number: int


@dataclass(frozen=True)
class Alloc:
    """The step that runs next writes this stay at this offset."""

    stay: Stay
    offset: int


@dataclass(frozen=True)
class Spill:
    """Save a stay's contents in main memory; happens at most once per block."""

    stay: Stay
    reason: str


@dataclass(frozen=True)
class Fill:
    """Bring a block's contents back from main memory, as a new stay."""

    stay: Stay
    offset: int
    reason: str


@dataclass(frozen=True)
class Run:
    """Run a step, which reads these stays, and of these blocks what was saved of them."""

    step: int
    reads: tuple[Stay, ...]
    saved: tuple[str, ...] = ()


Action = Alloc | Spill | Fill | Run


class DoesNotFit(Exception):
    """The tensors of one step alone are larger than the memory."""

    def __init__(self, index: int, step: Step, needed: int, capacity: int) -> None:
        self.index = index
        self.step = step
        self.needed = needed
        self.capacity = capacity
        super().__init__(f"{step.name} needs {needed} bytes at once, there are {capacity}")


@dataclass
class _Resident:
    """A block that is in TCM now."""

    block: Block
    stay: Stay
    offset: int
    end: int


@dataclass
class _Walk:
    """The state of the walk: what lies where, what is saved, and the actions so far."""

    steps: Sequence[Step]
    capacity: int
    alignment: int
    reads: dict[str, list[int]]
    now: int = 0
    residents: dict[str, _Resident] = field(default_factory=dict)
    stays: dict[str, int] = field(default_factory=dict)
    saved: set[str] = field(default_factory=set)
    actions: list[Action] = field(default_factory=list)

    def size(self, block: Block) -> int:
        return round_up(block.bytes, self.alignment)

    def next_read(self, name: str) -> int | None:
        """The first step from now on that reads a block; None where there is none."""
        steps = self.reads.get(name, [])
        index = bisect_right(steps, self.now - 1)
        return steps[index] if index < len(steps) else None

    def run_step(self) -> None:
        step = self.steps[self.now]
        saved = tuple(name for name in step.takes if self.is_only_saved(name))
        needed = [block for block in step.blocks if block.name not in saved]
        offsets = self.make_room(step, needed)
        for block in step.reads:
            if block.name not in self.residents and block.name not in saved:
                self.check_saved(block, step)
                self.enter(block, offsets[block.name], fill=True)
        for block in step.writes:
            self.enter(block, offsets[block.name], fill=False)
        read = dict.fromkeys(block.name for block in step.reads if block.name not in saved)
        stays = tuple(self.residents[name].stay for name in read)
        self.actions.append(Run(self.now, stays, saved))
        self.now += 1
        for block in needed:
            if self.next_read(block.name) is None:
                del self.residents[block.name]

    def is_only_saved(self, name: str) -> bool:
        """Whether a block was in TCM and now lies in main memory alone."""
        return name in self.saved and name in self.stays and name not in self.residents

    def check_saved(self, block: Block, step: Step) -> None:
        if not block.backed and block.name not in self.saved:
            raise ValueError(f"{step.name} reads {block.name}, which no earlier step writes")

    def enter(self, block: Block, offset: int, *, fill: bool) -> None:
        number = self.stays.get(block.name, 0)
        self.stays[block.name] = number + 1
        stay = Stay(block.name, number)
        self.residents[block.name] = _Resident(block, stay, offset, offset + self.size(block))
        if block.backed:
            self.saved.add(block.name)
        if fill:
            self.actions.append(Fill(stay, offset, self.fill_reason(block)))
        else:
            self.actions.append(Alloc(stay, offset))

    def make_room(self, step: Step, needed: Sequence[Block]) -> dict[str, int]:
        """Offsets for what a step needs and is not in TCM; evicts what is in the way."""
        missing = [block for block in needed if block.name not in self.residents]
        missing.sort(key=lambda block: -self.size(block))
        offsets = self.place(missing, list(self.residents.values()))
        return self.push_out(step, needed, missing) if offsets is None else offsets

    def push_out(
        self, step: Step, needed: Sequence[Block], missing: Sequence[Block]
    ) -> dict[str, int]:
        """Take out blocks that the step does not need until the missing ones have a place.

        Only those that lie where a missing block goes really leave.
        """
        own = {block.name for block in needed}
        held = [resident for name, resident in self.residents.items() if name in own]
        rest = [resident for name, resident in self.residents.items() if name not in own]
        rest.sort(key=self.keep_order)
        leaving: list[_Resident] = []
        while rest:
            leaving.append(rest.pop())
            offsets = self.place(missing, [*rest, *held])
            if offsets is not None:
                for resident in leaving:
                    if self.in_the_way(resident, missing, offsets):
                        self.evict(resident, step)
                return offsets
        return self.compact(step, needed)

    def keep_order(self, resident: _Resident) -> tuple[int, bool, int]:
        """Sorts what should leave first to the end: furthest next read, then backed, then large."""
        next_read = self.next_read(resident.block.name)
        distance = len(self.steps) if next_read is None else next_read
        return distance, resident.block.name in self.saved, resident.block.bytes

    def place(self, missing: Sequence[Block], kept: Sequence[_Resident]) -> dict[str, int] | None:
        end = self.capacity, self.capacity
        taken = sorted([*((resident.offset, resident.end) for resident in kept), end])
        offsets: dict[str, int] = {}
        for block in missing:
            size = self.size(block)
            offset = best_fit(taken, size)
            if offset + size > self.capacity:
                return None
            offsets[block.name] = offset
            insort(taken, (offset, offset + size))
        return offsets

    def in_the_way(
        self, resident: _Resident, entering: Sequence[Block], offsets: dict[str, int]
    ) -> bool:
        return any(
            max(resident.offset, offsets[block.name])
            < min(resident.end, offsets[block.name] + self.size(block))
            for block in entering
        )

    def evict(self, resident: _Resident, step: Step) -> None:
        del self.residents[resident.block.name]
        if resident.block.name not in self.saved:
            self.saved.add(resident.block.name)
            self.actions.append(Spill(resident.stay, self.spill_reason(resident.block, step)))

    def compact(self, step: Step, needed: Sequence[Block]) -> dict[str, int]:
        """The last resort: empty the TCM, then lay the step's own blocks side by side."""
        for resident in list(self.residents.values()):
            self.evict(resident, step)
        offsets: dict[str, int] = {}
        top = 0
        for block in needed:
            offsets[block.name] = top
            top += self.size(block)
        return offsets

    def spill_reason(self, block: Block, step: Step) -> str:
        return (
            f"{block.name} ({block.bytes} bytes) leaves TCM because {step.name} needs room; "
            f"{self.next_text(block)}"
        )

    def fill_reason(self, block: Block) -> str:
        return f"{block.name} ({block.bytes} bytes) comes back to TCM; {self.next_text(block)}"

    def next_text(self, block: Block) -> str:
        index = self.next_read(block.name)
        return "nothing reads it" if index is None else f"read next by {self.steps[index].name}"


def moved_bytes(steps: Sequence[Step], actions: Sequence[Action]) -> int:
    """The bytes between main memory and TCM: spills, fills, and what is read where it was saved."""
    sizes = {block.name: block.bytes for step in steps for block in step.blocks}
    found = 0
    for action in actions:
        match action:
            case Spill(stay) | Fill(stay):
                found += sizes[stay.name]
            case Run(step, _, saved):
                found += sum(steps[step].takes[name] for name in saved)
            case Alloc():
                pass
    return found


def _check_steps(steps: Sequence[Step], capacity: int, alignment: int) -> None:
    needs = [sum(round_up(block.bytes, alignment) for block in step.blocks) for step in steps]
    worst = max(range(len(steps)), key=needs.__getitem__, default=0)
    if steps and needs[worst] > capacity:
        raise DoesNotFit(worst, steps[worst], needs[worst], capacity)


def spill_plan(steps: Sequence[Step], capacity: int, alignment: int) -> tuple[Action, ...]:
    """The actions that run the steps, in order, within `capacity` bytes of TCM.

    Raises DoesNotFit for the step whose own blocks, in multiples of `alignment`, take the most,
    where they are too large.
    """
    _check_steps(steps, capacity, alignment)
    walk = _Walk(steps, capacity, alignment, uses(steps))
    for _ in steps:
        walk.run_step()
    return tuple(walk.actions)

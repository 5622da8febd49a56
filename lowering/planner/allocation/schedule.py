"""An order of execution that moves few bytes in and out of TCM and keeps few alive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .allocation import allocate
from .lifetimes import peak_live
from .spill import DoesNotFit, moved_bytes
from .steps import Block, Step, lifetimes


@dataclass(frozen=True)
class Task:
    """One op to be ordered: the values it reads and writes.

    A value outside TCM is a block of 0 bytes. `after` names tasks, by index, that must come first
    though no value says so (state). `lazy`: it is best run when a task that needs it does.
    `takes` as of a step.
    """

    reads: tuple[Block, ...] = ()
    writes: tuple[Block, ...] = ()
    after: tuple[int, ...] = ()
    lazy: bool = False
    takes: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class Program:
    """Tasks in an order that is legal as given."""

    tasks: Sequence[Task]

    @cached_property
    def before(self) -> list[tuple[int, ...]]:
        """For each task those that must come before it, in the order it names them."""
        writer = {block.name: i for i, task in enumerate(self.tasks) for block in task.writes}
        return [
            tuple(dict.fromkeys([*task.after, *(writer[block.name] for block in task.reads)]))
            for task in self.tasks
        ]

    @cached_property
    def sinks(self) -> list[int]:
        """The tasks that no other task waits for."""
        needed = {index for before in self.before for index in before}
        return [index for index in range(len(self.tasks)) if index not in needed]

    @cached_property
    def releases(self) -> list[list[int]]:
        """For each task those behind it that read TCM and leave nothing there."""
        found: list[list[int]] = [[] for _ in self.tasks]
        for index, task in enumerate(self.tasks):
            if _held(task.reads) and not _held(task.writes):
                for other in self.before[index]:
                    found[other].append(index)
        return found

    @cached_property
    def held(self) -> list[Step | None]:
        """Each task as a step in TCM; None for one that touches none of it."""
        steps = [
            Step(str(index), _held(task.reads), _held(task.writes), takes=task.takes)
            for index, task in enumerate(self.tasks)
        ]
        return [step if step.blocks else None for step in steps]

    def steps(self, order: Sequence[int]) -> list[Step]:
        """The steps of an order that touch TCM."""
        return [step for index in order if (step := self.held[index])]

    def peak(self, order: Sequence[int], alignment: int = 1) -> int:
        """The largest sum of live bytes in this order."""
        return peak_live(lifetimes(self.steps(order)), alignment)

    def moved(self, order: Sequence[int], capacity: int, alignment: int) -> int:
        """The bytes that spills and fills move in this order; 0 where one step does not fit."""
        steps = self.steps(order)
        try:
            actions = allocate(steps, capacity, alignment)
        except DoesNotFit:
            return 0
        return moved_bytes(steps, actions)


def _held(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if block.bytes)


def schedule(tasks: Sequence[Task], capacity: int, alignment: int) -> tuple[int, ...]:
    """The best order of those tried, as task indices; the given one where it is no worse.

    Fewer bytes spilled and filled are better, then a lower peak. Tried are the given order and
    depth-first orders, which finish one tile before they begin the next: from task to task but for
    the lazy ones, and from the sinks, operands as written and the larger need first.
    """
    program = Program(tasks)
    given = tuple(range(len(tasks)))
    eager = [index for index, task in enumerate(tasks) if not task.lazy]
    orders = (
        given,
        _depth_first(program, program.before, [*eager, *program.sinks]),
        _depth_first(program, program.before, program.sinks),
        _depth_first(program, _large_first(program), program.sinks),
    )

    def badness(order: Sequence[int]) -> tuple[int, int]:
        return program.moved(order, capacity, alignment), program.peak(order, alignment)

    return min(orders, key=badness)


def _depth_first(
    program: Program, before: Sequence[Sequence[int]], roots: Iterable[int]
) -> tuple[int, ...]:
    """Each task right after what it waits for, beginning at the roots in their order.

    A task that leaves nothing in TCM runs as soon as it can: that may free what it reads.
    """
    done: dict[int, None] = {}
    for root in roots:
        stack: list[tuple[int, Iterator[int]]] = [(root, iter(before[root]))]
        while stack:
            index, waits = stack[-1]
            pending = next((other for other in waits if other not in done), None)
            if pending is not None:
                stack.append((pending, iter(before[pending])))
                continue
            stack.pop()
            if index not in done:
                done[index] = None
                _release(program, index, done)
    return tuple(done)


def _release(program: Program, index: int, done: dict[int, None]) -> None:
    """Run the tasks behind one that leave nothing in TCM and wait for nothing any more."""
    ready = [index]
    while ready:
        for other in program.releases[ready.pop()]:
            if other not in done and all(needed in done for needed in program.before[other]):
                done[other] = None
                ready.append(other)


def _large_first(program: Program) -> list[list[int]]:
    """What each task waits for, sorted so that the subtree that frees the most comes first.

    The rule of Sethi and Ullman, by bytes: sort by need while running minus what remains after.
    """
    need: dict[int, int] = defaultdict(int)
    remains = [sum(block.bytes for block in task.writes) for task in program.tasks]
    ordered: list[list[int]] = []
    for index in range(len(program.tasks)):
        waits = sorted(program.before[index], key=lambda other: remains[other] - need[other])
        held = 0
        for other in waits:
            need[index] = max(need[index], held + need[other])
            held += remains[other]
        need[index] = max(need[index], held + remains[index])
        ordered.append(waits)
    return ordered

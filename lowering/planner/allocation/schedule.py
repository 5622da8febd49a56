"""List scheduling by depth-first orders: an order of execution with few bytes moved and alive.

Four orders are tried and the best one is taken: the given one, and three that go depth first, each
task right after the tasks that it waits for, so that one tile is finished before the next begins.
A task that leaves nothing in TCM runs as soon as it can: that may free its operands.

Cost: linear in tasks and reads for each order, then a replay of each order (see `replay`).

Example: tasks a1, a2, b1, b2, where b1 reads a1 and b2 reads a2. In this order the results of a1
and a2 are alive together. Depth first from the sinks b1 and b2 gives a1, b1, a2, b2: one at a time.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .live_intervals import LiveInterval, peak_live
from .residency import least_moved
from .steps import AllocationStep, TcmBuffer, live_intervals


@dataclass(frozen=True)
class Task:
    """One op to be ordered: the values it reads and writes.

    A value outside TCM is a buffer of 0 bytes. `after` names tasks, by index, that must come first
    though no value says so (state). `lazy`: it is best run when a task that needs it does.
    `takes` and `onto` as of a step.
    """

    reads: tuple[TcmBuffer, ...] = ()
    writes: tuple[TcmBuffer, ...] = ()
    after: tuple[int, ...] = ()
    lazy: bool = False
    takes: Mapping[str, int] = field(default_factory=dict[str, int])
    onto: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskOrder:
    """Tasks in an order that is legal as given."""

    tasks: Sequence[Task]

    @cached_property
    def before(self) -> list[tuple[int, ...]]:
        """The tasks that must come before each task, in the order it names them."""
        writer = {buffer.name: i for i, task in enumerate(self.tasks) for buffer in task.writes}
        return [
            tuple(dict.fromkeys([*task.after, *(writer[buffer.name] for buffer in task.reads)]))
            for task in self.tasks
        ]

    @cached_property
    def sinks(self) -> list[int]:
        """The tasks that no other task waits for."""
        needed = {index for before in self.before for index in before}
        return [index for index in range(len(self.tasks)) if index not in needed]

    @cached_property
    def constants(self) -> frozenset[int]:
        """The tasks that wait for nothing and take no TCM."""
        pairs = enumerate(zip(self.before, self.tcm_steps, strict=True))
        return frozenset(at for at, (before, step) in pairs if not (before or step))

    @cached_property
    def releases(self) -> list[list[int]]:
        """The tasks behind each task that read TCM and leave nothing there, or not for long.

        A lazy task that reads one value, and whose results only such tasks read, is one, as a
        change of layout on the way out.
        """
        readers: dict[str, list[int]] = defaultdict(list)
        for index, task in enumerate(self.tasks):
            for buffer in task.reads:
                readers[buffer.name].append(index)
        drains: set[int] = set()
        for index in range(len(self.tasks) - 1, -1, -1):
            task = self.tasks[index]
            after = [reader for buffer in task.writes for reader in readers[buffer.name]]
            reads = _in_tcm(task.reads)
            passes = task.lazy and len(reads) == 1 and after and drains.issuperset(after)
            if reads and (passes or not _in_tcm(task.writes)):
                drains.add(index)
        releasing: list[list[int]] = [[] for _ in self.tasks]
        for index in sorted(drains):
            for other in self.before[index]:
                releasing[other].append(index)
        return releasing

    @cached_property
    def tcm_steps(self) -> list[AllocationStep | None]:
        """Each task as a step in TCM; None for one that touches none of it."""
        steps = [
            AllocationStep(
                str(index),
                _in_tcm(task.reads),
                _in_tcm(task.writes),
                takes=task.takes,
                onto=task.onto,
            )
            for index, task in enumerate(self.tasks)
        ]
        return [step if step.buffers else None for step in steps]

    def steps(self, order: Sequence[int]) -> list[AllocationStep]:
        """List the steps of an order that touch TCM."""
        return [step for index in order if (step := self.tcm_steps[index])]

    def live(self, order: Sequence[int]) -> list[LiveInterval]:
        """Find when the buffers in TCM are alive in this order."""
        return live_intervals(self.steps(order))

    def moved(self, order: Sequence[int], capacity: int, alignment: int) -> float:
        """Count the bytes of spills and fills in this order; infinite where a step does not fit."""
        return least_moved(self.steps(order), capacity, alignment)


def _in_tcm(buffers: tuple[TcmBuffer, ...]) -> tuple[TcmBuffer, ...]:
    return tuple(buffer for buffer in buffers if buffer.bytes)


def schedule(tasks: Sequence[Task], capacity: int, alignment: int) -> tuple[int, ...]:
    """Find the best order of those tried, as task indices; the given one where it is no worse.

    Fewer bytes spilled and filled are better, then a lower peak, then fewer bytes alive on
    average. The depth-first orders begin at
    each task that is not lazy, or at the sinks, with operands as written or with the larger need
    first.
    """
    program = TaskOrder(tasks)
    as_written = tuple(range(len(tasks)))
    eager = [index for index, task in enumerate(tasks) if not task.lazy]
    orders = (
        as_written,
        _depth_first(program, program.before, [*eager, *program.sinks]),
        _depth_first(program, program.before, program.sinks),
        _depth_first(program, _large_first(program), program.sinks),
    )

    def badness(order: Sequence[int]) -> tuple[float, int, int]:
        live = program.live(order)
        alive = sum(each.bytes * (each.end - each.start) for each in live)
        return program.moved(order, capacity, alignment), peak_live(live, alignment), alive

    return min(orders, key=badness)


def _depth_first(
    program: TaskOrder, before: Sequence[Sequence[int]], roots: Iterable[int]
) -> tuple[int, ...]:
    """Order each task right after those that it waits for, from the roots in their order."""
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


def _release(program: TaskOrder, index: int, done: dict[int, None]) -> None:
    """Run the tasks behind one that leave nothing in TCM and wait for constants at most."""
    ready = program.releases[index][::-1]
    while ready:
        other = ready.pop()
        waits = [needed for needed in program.before[other] if needed not in done]
        if other not in done and program.constants.issuperset(waits):
            done.update(dict.fromkeys((*waits, other)))
            ready += program.releases[other][::-1]


def _large_first(program: TaskOrder) -> list[list[int]]:
    """Sort the tasks that each task waits for: the subtree that frees the most comes first.

    The rule of Sethi and Ullman, by bytes: sort by need while running minus what remains after.
    """
    need: dict[int, int] = defaultdict(int)
    remains = [sum(buffer.bytes for buffer in task.writes) for task in program.tasks]
    ordered: list[list[int]] = []
    for index in range(len(program.tasks)):
        waits = sorted(program.before[index], key=lambda other: remains[other] - need[other])
        alive = 0
        for other in waits:
            need[index] = max(need[index], alive + need[other])
            alive += remains[other]
        need[index] = max(need[index], alive + remains[index])
        ordered.append(waits)
    return ordered

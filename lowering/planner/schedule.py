"""An order of execution with a low peak of live bytes, tile by tile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from .lifetimes import Lifetime, peak_live


@dataclass(frozen=True)
class Task:
    """One op to be ordered: the values it reads, the values and bytes it writes.

    `after` names tasks, by index, that must come first though no value says so (state).
    """

    reads: tuple[str, ...] = ()
    writes: tuple[tuple[str, int], ...] = ()
    after: tuple[int, ...] = ()


@dataclass(frozen=True)
class Program:
    """Tasks in an order that is legal as given."""

    tasks: Sequence[Task]

    @cached_property
    def writer(self) -> dict[str, int]:
        """Which task writes a value."""
        return {name: i for i, task in enumerate(self.tasks) for name, _ in task.writes}

    @cached_property
    def before(self) -> list[tuple[int, ...]]:
        """For each task those that must come before it, in the order it names them."""
        return [tuple(dict.fromkeys([*task.after, *self._writers(task)])) for task in self.tasks]

    def _writers(self, task: Task) -> list[int]:
        return [self.writer[name] for name in task.reads if name in self.writer]

    @cached_property
    def sinks(self) -> list[int]:
        """The tasks that no other task waits for."""
        needed = {index for before in self.before for index in before}
        return [index for index in range(len(self.tasks)) if index not in needed]

    def lifetimes(self, order: Sequence[int]) -> list[Lifetime]:
        """The lifetime of every value when the tasks run in this order."""
        last: dict[str, int] = {}
        for position, index in enumerate(order):
            last.update(dict.fromkeys(self.tasks[index].reads, position))
        return [
            Lifetime(name, size, position, last.get(name, position))
            for position, index in enumerate(order)
            for name, size in self.tasks[index].writes
        ]

    def peak(self, order: Sequence[int]) -> int:
        """The largest sum of live bytes in this order."""
        return peak_live(self.lifetimes(order))


def schedule(tasks: Sequence[Task]) -> tuple[int, ...]:
    """The order, as task indices, with the lowest peak of those tried; the given one if no worse.

    Tried are the given order and two depth-first orders, which finish one tile before they begin
    the next: operands as written, and the operand with the larger need first.
    """
    program = Program(tasks)
    given = tuple(range(len(tasks)))
    orders = (
        given,
        _depth_first(program, program.before),
        _depth_first(program, _large_first(program)),
    )
    return min(orders, key=program.peak)


def _depth_first(program: Program, before: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Each task right after what it waits for, beginning at the sinks in their order."""
    done: dict[int, None] = {}
    for sink in program.sinks:
        stack: list[tuple[int, Iterator[int]]] = [(sink, iter(before[sink]))]
        while stack:
            index, waits = stack[-1]
            pending = next((other for other in waits if other not in done), None)
            if pending is None:
                done[index] = None
                stack.pop()
            else:
                stack.append((pending, iter(before[pending])))
    return tuple(done)


def _large_first(program: Program) -> list[list[int]]:
    """What each task waits for, sorted so that the subtree that frees the most comes first.

    The rule of Sethi and Ullman, by bytes: sort by need while running minus what remains after.
    """
    need: dict[int, int] = defaultdict(int)
    remains = [sum(size for _, size in task.writes) for task in program.tasks]
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

"""A program as the allocation planner sees it: steps that read and write buffers in TCM."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from ....dialects.value import round_up
from .live_intervals import LiveInterval


@dataclass(frozen=True)
class TcmBuffer:
    """A tensor in TCM by its bytes; `fetched` are those that it takes to bring it from DDR again.

    What has its contents there can leave TCM without a copy. Others, `None`, are saved first.
    """

    name: str
    bytes: int
    fetched: int | None = None


class Work(Enum):
    """The kind of an op. One that brings buffers from DDR can begin while another computes."""

    COMPUTES = "computes"
    BRINGS = "brings"
    MOVES = "moves"


@dataclass(frozen=True)
class AllocationStep:
    """One op: the buffers it reads and the buffers it writes. A name is written exactly once.

    `takes`: the bytes that the op reads of buffers that it can read in DDR as well. `onto`: the
    buffers onto whose bytes it may write its first result.
    """

    name: str
    reads: tuple[TcmBuffer, ...] = ()
    writes: tuple[TcmBuffer, ...] = ()
    work: Work = Work.COMPUTES
    takes: Mapping[str, int] = field(default_factory=dict[str, int])
    onto: tuple[str, ...] = ()

    @cached_property
    def buffers(self) -> tuple[TcmBuffer, ...]:
        """Every buffer that the step needs at once, each one time."""
        return tuple({buffer.name: buffer for buffer in (*self.reads, *self.writes)}.values())

    @cached_property
    def held(self) -> tuple[TcmBuffer, ...]:
        """Those of them that have to be in TCM."""
        return tuple(buffer for buffer in self.buffers if buffer.name not in self.takes)

    def apart(self, index: int, last: Mapping[str, int]) -> tuple[TcmBuffer, ...]:
        """Those of these that need bytes of their own, where a result may overwrite one.

        `last` are the last readers of buffers, of which the step is number `index`.
        """
        ending = (name for name in self.onto if name not in self.takes)
        overwrites = any(last[name] == index for name in ending)
        return tuple(b for b in self.held if not overwrites or b is not self.writes[0])


class DoesNotFit(Exception):
    """An error for a step whose own buffers, those of `apart`, are larger than the memory."""

    def __init__(
        self,
        index: int,
        step: AllocationStep,
        buffers: Sequence[TcmBuffer],
        needed: int,
        capacity: int,
    ) -> None:
        self.index = index
        self.step = step
        self.buffers = buffers
        self.needed = needed
        self.capacity = capacity
        super().__init__(f"{step.name} needs {needed} bytes at once, there are {capacity}")


def check_fit(steps: Sequence[AllocationStep], capacity: int, alignment: int) -> None:
    """Raise DoesNotFit for the step that holds the most bytes, where these are too many.

    Of those that hold as many it is the first that computes.
    """
    last = {name: readers[-1] for name, readers in uses(steps).items()}
    apart = [step.apart(index, last) for index, step in enumerate(steps)]
    needs = [sum(round_up(buffer.bytes, alignment) for buffer in own) for own in apart]
    computes = [step.work is Work.COMPUTES for step in steps]
    worst = max(range(len(steps)), key=lambda at: (needs[at], computes[at]), default=0)
    if steps and needs[worst] > capacity:
        raise DoesNotFit(worst, steps[worst], apart[worst], needs[worst], capacity)


def uses(steps: Sequence[AllocationStep]) -> dict[str, list[int]]:
    """List for each buffer the steps that read it, in order."""
    readers: dict[str, list[int]] = defaultdict(list)
    for index, step in enumerate(steps):
        for name in dict.fromkeys(buffer.name for buffer in step.reads):
            readers[name].append(index)
    return readers


@dataclass(frozen=True)
class Reasons:
    """The words for why a buffer moves at a step; `readers` are the steps that read each buffer."""

    steps: Sequence[AllocationStep]
    readers: Mapping[str, Sequence[int]]

    def leaves(self, buffer: TcmBuffer, at: int) -> str:
        """Say for which step it makes room."""
        room = f"leaves TCM because {self.steps[at].name} needs room"
        return f"{buffer.name} ({buffer.bytes} bytes) {room}; {self._next(buffer, at)}"

    def comes_back(self, buffer: TcmBuffer, at: int) -> str:
        """Say which step reads it."""
        return f"{buffer.name} ({buffer.bytes} bytes) comes back to TCM; {self._next(buffer, at)}"

    def moves(self, buffer: TcmBuffer, at: int) -> str:
        """Say for which step it makes room within TCM."""
        room = f"moves to join free bytes for {self.steps[at].name}"
        return f"{buffer.name} ({buffer.bytes} bytes) {room}"

    def _next(self, buffer: TcmBuffer, at: int) -> str:
        readers = self.readers.get(buffer.name, ())
        index = next((reader for reader in readers if reader >= at), None)
        return "nothing reads it" if index is None else f"read next by {self.steps[index].name}"


def live_intervals(steps: Sequence[AllocationStep], early: bool = False) -> list[LiveInterval]:
    """Find the live interval of each buffer, from the step that writes it to the last reader.

    `early`: a copied buffer is alive from the last step before that computes.
    """
    last = {buffer.name: index for index, step in enumerate(steps) for buffer in step.reads}
    intervals: list[LiveInterval] = []
    computing = 0
    for index, step in enumerate(steps):
        first = computing if early and step.work is Work.BRINGS else index
        for buffer in step.writes:
            end = last.get(buffer.name, index)
            intervals.append(LiveInterval(buffer.name, buffer.bytes, first, end))
        computing = index if step.work is Work.COMPUTES else computing
    return intervals

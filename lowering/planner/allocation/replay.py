"""A replay of steps in TCM: which buffers are there when, without offsets, and what that moves.

Each step needs the buffers that it reads and writes. Where they lack room, buffers leave that it
does not need, those with the farthest next read first (Belady's rule). One that nothing in DDR
holds is saved once before it leaves; one that is read again comes back. A step may read in DDR what
it takes of a saved buffer, and does so where only a part is wanted, or where not all of them fit.

Cost: linear in the reads; each step that lacks room sorts the buffers in TCM.

Example: capacity 2, buffers of 1 byte. a and b are written, then a step reads a and writes c. b is
not needed there, so it is saved; the next step reads b and fetches it: 2 bytes move. Where the
first of these steps may write c onto the bytes of a, which it reads last, nothing has to leave.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf
from types import MappingProxyType
from typing import NamedTuple

from .step_list import ReplayStep, StepList


@dataclass(slots=True)
class Stay:
    """A buffer in TCM from a step to another; `saved`: it is saved in DDR as it leaves."""

    buffer: int
    first: int
    last: int
    comes_back: bool
    saved: bool = False


class TcmState(NamedTuple):
    """The buffers that were written before a step: those in TCM, and those that DDR has as well.

    `leaving` are those in TCM that leave before they are read again. `reads` are, by buffer, the
    steps that read it from there on, the next one last, and `wanted` the bytes that they take.
    """

    written: frozenset[int] = frozenset()
    inside: frozenset[int] = frozenset()
    saved: frozenset[int] = frozenset()
    leaving: frozenset[int] = frozenset()
    reads: Mapping[int, Sequence[int]] = MappingProxyType({})
    wanted: Mapping[int, int] = MappingProxyType({})

    def returning(self, steps: StepList) -> int:
        """Count the bytes that move until what is read again is back in TCM."""
        away = [n for n in self.written - (self.inside - self.leaving) if self.reads.get(n)]
        return sum(steps.again(n, n in self.saved or n not in self.leaving) for n in away)


class Replay:
    """The steps in a TCM of some bytes, from step `first` on, in front of which is a `state`.

    `stays` are in the order in which they begin, `direct` are, by step, the buffers that it reads
    in DDR, `bytes` those that moved so far, `moved` those that had after each step. `over` are, by
    step, the buffers onto whose bytes it writes its first result.
    """

    def __init__(
        self, steps: StepList, capacity: int, first: int = 0, state: TcmState | None = None
    ) -> None:
        self.list, self.capacity, self.first = steps, capacity, first
        self.bytes, self.moved = 0, [0]
        self.stays: list[Stay] = []
        self.direct: dict[int, tuple[int, ...]] = {}
        self.over: dict[int, int] = {}
        self._sizes, self._bytes = steps.sizes, steps.bytes
        # The steps that still read each buffer, the next one last, and the bytes that they take.
        state = state or TcmState()
        self._reads: dict[int, list[int]] = defaultdict(list)
        self._wanted: dict[int, int] = defaultdict(int, state.wanted)
        for number, readers in state.reads.items():
            self._reads[number] += readers
        for at in range(len(steps.steps) - 1, first - 1, -1):
            for number in dict.fromkeys(steps.steps[at].reads):
                self._reads[number].append(at)
                self._wanted[number] += steps.steps[at].takes.get(number, self._bytes[number])
        inside = [number for number in state.inside if self._reads[number]]
        self._inside = {number: Stay(number, first, first, False) for number in inside}
        self._saved, self._made = steps.sources | state.saved, steps.sources | state.written
        self._unread = set[int]()
        self._used = sum([self._sizes[number] for number in inside])
        self._now = first

    def run(self, limit: float = inf) -> bool:
        """Replay all steps; False where one does not fit, or more than a limit moves."""
        steps = self.list.steps[self.first :]
        spills = limit - sum([step.moves for step in steps])
        for now, step in enumerate(steps, self.first):
            self._now = now
            shared = self._overwritten(step) if step.onto else 0
            apart = self._apart(step, shared) if step.takes else []
            needed = step.needs.difference(apart) if apart else step.needs
            self._used -= shared
            if not self._enter(needed, apart):
                return False
            self._used += shared
            if apart:
                self.direct[now] = tuple(apart)
            self.bytes += step.moves + sum(step.takes[number] for number in apart)
            # What no one read in TCM need not have been copied.
            self.bytes -= sum(self.list.fetched[n] or 0 for n in self._unread.intersection(apart))
            spills += step.moves
            if self.bytes > spills:
                return False
            self.moved.append(self.bytes)
            self._made.update(step.writes)
            self._unread.update([n for n in step.writes if self.list.fetched[n]])
            self._unread.difference_update(step.reads)
            for number in step.needs:
                reads = self._reads[number]
                if reads and reads[-1] == now:
                    reads.pop()
                    self._wanted[number] -= step.takes.get(number, self._bytes[number])
                if not reads:
                    self._leave(number)
        return True

    def before(self, at: int) -> TcmState:
        """Find what was there in front of a step, behind a replay of all steps."""
        begun = [stay for stay in self.stays if stay.first < at]
        reads, wanted = dict[int, list[int]](), dict[int, int]()
        for stay in begun:
            number = stay.buffer
            if later := [step for step in self._readers[number] if step >= at]:
                takes = [self.list.steps[step].takes for step in later]
                reads[number] = later
                wanted[number] = sum([each.get(number, self._bytes[number]) for each in takes])
        written = frozenset(reads)
        # What leaves for a step is there in front of it.
        staying = [stay for stay in begun if stay.last >= at - 1 and stay.buffer in reads]
        inside = frozenset(stay.buffer for stay in staying)
        leaving = frozenset(stay.buffer for stay in staying if stay.last < reads[stay.buffer][-1])
        left = {stay.buffer for stay in begun if stay.saved and stay.last < at - 1}
        saved = written - inside | (written & left)
        return TcmState(written, inside, saved, leaving, reads, wanted)

    @cached_property
    def _readers(self) -> dict[int, list[int]]:
        """All steps that read each buffer, the last one first."""
        readers: dict[int, list[int]] = defaultdict(list)
        for at in range(len(self.list.steps) - 1, -1, -1):
            for number in dict.fromkeys(self.list.steps[at].reads):
                readers[number].append(at)
        return readers

    def end(self, leaving: frozenset[int] = frozenset()) -> TcmState:
        """Find what is there behind the last step, of which some will leave."""
        written, inside, saved = map(frozenset, (self._made, self._inside, self._saved))
        return TcmState(written, inside, saved, inside & leaving, self._reads)

    def _overwritten(self, step: ReplayStep) -> int:
        """Choose a buffer that is read last by a step, to be overwritten; return its bytes."""
        for number in step.onto:
            there = number in self._inside or number not in step.takes
            if there and self._reads[number] == [self._now]:
                self.over[self._now] = number
                return self._sizes[number]
        return 0

    def _apart(self, step: ReplayStep, shared: int) -> list[int]:
        """List what a step reads in DDR: what is there alone, and what it has no room for.

        Its result takes `shared` bytes of what it reads.
        """
        inside, sizes = self._inside, self._sizes
        takes = [number for number in step.takes if number != self.over.get(self._now)]
        spare = self.capacity - self._used + shared
        spare -= sum([sizes[n] for n in step.needs if n not in inside and n not in takes])
        apart: list[int] = []
        for number in takes:
            if number not in inside and number in self._saved:
                if self._stays_out(number, step, spare):
                    apart.append(number)
                else:
                    spare -= sizes[number]
        if spare < 0:
            apart += self._original(step, takes, -spare)
        over = sum([sizes[n] for n in step.needs if n not in apart]) - shared - self.capacity
        for number in sorted(takes, key=self._worth) if over > 0 else ():
            if over > 0 and number not in apart and number in self._made:
                apart.append(number)
                over -= sizes[number]
        return apart

    def _original(self, step: ReplayStep, takes: Sequence[int], over: int) -> Sequence[int]:
        """Choose copies to read where they were copied from, if more had to leave for them.

        That is one that is enough, or the largest ones with what leaves beside them.
        """
        there = [n for n in takes if n in self._inside and self.list.fetched[n]]
        if not there:
            return ()
        there.sort(key=lambda n: -self._sizes[n])
        rate = sum(map(self._rate, self._victims(over, step.needs)))

        def moved(copies: Sequence[int]) -> float:
            """Count the bytes that move to free some, of which copies that are read are part."""
            more = over - sum([self._sizes[n] for n in copies])
            victims = self._victims(more, step.needs) if more > 0 else ()
            if more > sum([self._sizes[n] for n in victims]):
                return inf
            return sum([self._read_apart(n, step, rate) for n in copies]) + sum(
                map(self._cost, victims)
            )

        ways = list[tuple[int, ...]]((n,) for n in there if self._sizes[n] >= over)
        ways += [tuple(there[:count]) for count in range(1, len(there) + 1)]
        return min([(), *ways], key=moved)

    def _read_apart(self, number: int, step: ReplayStep, rate: float) -> int:
        """Count the bytes that move where a copy is read in DDR, and comes back later.

        One that was not read yet need not have been made. One that would leave before others do,
        whose `rate` is higher, comes back anyway.
        """
        now = 0 if number in self._unread else step.takes[number]
        return now if self._later(number) <= rate else now + self._cost(number)

    def _later(self, number: int) -> float:
        """Return what a buffer that is read now costs for each step up to its next reader."""
        readers = self._reads[number]
        return self._cost(number) / (readers[-2] - self._now) if len(readers) > 1 else 0

    def _rate(self, number: int) -> float:
        """Return what a buffer that leaves costs for each step up to its next reader."""
        return self._cost(number) / (self._reads[number][-1] - self._now)

    def _worth(self, number: int) -> tuple[bool, int]:
        """Sort first what is saved already, then what is large."""
        return number not in self._saved, -self._sizes[number]

    def _stays_out(self, number: int, step: ReplayStep, spare: int) -> bool:
        """Tell whether a step reads in DDR what was saved there: a part, or for the last time.

        What others take, too, comes back where it fits into the bytes to spare, or where what
        leaves for it costs less than bringing it for the next one.
        """
        size, whole = self._sizes[number], self._bytes[number]
        if self._wanted[number] > whole and size <= spare and self._pays(number):
            return False
        if step.takes[number] < whole or len(self._reads[number]) == 1:
            return True
        leaving = self._victims(size - spare, step.needs)
        return sum(map(self._rate, leaving)) >= self._later(number)

    def _pays(self, number: int) -> bool:
        """Tell whether parts as large as all of a buffer are read before it would leave again.

        That is taken to be so while no more is written than the TCM holds.
        """
        taken, written = 0, self._written
        for reader in reversed(self._reads[number]):
            if (
                reader >= len(self.list.steps)
                or written[reader] - written[self._now] > self.capacity
            ):
                return False
            taken += self.list.steps[reader].takes.get(number, self._bytes[number])
            if taken > self._bytes[number]:
                return True
        return False

    @cached_property
    def _written(self) -> list[int]:
        """The bytes of TCM that are written before each step."""
        sizes = (sum([self._sizes[n] for n in step.writes]) for step in self.list.steps)
        return [0, *accumulate(sizes)]

    def _enter(self, needed: frozenset[int], apart: list[int]) -> bool:
        """Bring what a step needs, after what is read last of the rest has left."""
        missing = sorted([number for number in needed if number not in self._inside])
        self._used += sum([self._sizes[number] for number in missing])
        for number in apart:
            # What is read in DDR has to be there.
            if number in self._inside:
                self._evict(number)
        if self._used > self.capacity:
            for number in self._victims(self._used - self.capacity, needed):
                self._evict(number)
        self._make_room_beside([n for n in missing if n in self._made], needed)
        for number in missing:
            comes_back = number in self._made
            if comes_back:
                self.bytes += self.list.again(number)
            self._inside[number] = Stay(number, self._now, self._now, comes_back)
            self.stays.append(self._inside[number])
        for number in needed:
            self._inside[number].last = self._now
        return self._used <= self.capacity

    def _make_room_beside(self, coming: Sequence[int], needed: frozenset[int]) -> None:
        """Free the bytes beside what comes back: what the step needs may leave for it, too."""
        beside = max([self.list.beside.get(number, 0) for number in coming], default=0)
        if not beside or self._used + beside <= self.capacity:
            return
        for number in self._victims(self._used + beside - self.capacity, needed):
            self._evict(number)
        over = self._used + beside - self.capacity
        large = [n for n in needed if n in self._inside and self._sizes[n] >= over > 0]
        self.bytes += min(map(self._cost, large), default=0)

    def _victims(self, over: int, needed: frozenset[int]) -> Sequence[int]:
        """Choose what leaves: what costs the least for each step for which it is not read.

        In order of cost by byte and step, each that is enough, beside smaller ones before it, is
        weighed, and then left for others behind it.
        """
        rest = [n for n in self._inside.keys() - needed if self._sizes[n]]
        rates = {n: self._rate(n) for n in rest}
        victims: Sequence[int] = rest
        best, chosen, spent = inf, list[int](), 0.0
        for number in sorted(rest, key=lambda n: (rates[n] / self._sizes[n], -self._sizes[n])):
            if self._sizes[number] < over:
                chosen.append(number)
                over -= self._sizes[number]
                spent += rates[number]
            elif spent + rates[number] < best:
                best, victims = spent + rates[number], (*chosen, number)
        return victims

    def _cost(self, number: int) -> int:
        """Count the bytes that move where a buffer leaves and is read again, whole or in part."""
        whole, readers = self.list.again(number, number in self._saved), self._reads[number]
        if not readers or readers[-1] >= len(self.list.steps):
            return whole
        part = self.list.steps[readers[-1]].takes.get(number, whole)
        if self.list.fetched[number] is None and number not in self._saved:
            part += self._bytes[number]
        return min(part, whole)

    def _evict(self, number: int) -> None:
        stay = self._inside[number]
        stay.last = self._now - 1
        if self.list.fetched[number] is None and number not in self._saved:
            self._saved.add(number)
            stay.saved = True
            self.bytes += self.list.bytes[number]
        elif self.list.fetched[number] is not None:
            self._saved.add(number)
        self._leave(number)

    def _leave(self, number: int) -> None:
        if number in self._inside:
            del self._inside[number]
            self._used -= self._sizes[number]


def moved_bytes(steps: StepList, capacity: int) -> int | None:
    """Count the bytes between DDR and TCM that steps move; None where one does not fit."""
    replay = Replay(steps, capacity)
    return replay.bytes if replay.run() else None

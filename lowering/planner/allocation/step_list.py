"""Steps over buffers in TCM, as a plan has them: what each reads and writes, and what it moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ....dialects.value import CHUNK_BYTES, round_up

STEP = 1 << 8
"""Bytes that are worth one step."""


class ReplayStep(NamedTuple):
    """An op on a tile, or a copy: buffers by number, and the bytes that it moves itself.

    `needs` are the buffers that it reads and writes, `takes` the bytes that it reads of those that
    it can read in DDR as well. `onto` are buffers onto whose bytes it may write its first result.
    """

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    needs: frozenset[int]
    moves: int
    takes: Mapping[int, int]
    onto: tuple[int, ...] = ()


@dataclass
class StepList:
    """Steps in order, and their buffers: `sizes` in TCM, and bytes without gaps.

    `fetched` are the bytes that bring one again; one that cannot be, `None`, has to be saved before
    it leaves. What is fetched takes the bytes `beside` it in TCM meanwhile, where it changes its
    layout there. `sources` are those that DDR has before the first step. `ends` are the
    numbers of steps at which parts of the list end. `penalty` are bytes that a plan counts for, and
    that do not move. `moves` are the bytes that the steps move themselves.
    """

    sizes: list[int] = field(default_factory=list[int])
    bytes: list[int] = field(default_factory=list[int])
    fetched: list[int | None] = field(default_factory=list["int | None"])
    beside: dict[int, int] = field(default_factory=dict[int, int])
    sources: set[int] = field(default_factory=set[int])
    steps: list[ReplayStep] = field(default_factory=list[ReplayStep])
    ends: list[int] = field(default_factory=list[int])
    penalty: int = 0
    moves: int = 0

    def step(
        self,
        reads: tuple[int, ...],
        writes: tuple[int, ...],
        moves: int = 0,
        takes: Mapping[int, int] | None = None,
        onto: Iterable[int] = (),
    ) -> None:
        """Add a step; of `onto` those count that are as large as its first result."""
        needs = frozenset((*reads, *writes))
        same = tuple([n for n in onto if self.sizes[n] == self.sizes[writes[0]]])
        self.steps.append(ReplayStep(reads, writes, needs, moves, takes or {}, same))
        self.moves += moves

    def buffer(self, size: int, fetched: int | None = None, alignment: int = CHUNK_BYTES) -> int:
        """Add a buffer and return its number."""
        self.sizes.append(round_up(size, alignment))
        self.bytes.append(size)
        self.fetched.append(fetched)
        return len(self.sizes) - 1

    def front(self, buffers: int, steps: int, ends: int) -> StepList:
        """Return the first buffers, steps and ends, without the bytes that they count."""
        return StepList(
            self.sizes[:buffers],
            self.bytes[:buffers],
            self.fetched[:buffers],
            {number: size for number, size in self.beside.items() if number < buffers},
            {number for number in self.sources if number < buffers},
            self.steps[:steps],
            self.ends[:ends],
        )

    def again(self, number: int, saved: bool = True) -> int:
        """Count the bytes that a buffer moves to come back; one that is not saved leaves first."""
        fetched = self.fetched[number]
        return self.bytes[number] * (1 if saved else 2) if fetched is None else fetched

    def exceeds(self, capacity: int, start: int, end: int) -> bool:
        """Tell whether one of some steps alone takes more than a TCM."""
        for step in self.steps[start:end]:
            apart = [self.sizes[number] for number in step.needs - step.takes.keys()]
            if sum(apart) - max([self.sizes[n] for n in step.onto], default=0) > capacity:
                return True
        return False

    def weight(self, moved: int = 0) -> int:
        """Weigh the bytes that move, at least those that steps move themselves, and the steps."""
        return max(moved, self.moves) + self.penalty + STEP * len(self.steps)

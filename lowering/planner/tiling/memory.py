"""What lies in TCM beside the op that runs, and what moving bytes costs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from ....dialects.value.layout import round_up
from .program import TileProgram

SPILLED = 2
"""Moves of a byte that is too many: it leaves TCM and comes back."""
SLACK = 12
"""One part in so many of the TCM is left to gaps between blocks."""
MOST_TILES = 64
"""Along one dim."""


CALL = 16 << 10
"""Bytes that are worth one kernel call."""


@dataclass(frozen=True)
class Price:
    """What running ops costs: bytes between main memory and TCM, and kernel calls."""

    bytes: int = 0
    calls: int = 0

    def __lt__(self, other: Price) -> bool:
        return self.weight < other.weight

    @property
    def weight(self) -> int:
        """Both in one number."""
        return self.bytes + CALL * self.calls

    def __add__(self, other: Price) -> Price:
        return Price(self.bytes + other.bytes, self.calls + other.calls)


@dataclass(frozen=True)
class Setting:
    """A program and the TCM that it runs in, in bytes.

    A value stays in TCM from the op that makes it to the last that reads it where it takes at
    most `room` bytes, or at most `kept` where an op makes it there. Other values lie in main
    memory, and ops take from them what they read.
    """

    program: TileProgram
    capacity: int
    room: int
    kept: int

    @cached_property
    def usable(self) -> int:
        """The bytes to plan with: blocks of many sizes do not fill the TCM to the end."""
        return self.capacity - self.capacity // SLACK

    @cached_property
    def resident(self) -> frozenset[int]:
        """The tensors that stay in TCM."""
        tensors = self.program.tensors
        return frozenset(
            number
            for number in self.program.made
            if not tensors[number].home and tensors[number].bytes <= self._limit(number)
        )

    def _limit(self, number: int) -> int:
        op = self.program.ops[self.program.made[number]]
        return self.kept if op.held and not op.passes else self.room

    def written(self, number: int, dims: Collection[int]) -> int:
        """The bytes that a result moves which is cut along `dims` and read later on.

        Joined tiles that are too large for the room lie in main memory; where a tile is no run of
        its bytes, joining them is a copy of its own.
        """
        tensor, stays = self.program.tensors[number], number in self.resident
        if stays and (tensor.bytes <= self.room or not dims):
            return 0
        return tensor.bytes * (1 + stays + 2 * any(tensor.scatters(dim) for dim in dims))

    @cached_property
    def occupied(self) -> Sequence[int]:
        """For each op the bytes of resident tensors made before it and read by it or later."""
        change = [0] * (len(self.program.ops) + 2)
        for number in self.resident:
            made, size = self.program.made[number], self.program.tensors[number].bytes
            change[made + 1] += size
            change[self.program.last_read.get(number, made) + 1] -= size
        held, found = 0, list[int]()
        for step in change[: len(self.program.ops)]:
            held += step
            found.append(held)
        return found

    def overflow(self, need: int, idle: int, count: int) -> tuple[int, int]:
        """The bytes that move because `need` is more than the TCM holds: once, and over all tiles.

        What is `idle` meanwhile leaves once and comes back; more than that has to go and come
        with each of `count` tiles.
        """
        excess = max(0, need - self.usable)
        once = min(excess, idle)
        return SPILLED * once, (excess - once) * max(SPILLED, count)

    def idle(self, at: int, used: Collection[int]) -> int:
        """The bytes of resident tensors that lie there at an op and are none of those used."""
        made, last = self.program.made, self.program.last_read
        busy = (n for n in used if n in self.resident and made[n] < at <= last.get(n, -1))
        return self.occupied[at] - sum(self.program.tensors[n].bytes for n in busy)

    def part(self, program: TileProgram) -> Part:
        """The setting of a program whose tensors are parts of those of this one."""
        return Part(program, self.capacity, self.room, self.kept, self)

    def leaves(self, number: int, end: int) -> bool:
        """Whether a tensor is read from op `end` on."""
        return self.program.last_read.get(number, -1) >= end


@dataclass(frozen=True)
class Part(Setting):
    """A setting in which tensors are parts of those of another; what lies in TCM is the same."""

    whole: Setting

    @cached_property
    def resident(self) -> frozenset[int]:
        """The tensors that stay in TCM, of which these are parts."""
        return self.whole.resident

    @cached_property
    def occupied(self) -> Sequence[int]:
        """As in the whole."""
        return self.whole.occupied


def chunk_sizes(extent: int, granule: int) -> Iterator[int]:
    """Sizes of tiles, whole granules, that cut an extent in two or more: the largest first."""
    last = extent
    for count in range(2, MOST_TILES + 1):
        chunk = round_up(ceil(extent / count), granule)
        if chunk < last:
            yield chunk
            last = chunk
        if chunk <= granule:
            return

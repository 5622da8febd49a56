"""The cost model of tiling: the bytes in TCM beside the op that runs, and the price of moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from .likeness import Likeness
from .program import TileProgram, TilingOp, TilingOperand, TilingTensor, first_dim

_Reads = tuple[int, TilingOp, Sequence[tuple[TilingOperand, frozenset[int]]]]
"""An op by its number, and some of its operands with dims of each."""

SPILLED = 2
"""Moves of a byte that does not fit: it leaves TCM and comes back."""
SLACK = 12
"""The divisor of the TCM size that gives the bytes left to gaps between tensors."""
CALL = 3 << 10
"""Bytes that are worth one kernel call."""


@dataclass(frozen=True)
class Price:
    """The cost of running ops: bytes between DDR and TCM, and kernel calls."""

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

    A value stays in TCM from the op that makes it to its last reader where it takes at most `room`
    bytes, or at most `kept` where an op makes it there. Other values are in DDR, and ops take their
    operands from there.
    """

    program: TileProgram
    capacity: int
    room: int
    kept: int

    @cached_property
    def usable(self) -> int:
        """The bytes to plan with: tensors of many sizes do not fill the TCM without gaps."""
        return self.capacity - self.capacity // SLACK

    @cached_property
    def likeness(self) -> Likeness:
        """The kinds of spans of the program."""
        return Likeness(self.program, self.resident)

    @cached_property
    def resident(self) -> frozenset[int]:
        """The tensors that stay in TCM."""
        program = self.program
        resident: set[int] = set()
        for number, maker in program.maker.items():
            op, tensor = program.ops[maker], program.tensors[number]
            limit = self.kept if op.in_tcm and not op.moves_only else self.room
            if not tensor.in_ddr and tensor.bytes <= limit:
                resident.add(number)
        return frozenset(resident)

    @cached_property
    def reads_of_moved(self) -> Sequence[_Reads]:
        """The ops, last to first, with what they read of ops that only move elements.

        With each operand the dims of which it has parts that take at most half of the TCM: a view
        along its first dim, and what is turned where it can be cut.
        """
        program, reads = self.program, list[_Reads]()
        makers = [program.ops[at] for at in program.maker.values()]
        maker = {number: op for op in makers for number in op.results if op.moves_only}
        for at, op in reversed([*enumerate(program.ops)]):
            own = list[tuple[TilingOperand, frozenset[int]]]()
            for operand in op.operands:
                if (source := maker.get(operand.tensor)) is not None:
                    tensor = program.tensors[operand.tensor]
                    dims = source.cuts if source.turns else (first_dim(tensor.shape),)
                    extents = {dim: prod(tensor.shape[dim : dim + 1]) for dim in dims}
                    most = self.capacity // 2
                    fits = (dim for dim, n in extents.items() if tensor.bytes <= most * n)
                    own.append((operand, frozenset(fits)))
            if own or op.moves_only:
                reads.append((at, op, own))
        return reads

    def written(self, number: int) -> int:
        """Count the bytes that a result moves which is read later on."""
        return 0 if number in self.resident else self.program.tensors[number].bytes

    @cached_property
    def occupied(self) -> Sequence[int]:
        """For each op the bytes of resident tensors made before it and read by it or later."""
        change = [0] * (len(self.program.ops) + 2)
        for number in self.resident:
            maker, size = self.program.maker[number], self.program.tensors[number].bytes
            change[maker + 1] += size
            change[self.program.last_read.get(number, maker) + 1] -= size
        total, occupied = 0, list[int]()
        for step in change[: len(self.program.ops)]:
            total += step
            occupied.append(total)
        return occupied

    def overflow(self, over: int, idle: int, count: int) -> tuple[int, int]:
        """Count the bytes that move because `over` bytes are too many: once, and over all tiles.

        Idle tensors leave once and come back; more than that has to go and come with each of
        `count` tiles.
        """
        excess = max(0, over)
        once = min(excess, idle)
        return SPILLED * once, (excess - once) * max(SPILLED, count)

    def idle(self, at: int, used: Collection[int]) -> int:
        """Count the bytes of resident tensors at an op that are none of those used."""
        maker, last = self.program.maker, self.program.last_read
        busy = (n for n in used if n in self.resident and maker[n] < at <= last.get(n, -1))
        return self.occupied[at] - sum(self.program.tensors[n].bytes for n in busy)

    def part_of(self, tensors: Sequence[TilingTensor]) -> Part:
        """Return the setting of the same program with parts of its tensors."""
        program = self.program.with_tensors(tensors)
        return Part(program, self.capacity, self.room, self.kept, self)

    def leaves(self, number: int, end: int) -> bool:
        """Say whether a tensor is read from op `end` on."""
        return self.program.last_read.get(number, -1) >= end


@dataclass(frozen=True)
class Part(Setting):
    """A setting in which tensors are parts of those of another; the same ones are in TCM."""

    whole: Setting

    @cached_property
    def resident(self) -> frozenset[int]:
        """The tensors that stay in TCM, of which these are parts."""
        return self.whole.resident

    @cached_property
    def occupied(self) -> Sequence[int]:
        """As in the whole."""
        return self.whole.occupied

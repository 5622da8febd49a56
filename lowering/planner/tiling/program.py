"""What the tiling planner sees of a program: tensors, ops, and how operands follow a cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm, prod

from ....dialects.value.layout import CHUNK_BYTES, RANK, round_up
from ....dialects.value.spec import Shape

SUMMED = RANK
"""Stands, as a dim of a cut, for the one that the result is summed over."""
Cuts = tuple[tuple[int, int], ...]
"""(dim, size of a tile) pairs, the outermost first; parts of a sum are the innermost."""


@dataclass(frozen=True)
class Tensor:
    """A tensor in the layout that it will have: dims are padded up to whole chunks.

    `constant`: its data is known, slices of it are made at compile time. `home`: it lies in main
    memory whatever its size.
    """

    shape: Shape
    itemsize: int
    chunk: Shape = (1, 1, 1, 1)
    constant: bool = False
    home: bool = False

    @cached_property
    def bytes(self) -> int:
        """All of it, padding included."""
        return self.itemsize * prod(map(round_up, self.shape, self.chunk))

    def resized(self, dim: int, size: int) -> Tensor:
        """A part of it: `size` elements along a dim, all of the others."""
        shape = (*self.shape[:dim], min(size, self.shape[dim]), *self.shape[dim + 1 :])
        return replace(self, shape=shape)

    def scatters(self, dim: int) -> bool:
        """A block of some elements along this dim is no run of bytes."""
        return max(self.shape[:dim], default=1) > 1

    def part(self, sizes: Mapping[int, int]) -> int:
        """The bytes of a block: `sizes` by dim, all of the other dims."""
        found = self.bytes
        for dim, size in sizes.items():
            chunk = self.chunk[dim]
            padded = round_up(self.shape[dim], chunk)
            found = found // padded * min(padded, round_up(size, chunk))
        return found

    def taken(self, sizes: Mapping[int, int]) -> int:
        """The bytes of TCM that such a block takes, which is given out in whole croutons."""
        return round_up(self.part(sizes), CHUNK_BYTES)


@dataclass(frozen=True)
class Reach:
    """What a tile reads along an operand's dim: `taps` for each element, `stride` apart.

    Both are below 1 where one element of the operand makes several of the result. Element 0 of
    the result reads from `-shift` on: there was padding in front.
    """

    dim: int
    stride: Fraction = Fraction(1)
    taps: Fraction = Fraction(1)
    shift: int = 0

    @cached_property
    def _fine(self) -> tuple[int, int, int]:
        """Stride and taps in equal parts of an element, and how many parts that has."""
        parts = lcm(self.stride.denominator, self.taps.denominator)
        return int(self.stride * parts), int(self.taps * parts), parts

    def window(self, size: int) -> int:
        """The extent that `size` elements of the result read."""
        stride, taps, parts = self._fine
        return -(-(stride * (size - 1) + taps) // parts)

    def halo(self, count: int, line: int) -> int:
        """The bytes that two of `count` tiles read, for the bytes of one element of the dim."""
        stride, taps, parts = self._fine
        return -(-(count - 1) * max(0, taps - stride) * line // parts)


@dataclass(frozen=True)
class Operand:
    """A tensor that an op reads. `held`: it takes TCM while the op runs.

    `reaches` says, by dim of the result, how the operand follows a cut; where a dim is absent
    every tile reads all of it. `chunk` is that of the layout in which the op reads the tensor,
    where that is not the layout in which it lies.
    """

    tensor: int
    reaches: Mapping[int, Reach] = field(default_factory=dict[int, Reach])
    held: bool = True
    chunk: Shape | None = None

    def read_as(self, tensor: Tensor) -> Tensor:
        """The tensor in the layout in which the op reads it."""
        return tensor if self.chunk is None else replace(tensor, chunk=self.chunk)


@dataclass(frozen=True)
class TileOp:
    """An op by the tensors that it reads and makes; tensors are numbered.

    `cuts` are the dims along which its result may be cut into tiles, `summed` the extent that it is
    summed over, where that may be cut too. `held`: the results are in TCM while it runs. `passes`:
    it only moves elements, so what reads a tile of its result reads through it.
    """

    name: str
    results: tuple[int, ...]
    operands: tuple[Operand, ...] = ()
    cuts: tuple[int, ...] = ()
    held: bool = True
    passes: bool = False
    summed: int = 0


@dataclass(frozen=True)
class TileProgram:
    """Ops in an order that is legal, and the tensors that they speak of.

    `kept` are tensors that are read after the last op.
    """

    tensors: Sequence[Tensor]
    ops: Sequence[TileOp]
    kept: frozenset[int] = frozenset()

    @cached_property
    def made(self) -> Mapping[int, int]:
        """The op that makes each tensor."""
        return {result: at for at, op in enumerate(self.ops) for result in op.results}

    @cached_property
    def last_read(self) -> Mapping[int, int]:
        """The last op that reads each tensor; the number of ops for those that are kept."""
        found = {held.tensor: at for at, op in enumerate(self.ops) for held in op.operands}
        return {**found, **dict.fromkeys(self.kept, len(self.ops))}

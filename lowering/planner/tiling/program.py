"""A program as the tiling planner sees it: tensors, ops, and how operands follow a cut."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from math import ceil, lcm, prod

from ....dialects.value import CHUNK_BYTES, RANK, Shape, round_up
from .access_map import AccessMap

SUMMED = RANK
"""The number that stands, as a dim of a cut, for the dim that the result is summed over."""
Cuts = tuple[tuple[int, int], ...]
"""(dim, size of a tile) pairs, the outermost first; parts of a sum are the innermost."""
Scratch = Callable[[Mapping[int, int]], int]
"""From the extents of a tile of a result, by dim, to the bytes of TCM that only its kernel uses."""
DEPTH = 32
"""Elements of the depth that every layout keeps together."""
MOST_TILES = 64
"""Tiles along one dim."""


@dataclass(frozen=True)
class TilingTensor:
    """A tensor in the layout that it will have: dims are padded up to whole chunks.

    `constant`: its data is known, slices of it are made at compile time. `in_ddr`: it is in DDR
    whatever its size.
    """

    shape: Shape
    itemsize: int
    chunk: Shape = (1, 1, 1, 1)
    constant: bool = False
    in_ddr: bool = False

    @cached_property
    def bytes(self) -> int:
        """All of it, padding included."""
        return self.itemsize * prod(self.padded)

    @cached_property
    def padded(self) -> Shape:
        """The extents, up to whole chunks."""
        return tuple(map(round_up, self.shape, self.chunk))

    @cached_property
    def whole(self) -> tuple[tuple[int, int], ...]:
        """The block that is all of it."""
        return tuple((0, extent) for extent in self.shape)

    @property
    def flat_bytes(self) -> int:
        """All of it without padding."""
        return self.itemsize * prod(self.shape)

    def resized(self, dim: int, size: int) -> TilingTensor:
        """Cut it to at most `size` elements along a dim."""
        if size >= self.shape[dim]:
            return self
        if (known := self._like.get((dim, size))) is None:
            shape = (*self.shape[:dim], size, *self.shape[dim + 1 :])
            known = self._like[dim, size] = replace(self, shape=shape)
        return known

    def laid_in(self, chunk: Shape) -> TilingTensor:
        """Lay it out in other chunks."""
        if (known := self._like.get((chunk, None))) is None:
            known = self._like[chunk, None] = replace(self, chunk=chunk)
        return known

    @cached_property
    def _like(self) -> dict[Hashable, TilingTensor]:
        """Parts of it by dim and size, and the same in other chunks, as far as asked for."""
        return {}

    def scatters(self, dim: int) -> bool:
        """Say whether a block of some elements along this dim is no run of bytes."""
        return max(self.shape[:dim], default=1) > 1

    def part(self, sizes: Mapping[int, int]) -> int:
        """Count the bytes of a block: `sizes` by dim, all of the other dims."""
        size = self.bytes
        for dim, extent in sizes.items():
            padded = self.padded[dim]
            size = size // padded * min(padded, round_up(extent, self.chunk[dim]))
        return size

    def tcm_part(self, sizes: Mapping[int, int]) -> int:
        """Count the bytes of TCM that such a block takes, in whole croutons."""
        return round_up(self.part(sizes), CHUNK_BYTES)

    def granule(self, dim: int) -> int:
        """Find the granularity of tiles: a chunk, or the elements of a line of cache."""
        return max(self.chunk[dim], DEPTH if dim == len(self.shape) - 1 else 1)

    def tile_sizes(self, dim: int) -> Iterator[int]:
        """List the sizes of tiles along a dim, the largest first."""
        return tile_sizes(self.shape[dim], self.granule(dim))


def tile_sizes(extent: int, granule: int) -> Iterator[int]:
    """List sizes of tiles, whole granules, that cut an extent in two or more: the largest first."""
    last = extent
    for count in range(2, MOST_TILES + 1):
        size = round_up(ceil(extent / count), granule)
        if size < last:
            yield size
            last = size
        if size <= granule:
            return


def first_dim(shape: Shape) -> int:
    """Find the first dim of several elements; the first of all where none has."""
    return next((dim for dim, extent in enumerate(shape) if extent > 1), 0)


@dataclass(frozen=True)
class TilingOperand:
    """A tensor that an op reads. `in_tcm`: it takes TCM while the op runs.

    `maps` are the access maps by dim of the result; where a dim is absent every tile reads all of
    the operand. `chunk` is that of the layout in which the op reads the tensor, where it differs
    from the tensor's own. In DDR the op goes over it `passes` times. `overwritable`: a tile of the
    result may lie on the bytes of what is read for it. `part`: it is the part of a join that begins
    at this element along this dim of the result. `anywhere`: the op leaves its memory open.
    `selected`: the op reads no more bytes of it than its results have.
    """

    tensor: int
    maps: Mapping[int, AccessMap] = field(default_factory=dict[int, AccessMap])
    in_tcm: bool = True
    chunk: Shape | None = None
    passes: int = 1
    overwritable: bool = False
    part: tuple[int, int] | None = None
    anywhere: bool = False
    selected: bool = False

    def read_as(self, tensor: TilingTensor) -> TilingTensor:
        """Describe the tensor in the layout in which the op reads it."""
        return tensor if self.chunk is None else tensor.laid_in(self.chunk)

    @cached_property
    def blocks(self) -> dict[Hashable, tuple[tuple[int, int], ...]]:
        """The blocks that are read for blocks of the result, as far as they were asked for."""
        return {}

    def window(self, sizes: Mapping[int, int]) -> dict[int, int]:
        """Find the extents, by dim, that a tile of these sizes reads."""
        return {
            access.dim: access.footprint.window(size)
            for dim, size in sizes.items()
            if (access := self.maps.get(dim))
        }


@dataclass(frozen=True)
class TilingOp:
    """An op by the tensors that it reads and makes; tensors are numbered.

    `cuts` are the dims along which its result may be cut into tiles, `summed` the extent that it is
    summed over, where that may be cut too. `in_tcm`: the results are in TCM while it runs.
    `moves_only`: a reader of a tile of its result reads through it. `scratch` tells what the op's
    kernel takes beside a tile; equal functions give equal bytes. `params` are the bytes of the
    numbers that every tile reads in DDR.
    """

    name: str
    results: tuple[int, ...]
    operands: tuple[TilingOperand, ...] = ()
    cuts: tuple[int, ...] = ()
    in_tcm: bool = True
    moves_only: bool = False
    summed: int = 0
    scratch: Scratch | None = None
    params: int = 0

    @cached_property
    def known(self) -> dict[Hashable, object]:
        """Results of computations on it, by what they depend on beside the op."""
        return {}

    @property
    def copies(self) -> bool:
        """Tell whether it moves elements only, and is no view of them."""
        return self.moves_only and not self.is_view

    @property
    def is_view(self) -> bool:
        """Tell whether it gives the same bytes under another shape."""
        return self.name == "htp.Reshape"

    @property
    def is_join(self) -> bool:
        """Tell whether it puts tensors together."""
        return self.name == "htp.Concat"

    @property
    def turns(self) -> bool:
        """Tell whether it gives the same elements with their dims in another order."""
        return self.name == "htp.Transpose"

    @property
    def takes_blocks(self) -> bool:
        """Tell whether it reads any block of a tensor in DDR; others read one that is a run."""
        return self.name in ("htp.SlicePad_shape", "htp.Slice_shape")

    def granule(self, dim: int, result: TilingTensor) -> int:
        """Find the granularity of tiles of the result: its own, and whole elements of operands."""
        maps = (operand.maps.get(dim) for operand in self.operands)
        return lcm(result.granule(dim), *(access.multiple for access in maps if access))

    def part_granule(self, tensors: Sequence[TilingTensor]) -> int:
        """Find the granularity of parts of the sum: that of the operands, along their dims."""
        maps = ((o.tensor, o.maps[SUMMED]) for o in self.operands if SUMMED in o.maps)
        return max(tensors[number].granule(access.dim) for number, access in maps)

    def scratch_bytes(self, sizes: Mapping[int, int]) -> int:
        """Count the bytes of TCM beside a tile of these extents; a dim that is absent is whole."""
        return self.scratch(sizes) if self.scratch else 0


@dataclass(frozen=True)
class TileProgram:
    """Ops in an order that is legal, and the tensors that they name.

    `kept` are tensors that are read after the last op.
    """

    tensors: Sequence[TilingTensor]
    ops: Sequence[TilingOp]
    kept: frozenset[int] = frozenset()

    @cached_property
    def maker(self) -> Mapping[int, int]:
        """The op that makes each tensor."""
        return {result: at for at, op in enumerate(self.ops) for result in op.results}

    @cached_property
    def last_read(self) -> Mapping[int, int]:
        """The last op that reads each tensor; the number of ops for those that are kept."""
        last = {operand.tensor: at for at, op in enumerate(self.ops) for operand in op.operands}
        return {**last, **dict.fromkeys(self.kept, len(self.ops))}

    @cached_property
    def uses(self) -> Mapping[int, int]:
        """The number of times that each tensor is read."""
        return Counter(operand.tensor for op in self.ops for operand in op.operands)

    @cached_property
    def readers(self) -> Mapping[int, Sequence[int]]:
        """The ops that read each tensor, in order, some through ops that only move elements."""
        readers: dict[int, set[int]] = defaultdict(set)
        for at, op in reversed([*enumerate(self.ops)]):
            own = [readers[number] for number in op.results]
            through = set[int]().union(*own) if op.moves_only or op.is_view else set[int]()
            for operand in op.operands:
                readers[operand.tensor] |= through or {at}
        return {number: sorted(ops) for number, ops in readers.items()}

    @cached_property
    def least_from(self) -> Sequence[int]:
        """The bytes that every plan moves for what is first read, or kept, from each op on.

        What is kept and only moved may have been written before.
        """
        reads = ((at, o) for at, op in reversed([*enumerate(self.ops)]) for o in op.operands)
        first = {operand.tensor: at for at, operand in reads if not operand.selected}
        outside = {number: at for number, at in first.items() if number not in self.maker}
        for number in self.kept:
            at = self.maker.get(number, 0)
            outside[number] = 0 if self.ops[at].moves_only or self.ops[at].is_view else at
        least = [0] * (len(self.ops) + 1)
        for number, at in outside.items():
            least[at] += self.tensors[number].flat_bytes
        return [*accumulate(reversed(least))][::-1]

    @cached_property
    def moved_out(self) -> frozenset[int]:
        """The tensors that ops which only move elements write to DDR, as they are made."""
        moved = set[int]()
        for op in reversed(self.ops):
            if op.copies and (self.tensors[op.results[0]].in_ddr or op.results[0] in moved):
                moved |= {operand.tensor for operand in op.operands}
        return frozenset(moved)

    def beneath(self, number: int) -> int:
        """Find the tensor in DDR of which one there is a view, through other views."""
        while number in self.maker and (op := self.ops[self.maker[number]]).is_view:
            (operand,) = op.operands
            if not self.tensors[operand.tensor].in_ddr:
                break
            number = operand.tensor
        return number

    def is_given(self, number: int) -> bool:
        """Tell whether a tensor, or that of which it is a view, is made by no op."""
        return self.beneath(number) not in self.maker

    def with_tensors(self, tensors: Sequence[TilingTensor]) -> TileProgram:
        """Return the same ops on other tensors of the same numbers."""
        program = replace(self, tensors=tensors)
        vars(program).update(maker=self.maker, last_read=self.last_read)
        return program

    def leaving(self, numbers: Collection[int]) -> TileProgram:
        """Return the program with some tensors in DDR."""
        tensors = [*self.tensors]
        for number in numbers:
            tensors[number] = replace(tensors[number], in_ddr=True)
        return self.with_tensors(tensors) if numbers else self

    def drained_by(self, home: Container[int], as_made: bool = False) -> frozenset[int]:
        """Find the tensors that are written to DDR as they are made.

        They are what ops in DDR read, and a Reshape at the end; ops that only move elements pass it
        on. `home` are the ops that run from DDR. `as_made`: only those that are there as they were.
        """
        drained: set[int] = set()
        for at, op in reversed([*enumerate(self.ops)]):
            leaves = any(self.tensors[n].in_ddr or n in drained for n in op.results)
            passes = op.is_view or op.is_join or (op.moves_only and not as_made)
            if at in home or (leaves and passes):
                drained |= {o.tensor for o in op.operands if o.tensor in self.maker}
        return frozenset(drained)

"""Fusion by tiles: several ops go depth first, so that what is between them never leaves TCM.

A chain is cut along one dim of the result of its last op, which leads. Going backwards, the access
maps of each op give the footprint of a tile in every tensor of the chain. An op whose tensors
cannot follow ends the chain. Tensors that no cut follows are read whole by every tile: shared.

Cost: linear in the ops of the chain for each of at most 64 tile sizes.

Example: two convolutions of 3 rows, with padding, on 64 rows, in tiles of 8 rows. The second reads
10 rows of the first's result: 8 of the tile and a halo of 2, which stays in TCM from tile to tile.
The first reads 10 rows of the input, so the halos of 7 tiles, 14 rows, come from DDR twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm

from ....dialects.value import CHUNK_BYTES, Shape, round_up
from .access_map import Footprint
from .memory import Price, Setting
from .program import Cuts, TilingOp, TilingOperand, TilingTensor, tile_sizes

CLOSE = 2
"""Parts of a size of tiles, of which the next one that is priced is smaller by one at least."""
LARGER = 2
"""Times the best size of tiles for fewer ops, up to which sizes are priced."""
COARSE = 2
"""Granules of the leader beyond which its tiles are not made larger to suit ratios."""


@dataclass
class Chain:
    """The ops `start` to `end` (not included), all cut in step with the result of the last one.

    It grows from its last op backwards. `footprints` are of the tiles of the leading result.
    """

    setting: Setting
    end: int
    start: int
    footprints: dict[int, Footprint]
    shared: set[int] = field(default_factory=set)
    _granule: int = 1
    _is_between: bool = False
    _sizes: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    _limits: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])

    @staticmethod
    def begin(setting: Setting, last: int, dim: int) -> Chain | None:
        """Make the chain of one op, along a dim of its result; None where it cannot be cut."""
        op = setting.program.ops[last]
        leading = Footprint(dim, Fraction(1))
        chain = Chain(setting, last + 1, last + 1, {op.results[0]: leading})
        return chain if chain.prepend() else None

    def copy(self) -> Chain:
        """Return a chain of the same ops that grows apart from this one."""
        return replace(self, footprints={**self.footprints}, shared={*self.shared})

    def prepend(self) -> bool:
        """Take the op in front of the chain; False where it cannot go in step."""
        op = self.setting.program.ops[self.start - 1]
        result = self.footprints.get(op.results[0]) if len(op.results) == 1 else None
        if result is None or result.dim not in op.cuts or op.results[0] in self.shared:
            return False
        for operand in op.operands:
            access = operand.maps.get(result.dim)
            if access is None:
                self.shared.add(operand.tensor)
                continue
            # An op that only moves elements passes on what its readers need around a tile.
            own = result if op.moves_only else Footprint(result.dim, result.step)
            read = access.through(own)
            known = self.footprints.setdefault(operand.tensor, read)
            self.footprints[operand.tensor] = known.joined(read)
            if (known.dim, known.step) != (read.dim, read.step):
                return False
            granule = self.setting.program.tensors[operand.tensor].granule(read.dim)
            self._granule = lcm(self._granule, (granule / read.step).numerator)
        maps = (access for operand in op.operands for access in operand.maps.values())
        self._is_between |= any(access.stride.denominator > access.multiple for access in maps)
        self.start -= 1
        return True

    def options(self) -> Iterator[tuple[Price, int]]:
        """Price each size of the leading tiles, from the largest on, up to one that fits well."""
        priced, _ = self._prices(self.setting, self.lead.dim, self.extent)
        yield from priced

    def nested(self, outer: Chain) -> Iterator[tuple[Price, int, int]]:
        """Price the same inside tiles of another chain of these ops; with the outer tiles' size.

        Smaller outer tiles than those in which the largest of these fit well read more halos.
        """
        for around in outer.widths():
            part = self.setting.part_of(outer.parts(around))
            priced, fits = self._prices(part, outer.lead.dim, around)
            for price, size in priced:
                yield price, around, size
            if fits and len(priced) == 1:
                return

    def _prices(
        self, setting: Setting, dim: int, around: int
    ) -> tuple[list[tuple[Price, int]], bool]:
        """Price sizes inside tiles of `around` elements along a dim; tell if the last fits well.

        Of more ops the best tiles are smaller: those much above the best of fewer are left out.
        """
        extents = self.setting.program.tensors[self._result].shape
        last, limit = self.extent, self._limits.get((dim, around), self.extent)
        priced, fits = list[tuple[Price, int]](), False
        for size in (*self.sizes(), *self.small_sizes()):
            # Sizes that are close to each other cost about the same.
            if fits or size * CLOSE > last * (CLOSE - 1):
                continue
            last = size
            if size <= limit:
                tiles = Tiles(self, setting, size, ceil(self.extent / size))
                if price := tiles.price(ceil(extents[dim] / around)):
                    priced.append((price, size))
                    # Smaller ones read more halos.
                    fits = tiles.peak <= setting.usable
        best = min(priced, key=lambda pair: pair[0], default=(None, last))
        self._limits[dim, around] = best[1] * LARGER
        return priced, fits

    def sizes(self) -> list[int]:
        """List the sizes of the leading tiles, such that no tensor has tiles rounded up.

        Where an op reads at places between elements, and the ratios make these coarse, as of 33
        rows to 65, those of the leader alone.
        """
        if self.start not in self._sizes:
            self._sizes[self.start] = [*tile_sizes(self.extent, self._least)]
        return self._sizes[self.start]

    def small_sizes(self) -> Iterator[int]:
        """List smaller ones, each half of the one before."""
        size = min(self.sizes(), default=0)
        while (half := round_up(ceil(size / 2), self._least)) < size:
            yield half
            size = half

    @property
    def _least(self) -> int:
        op = self.setting.program.ops[self.end - 1]
        own = op.granule(self.lead.dim, self.setting.program.tensors[op.results[0]])
        common = lcm(own, self._granule)
        return own if self._is_between and common > COARSE * own else common

    def widths(self) -> Iterator[int]:
        """List sizes of stripes, each at most two thirds of the one before."""
        last = self.extent
        for size in (*self.sizes(), *self.small_sizes()):
            if 3 * size <= 2 * last:
                yield size
                last = size

    def tile(self, op: TilingOp, size: int) -> int:
        """Find the extent of a tile of an op for leading ones of this size.

        Whole granules are made, so that tiles of the op may be fewer than leading ones.
        """
        number = op.results[0]
        footprint, result = self.footprints[number], self.setting.program.tensors[number]
        return round_up(footprint.own(size), op.granule(footprint.dim, result))

    def parts(self, size: int) -> list[TilingTensor]:
        """Cut each tensor to what one tile reads or makes of it."""
        tensors = [*self.setting.program.tensors]
        for number, footprint in self.footprints.items():
            tensors[number] = tensors[number].resized(footprint.dim, footprint.window(size))
        return tensors

    @property
    def lead(self) -> Footprint:
        """The footprint of the leading result."""
        return self.footprints[self._result]

    @property
    def _result(self) -> int:
        return self.setting.program.ops[self.end - 1].results[0]

    @property
    def extent(self) -> int:
        """Of the leading result, along the dim that is cut."""
        return self.setting.program.tensors[self._result].shape[self.lead.dim]

    def cuts(self, size: int) -> dict[int, Cuts]:
        """Find the cut of each op that is tiled by itself, for a size of the leading tiles."""
        cuts: dict[int, Cuts] = {}
        for at in range(self.start, self.end):
            op = self.setting.program.ops[at]
            if not op.moves_only:
                cuts[at] = ((self.footprints[op.results[0]].dim, self.tile(op, size)),)
        return cuts


class Tiles:
    """A chain with `count` tiles of one size: the bytes in TCM while it runs, and those moved.

    `extents` are those of a tile of each result, along the dim that is cut. Ops whose tiles are
    rounded up make fewer of them: `spans` are the leading tiles that theirs would be in step with,
    and `asked` the largest of those of the readers of each tensor.
    """

    def __init__(self, chain: Chain, setting: Setting, size: int, count: int) -> None:
        self.setting, self.chain, self.count = setting, chain, count
        self.program = setting.program
        self.ops = self.program.ops[chain.start : chain.end]
        self.results = {op.results[0] for op in self.ops}
        self.read = {operand.tensor for op in self.ops for operand in op.operands}
        self.extents, self.spans, self.asked = dict[int, int](), dict[int, int](), dict[int, int]()
        for op in reversed(self.ops):
            number = op.results[0]
            footprint, span = chain.footprints[number], self.asked.get(number, size)
            extent = footprint.own(span) if op.moves_only else chain.tile(op, size)
            self.extents[number] = extent
            self.spans[number] = span if op.moves_only else footprint.span(extent)
            for operand in op.operands:
                asked = self.asked.get(operand.tensor, size)
                self.asked[operand.tensor] = max(asked, self.spans[number])

    def price(self, times: int) -> Price | None:
        """Price a number of runs of the chain; None where the tile of one op does not fit."""
        if self.need > self.setting.capacity:
            return None
        idle = self.setting.idle(self.chain.start, self.read)
        once, again = self.setting.overflow(self.peak - self.setting.usable, idle, self.count)
        calls = sum(ceil(self.chain.extent / span) for span in self.spans.values())
        return Price((self._moved() + again) * times + once, calls * times)

    @cached_property
    def peak(self) -> int:
        """The bytes in TCM: residents, what all tiles read, what stays between them, and one."""
        around = self.setting.occupied[self.chain.start] + sum(self.pinned().values())
        return around + sum(self.kept().values()) + self._local()

    def _tile(self, number: int) -> int:
        """The bytes that belong to one tile of a tensor."""
        footprint = self.chain.footprints[number]
        return self.program.tensors[number].part({footprint.dim: self.extents[number]})

    def _window(self, operand: TilingOperand, op: TilingOp) -> int:
        """The bytes that one tile of an op, or of its readers, reads of an operand."""
        tensor = operand.read_as(self.program.tensors[operand.tensor])
        if operand.tensor in self.chain.shared:
            return tensor.bytes
        footprint = self.chain.footprints[operand.tensor]
        return tensor.part({footprint.dim: footprint.window(self.spans[op.results[0]])})

    def _touched(self, number: int) -> int:
        """The tiles of a tensor that one tile of its reader touches."""
        asked = self.asked.get(number, self.spans[number])
        touched = self.chain.footprints[number].touched(asked, self.extents[number])
        return min(self.count, touched)

    @property
    def need(self) -> int:
        """The bytes that the largest tile takes with everything else out of TCM."""
        return max(map(self._need, self.ops))

    def _need(self, op: TilingOp) -> int:
        """The bytes that the tile of one op takes at once."""
        need = [self._tile(op.results[0])] if op.in_tcm or op.copies else []
        read = {(o.tensor, o.chunk): self._window(o, op) for o in op.operands if o.in_tcm}
        tensors = sum(round_up(size, CHUNK_BYTES) for size in [*need, *read.values()])
        return tensors + self._scratch(op)

    def _scratch(self, op: TilingOp) -> int:
        """The bytes that the kernel of one op takes beside its tile."""
        if op.scratch is None:
            return 0
        result = op.results[0]
        footprint = self.chain.footprints[result]
        extents = dict(enumerate(self.program.tensors[result].shape))
        return op.scratch_bytes({**extents, footprint.dim: self.extents[result]})

    def _enters(self, number: int) -> bool:
        """Tell whether a tensor comes from DDR."""
        return number not in self.results and number not in self.setting.resident

    def pinned(self) -> dict[tuple[int, Shape | None], int]:
        """Count the bytes of each tensor, and layout, that every tile reads whole.

        They are in TCM for the chain only.
        """
        return {
            (o.tensor, o.chunk): self._window(o, op)
            for op in self.ops
            for o in op.operands
            if o.in_tcm and o.tensor in self.chain.shared and self._enters(o.tensor)
        }

    def _moved(self) -> int:
        """The bytes between DDR and TCM while everything else fits."""
        moved = 0
        for number in filter(self._enters, self.read):
            tensor = self.program.tensors[number]
            moved += tensor.bytes * self._rounds(number)
            if number in self.chain.footprints and not tensor.constant:
                footprint = self.chain.footprints[number]
                line = tensor.bytes // max(1, tensor.shape[footprint.dim])
                moved += footprint.halo(ceil(self.chain.extent / self.asked[number]), line)
        for number in self.results:
            if self.setting.leaves(number, self.chain.end):
                moved += self.setting.written(number)
        return moved

    def _rounds(self, number: int) -> int:
        """The number of times that all of a tensor is read: by every tile if it is from DDR."""
        if number not in self.chain.shared:
            return 1
        uses = (o for op in self.ops for o in op.operands if o.tensor == number)
        return 1 if any(operand.in_tcm for operand in uses) else self.count

    def _stays(self, number: int) -> bool:
        """Tell whether all of a result stays in TCM for readers behind the chain."""
        return number in self.setting.resident and self.setting.leaves(number, self.chain.end)

    def kept(self) -> dict[int, int]:
        """Count the bytes of each result that stay from one tile to the next.

        They are halos, or all of what is read later.
        """
        return {
            number: self.program.tensors[number].bytes
            if self._stays(number)
            else (self._touched(number) - 1) * self._tile(number)
            for number in self.results
        }

    def _local(self) -> int:
        """The most bytes that one tile takes at a time, of tensors that are in step."""
        last = {operand.tensor: at for at, op in enumerate(self.ops) for operand in op.operands}
        alive, most = dict[int, int](), 0
        for at, op in enumerate(self.ops):
            joined = 0
            for operand in op.operands:
                if operand.tensor in self.chain.shared or not (operand.in_tcm or op.moves_only):
                    continue
                if operand.tensor in self.results:
                    # Tiles, or parts of them, are put together for a reader; so is a tile in
                    # another layout than its reader's, by its conversion.
                    if self._touched(operand.tensor) > 1 or operand.chunk is not None:
                        joined += self._window(operand, op)
                elif not op.moves_only:
                    alive[operand.tensor] = self._window(operand, op)
            number = op.results[0]
            if op.in_tcm or op.moves_only:
                tile = self._tile(number)
                if op.moves_only:
                    tile = self._window(TilingOperand(number), op)
                alive[number] = 0 if self._stays(number) else tile
            most = max(most, sum(alive.values()) + joined + self._scratch(op))
            for number in [n for n in alive if last.get(n, at) <= at]:
                del alive[number]
        return most

"""Loop tiling of one op: whole, or in tiles along one dim or two, and in parts of a sum.

All tile sizes along each dim, and all pairs of dims, are priced by the bytes that they move. An
operand that does not follow the innermost cuts stays while these go round; one that does not
follow an outer cut is read again in each round of it, unless all of it fits.

Cost: at most 64 sizes per dim, so 64 x 64 per ordered pair of dims; each price looks at every
operand once.

Example: a product of 1024x1024 matrices in f32, 4 MB each, and a TCM of 2 MB. Row tiles alone do
not fit: the right operand follows no cut and takes 4 MB. In tiles of rows, then columns, the left
rows stay while the columns go round: left is read once, right once per row tile.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations, product
from math import ceil, prod
from typing import NamedTuple

from ....dialects.value import round_up
from .memory import Price, Setting
from .program import SUMMED, Cuts, TileProgram, TilingOperand, tile_sizes

Option = tuple[Price, Cuts]
SMALLEST = 3
"""Sizes of tiles that are tried along each of three dims."""


def least_need(program: TileProgram) -> int:
    """Count the bytes of TCM that the smallest tile of a program's first op needs.

    Its result, where that is in chunks, is there without padding, too, before it leaves.
    """
    single = Single(Setting(program, 0, 0, 0), 0)
    sizes = ((dim, min(single.sizes(dim), default=0)) for dim in single.op.cuts)
    cuts = tuple((dim, size) for dim, size in sizes if size)
    results = [program.tensors[number] for number in single.op.results]
    flat = [replace(tensor, chunk=(1,) * len(tensor.shape)) for tensor in results]
    both = (tensor.tcm_part(dict(cuts)) for tensor in (*results, *flat) if flat != results)
    return max(single.need(cuts), sum(both))


class _OperandRead(NamedTuple):
    """One way to read an operand: the bytes that it moves, and those in TCM at once."""

    moved: int
    inside: int


class Single:
    """An op of a program on its own, with the prices of its tiles."""

    def __init__(self, setting: Setting, at: int) -> None:
        self.setting, self.at = setting, at
        self.op, self.tensors = setting.program.ops[at], setting.program.tensors

    def price(self, cuts: Cuts) -> Price | None:
        """Price the tiles, nested in the order of the cuts; None where a tile does not fit."""
        setting, op, sizes = self.setting, self.op, dict(cuts)
        beside = self._beside(sizes)
        if self._windows(sizes) + beside > setting.capacity:
            return None
        tile = {dim: size for dim, size in cuts if dim != SUMMED}
        # Results in TCM are whole where they stay there.
        inside = setting.occupied[self.at] + beside
        for number in op.results if op.in_tcm else ():
            tensor = self.tensors[number]
            inside += tensor.bytes if number in setting.resident else tensor.part(tile)
        moved = sum(map(setting.written, op.results))
        # Each operand is read the cheapest way that the bytes left allow.
        reads = {operand.tensor: [*self._reads(operand, cuts)] for operand in op.operands}
        least = [min(options, key=lambda read: read.inside) for options in reads.values()]
        inside += sum(read.inside for read in least)
        for options, small in zip(reads.values(), least, strict=True):
            spare = max(0, setting.capacity - inside)
            best = min(read for read in options if read.inside - small.inside <= spare)
            inside += best.inside - small.inside
            moved += best.moved
        count = prod(self.counts(cuts))
        calls = count * 2 if SUMMED in sizes else count
        idle = setting.idle(self.at, reads)
        return Price(moved + sum(setting.overflow(inside - setting.capacity, idle, count)), calls)

    def need(self, cuts: Cuts) -> int:
        """Count the bytes that one tile takes with everything else out of TCM."""
        return self._windows(dict(cuts)) + self._beside(dict(cuts))

    def _windows(self, sizes: Mapping[int, int]) -> int:
        """Count the bytes of the tensors of one tile."""
        op = self.op
        tile = {dim: size for dim, size in sizes.items() if dim != SUMMED}
        windows = {
            (operand.tensor, operand.chunk): operand.read_as(self.tensors[operand.tensor]).tcm_part(
                operand.window(sizes)
            )
            for operand in op.operands
            if operand.in_tcm
        }
        results = (self.tensors[number] for number in op.results)
        own = sum(result.tcm_part(tile) for result in results) if op.in_tcm else 0
        return own + sum(windows.values())

    def _beside(self, sizes: Mapping[int, int]) -> int:
        """Count the bytes of scratch, and of the sum so far and the one that is added to it."""
        tile = {dim: size for dim, size in sizes.items() if dim != SUMMED}
        results = (self.tensors[number] for number in self.op.results)
        sums = sum(2 * result.tcm_part(tile) for result in results) if SUMMED in sizes else 0
        return sums + self.op.scratch_bytes(sizes)

    def counts(self, cuts: Cuts) -> list[int]:
        """The tiles along each cut."""
        extents = (*self.tensors[self.op.results[0]].shape, self.op.summed) if cuts else ()
        return [ceil(extents[dim] / size) for dim, size in cuts]

    def _reads(self, operand: TilingOperand, cuts: Cuts) -> Iterator[_OperandRead]:
        """The ways to read an operand: tile by tile, or kept while the inner tiles go round.

        Tensors that stay in TCM anyway cost nothing.
        """
        tensor = self.tensors[operand.tensor]
        converted = operand.read_as(tensor)
        tile = converted.part(operand.window(dict(cuts)))
        if operand.tensor in self.setting.resident:
            yield _OperandRead(0, 0 if operand.chunk is None else tile)
            return
        counts = self.counts(cuts)
        maps = [operand.maps.get(dim) for dim, _ in cuts]
        # All of it, and the halos, which two tiles read.
        once = tensor.bytes
        for access, count in zip(maps, counts, strict=True):
            if access is not None:
                line = tensor.bytes // max(1, tensor.shape[access.dim])
                once += access.footprint.halo(count, line)
        if not operand.in_tcm:
            # Read from DDR by every tile; a tile that is no run of bytes is gathered there first.
            again = prod(count for count, access in zip(counts, maps, strict=True) if not access)
            scatters = any(tensor.scatters(access.dim) for access in maps if access)
            gathered = 2 * tensor.bytes if scatters and not tensor.constant else 0
            yield _OperandRead(once * again + gathered, 0)
            return
        last = max((at for at, access in enumerate(maps) if access), default=0)
        outside = zip(counts[:last], maps[:last], strict=True)
        again = prod(count for count, access in outside if not access)
        yield _OperandRead(once * again, tile)
        if again > 1:
            yield _OperandRead(tensor.bytes, converted.bytes)

    def best_cuts(self) -> list[Option]:
        """List the cheapest cuts of each nest of dims, and of those in half as much of the TCM.

        The cheapest of all are the first. Empty where no tile fits. Two dims are tried where one
        does not come down to reading and writing everything once, then parts of what the op sums
        over.
        """
        touched = {operand.tensor for operand in self.op.operands} | set(self.op.results)
        least = sum(self.tensors[number].bytes for number in touched - self.setting.resident)
        options: list[Option] = []
        stages: tuple[Callable[[], Iterator[Option]], ...]
        stages = (self.ways, self._along_two, self._in_parts)
        for stage in stages:
            if any(price.bytes == least for price, _ in options):
                break
            options += stage()
        if not options:
            options += self._along_three()
        options.sort(key=lambda option: option[0])
        nests: dict[tuple[int, ...], Option] = {}
        for price, cuts in options:
            nests.setdefault(tuple(dim for dim, _ in cuts), (price, cuts))
        best = [*nests.values()]
        half = self.need(best[0][1]) // 2 if best else 0
        return best + [option for option in options if self.need(option[1]) <= half][:1]

    def ways(self) -> Iterator[Option]:
        """Price the op whole, and every size of tiles along one dim."""
        if price := self.price(()):
            yield price, ()
        yield from self._along_one()

    def _along_one(self, parts: Cuts = ()) -> Iterator[Option]:
        for dim in self.op.cuts:
            for size in self.sizes(dim):
                cuts = ((dim, size), *parts)
                if price := self.price(cuts):
                    yield price, cuts

    def _along_two(self, parts: Cuts = ()) -> Iterator[Option]:
        """Inner tiles shrink while that makes the whole cheaper."""
        for outer, inner in permutations(self.op.cuts, 2):
            for around in self.sizes(outer):
                last: Price | None = None
                for size in self.sizes(inner):
                    cuts = ((outer, around), (inner, size), *parts)
                    price = self.price(cuts)
                    if price and last and price > last:
                        break
                    if price:
                        yield price, cuts
                        last = price

    def _along_three(self) -> Iterator[Option]:
        """Small tiles along three dims, where larger ones do not fit."""
        shape = self.tensors[self.op.results[0]].shape
        dims = (dim for dim in self.op.cuts if shape[dim] > 1)
        for nest in permutations(dims, 3):
            for sizes in product(*([*self.sizes(dim)][-SMALLEST:] for dim in nest)):
                cuts = (*zip(nest, sizes, strict=True),)
                if price := self.price(cuts):
                    yield price, cuts

    def _in_parts(self) -> Iterator[Option]:
        """Parts of what the op sums over are halved while that makes the whole cheaper."""
        last: Price | None = None
        extent = self.op.summed
        if not extent:
            return
        granule = self.op.part_granule(self.tensors)
        size = round_up(ceil(extent / 2), granule)
        while size < extent:
            parts = ((SUMMED, size),)
            price = self.price(parts)
            options: list[Option] = [] if price is None else [(price, parts)]
            options += [*self._along_one(parts), *self._along_two(parts)]
            best = min(options, key=lambda option: option[0], default=None)
            if best and last and not best[0] < last:
                return
            if best:
                yield best
                last = best[0]
            size, extent = round_up(ceil(size / 2), granule), size

    def sizes(self, dim: int) -> Iterator[int]:
        """List the sizes of tiles along a dim: whole granules, and whole elements of operands."""
        result = self.tensors[self.op.results[0]]
        return tile_sizes(result.shape[dim], self.op.granule(dim, result))

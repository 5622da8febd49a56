"""One op: whole, or in tiles along one dim or two, each read with the least traffic."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from math import ceil, prod

from ....dialects.value.layout import round_up
from .memory import Price, Setting, chunk_sizes
from .program import SUMMED, Cuts, Operand, Tensor


@dataclass(frozen=True)
class _Read:
    """An operand's traffic and what of it lies in TCM at once."""

    moved: int
    held: int


def whole(setting: Setting, at: int) -> Price | None:
    """One op as it is; None where its tensors do not fit."""
    return tiled(setting, at, ())


def tiled(setting: Setting, at: int, cuts: Cuts) -> Price | None:
    """One op in tiles, nested in the order of the cuts; None where a tile does not fit."""
    if not _fits(setting, at, cuts):
        return None
    op, sizes, tile = setting.program.ops[at], dict(cuts), _tile(cuts)
    result = sum(_result(setting, number, tile) for number in op.results) if op.held else 0
    result += sum(_partial_sums(setting, number, cuts) for number in op.results)
    reads = {held.tensor: [*_reads(setting, held, at, cuts)] for held in op.operands}
    held = setting.occupied[at] + result
    least = [min(options, key=lambda read: read.held) for options in reads.values()]
    held += sum(read.held for read in least)
    moved = sum(setting.written(number, tile) for number in op.results)
    for options, small in zip(reads.values(), least, strict=True):
        spare = max(0, setting.usable - held)
        best = min((r for r in options if r.held - small.held <= spare), key=_traffic)
        held += best.held - small.held
        moved += best.moved
    count = prod(_counts(setting, at, cuts))
    calls = count * 2 if SUMMED in sizes else count
    return Price(moved + sum(setting.overflow(held, setting.idle(at, reads), count)), calls)


def _tile(cuts: Cuts) -> dict[int, int]:
    """The sizes of a tile of the result."""
    return {dim: size for dim, size in cuts if dim != SUMMED}


def _partial_sums(setting: Setting, number: int, cuts: Cuts) -> int:
    """What lies in TCM beside a tile that is a sum of sums: the one before, and what is added."""
    summed = any(dim == SUMMED for dim, _ in cuts)
    return 2 * setting.program.tensors[number].taken(_tile(cuts)) if summed else 0


def _traffic(read: _Read) -> tuple[int, int]:
    return read.moved, read.held


def _counts(setting: Setting, at: int, cuts: Cuts) -> list[int]:
    """The tiles along each cut."""
    if not cuts:
        return []
    op = setting.program.ops[at]
    extents = (*setting.program.tensors[op.results[0]].shape, op.summed)
    return [ceil(extents[dim] / chunk) for dim, chunk in cuts]


def _result(setting: Setting, number: int, sizes: Mapping[int, int]) -> int:
    """The bytes of a result that lie in TCM: all that stays there, or a tile."""
    tensor = setting.program.tensors[number]
    return tensor.bytes if number in setting.resident else tensor.part(sizes)


def _windows(held: Operand, sizes: Mapping[int, int]) -> dict[int, int]:
    return {
        reach.dim: reach.window(size)
        for dim, size in sizes.items()
        if (reach := held.reaches.get(dim))
    }


def _fits(setting: Setting, at: int, cuts: Cuts) -> bool:
    """Whether the tensors of one tile fit, were everything else out of TCM."""
    op, tensors, sizes = setting.program.ops[at], setting.program.tensors, dict(cuts)
    need = sum(tensors[number].taken(_tile(cuts)) for number in op.results) if op.held else 0
    need += sum(_partial_sums(setting, number, cuts) for number in op.results)
    read = {
        (held.tensor, held.chunk): held.read_as(tensors[held.tensor]).taken(_windows(held, sizes))
        for held in op.operands
        if held.held
    }
    return need + sum(read.values()) <= setting.capacity


def _reads(setting: Setting, held: Operand, at: int, cuts: Cuts) -> Iterator[_Read]:
    """The ways to read an operand: tile by tile, or kept while the inner tiles go round.

    What lies in TCM anyhow costs nothing.
    """
    tensor = setting.program.tensors[held.tensor]
    mine = held.read_as(tensor)
    tile = mine.part(_windows(held, dict(cuts)))
    if held.tensor in setting.resident:
        yield _Read(0, 0 if held.chunk is None else tile)
        return
    counts = _counts(setting, at, cuts)
    follows = [dim in held.reaches for dim, _ in cuts]
    once = tensor.bytes + _overlap(tensor, held, cuts, counts)
    if not held.held:
        rest = prod(count for count, own in zip(counts, follows, strict=True) if not own)
        yield _Read(once * rest + _gathered(tensor, held, cuts), 0)
        return
    last = max((at for at, own in enumerate(follows) if own), default=-1)
    outside = zip(counts[:last], follows[:last], strict=True) if last >= 0 else ()
    again = prod(count for count, own in outside if not own)
    yield _Read(once * again, tile)
    if again > 1:
        yield _Read(tensor.bytes, mine.bytes)


def _gathered(tensor: Tensor, held: Operand, cuts: Cuts) -> int:
    """The bytes of copies in main memory that make a run of bytes of what a tile reads there."""
    dims = [held.reaches[dim].dim for dim, _ in cuts if dim in held.reaches]
    return 0 if tensor.constant or not any(map(tensor.scatters, dims)) else 2 * tensor.bytes


def _overlap(tensor: Tensor, held: Operand, cuts: Cuts, counts: list[int]) -> int:
    """The bytes of halos, which two tiles read."""
    found = 0
    for (dim, _), count in zip(cuts, counts, strict=True):
        reach = held.reaches.get(dim)
        if reach is not None:
            found += reach.halo(count, tensor.bytes // max(1, tensor.shape[reach.dim]))
    return found


def likeness(setting: Setting, at: int) -> Hashable:
    """All that the price of an op depends on: models repeat their layers."""
    op = setting.program.ops[at]

    def tensor(number: int) -> Hashable:
        return setting.program.tensors[number], number in setting.resident

    read = [held.tensor for held in op.operands]
    operands = (
        (tensor(held.tensor), read.index(held.tensor), held.held, held.chunk, *held.reaches.items())
        for held in op.operands
    )
    beside = setting.occupied[at], setting.idle(at, set(read))
    return (op.cuts, op.summed, op.held, (*map(tensor, op.results),), (*operands,), beside)


def best_cuts(setting: Setting, at: int) -> tuple[Price, Cuts] | None:
    """The cheapest way to run one op on its own; None where no tile of it fits.

    Fewer bytes are better, then fewer kernel calls. Two dims are tried where one does not come
    down to reading and writing everything once, then parts of what the op sums over.
    """
    price = whole(setting, at)
    found: list[tuple[Price, Cuts]] = [] if price is None else [(price, ())]
    least = _unavoidable(setting, at)
    for options in (_along_one, _along_two, _in_parts):
        if any(price.bytes == least for price, _ in found):
            break
        found += options(setting, at)
    return min(found, key=lambda option: option[0], default=None)


def _unavoidable(setting: Setting, at: int) -> int:
    op, tensors = setting.program.ops[at], setting.program.tensors
    touched = {held.tensor for held in op.operands} | set(op.results)
    return sum(tensors[number].bytes for number in touched - setting.resident)


def _in_parts(setting: Setting, at: int) -> Iterator[tuple[Price, Cuts]]:
    """Parts of what the op sums over are halved while that makes the whole cheaper."""
    last: Price | None = None
    for size in _halves(setting.program.ops[at].summed):
        parts = ((SUMMED, size),)
        price = tiled(setting, at, parts)
        found: list[tuple[Price, Cuts]] = [] if price is None else [(price, parts)]
        found += [*_along_one(setting, at, parts), *_along_two(setting, at, parts)]
        best = min(found, key=lambda option: option[0], default=None)
        if best and last and not best[0] < last:
            return
        if best:
            yield best
            last = best[0]


def _halves(extent: int) -> Iterator[int]:
    size = round_up(ceil(extent / 2), _DEPTH)
    while size < extent:
        yield size
        size, extent = round_up(ceil(size / 2), _DEPTH), size


def _along_one(setting: Setting, at: int, parts: Cuts = ()) -> Iterator[tuple[Price, Cuts]]:
    for dim in setting.program.ops[at].cuts:
        for chunk in _chunks(setting, at, dim):
            cuts = ((dim, chunk), *parts)
            if price := tiled(setting, at, cuts):
                yield price, cuts


def _along_two(setting: Setting, at: int, parts: Cuts = ()) -> Iterator[tuple[Price, Cuts]]:
    """Inner tiles shrink while that makes the whole cheaper."""
    for outer, inner in permutations(setting.program.ops[at].cuts, 2):
        for chunk in _chunks(setting, at, outer):
            last: Price | None = None
            for size in _chunks(setting, at, inner):
                cuts = ((outer, chunk), (inner, size), *parts)
                price = tiled(setting, at, cuts)
                if price and last and price > last:
                    break
                if price:
                    yield price, cuts
                    last = price


def _chunks(setting: Setting, at: int, dim: int) -> Iterator[int]:
    result = setting.program.tensors[setting.program.ops[at].results[0]]
    return chunk_sizes(result.shape[dim], granule(result, dim))


def granule(tensor: Tensor, dim: int) -> int:
    """A cut lands on a multiple of this: of a chunk, or of the elements of a line of cache."""
    return max(tensor.chunk[dim], _DEPTH if dim == len(tensor.shape) - 1 else 1)


_DEPTH = 32
"""Elements of the depth that every layout keeps together."""

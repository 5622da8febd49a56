"""One op: whole, or in tiles along one dim or two, each read with the least traffic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from math import ceil, prod

from .memory import Price, Setting, chunk_sizes
from .program import Operand, Tensor

Cuts = tuple[tuple[int, int], ...]
"""(dim, chunk) pairs, the outermost first."""


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
    op, sizes = setting.program.ops[at], dict(cuts)
    result = sum(_result(setting, number, sizes) for number in op.results) if op.held else 0
    reads = {held.tensor: [*_reads(setting, held, at, cuts)] for held in op.operands}
    if not _fits(setting, at, sizes):
        return None
    held = setting.occupied[at] + result
    least = [min(options, key=lambda read: read.held) for options in reads.values()]
    held += sum(read.held for read in least)
    moved = sum(setting.written(number, sizes) for number in op.results)
    for options, small in zip(reads.values(), least, strict=True):
        spare = max(0, setting.usable - held)
        best = min((r for r in options if r.held - small.held <= spare), key=_traffic)
        held += best.held - small.held
        moved += best.moved
    count = prod(_counts(setting, at, cuts))
    return Price(moved + sum(setting.overflow(held, setting.idle(at, reads), count)), count)


def _traffic(read: _Read) -> tuple[int, int]:
    return read.moved, read.held


def _counts(setting: Setting, at: int, cuts: Cuts) -> list[int]:
    """The tiles along each cut."""
    if not cuts:
        return []
    shape = setting.program.tensors[setting.program.ops[at].results[0]].shape
    return [ceil(shape[dim] / chunk) for dim, chunk in cuts]


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


def _fits(setting: Setting, at: int, sizes: Mapping[int, int]) -> bool:
    """Whether the tensors of one tile fit, were everything else out of TCM."""
    op, tensors = setting.program.ops[at], setting.program.tensors
    need = sum(tensors[number].taken(sizes) for number in op.results) if op.held else 0
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
        yield _Read(once * rest, 0)
        return
    last = max((at for at, own in enumerate(follows) if own), default=-1)
    outside = zip(counts[:last], follows[:last], strict=True) if last >= 0 else ()
    again = prod(count for count, own in outside if not own)
    yield _Read(once * again, tile)
    if again > 1:
        yield _Read(tensor.bytes, mine.bytes)


def _overlap(tensor: Tensor, held: Operand, cuts: Cuts, counts: list[int]) -> int:
    """The bytes of halos, which two tiles read."""
    found = 0
    for (dim, _), count in zip(cuts, counts, strict=True):
        reach = held.reaches.get(dim)
        if reach is not None and reach.taps > reach.stride:
            line = tensor.bytes // max(1, tensor.shape[reach.dim])
            found += ceil((count - 1) * (reach.taps - reach.stride) * line)
    return found


def best_cuts(setting: Setting, at: int) -> tuple[Price, Cuts] | None:
    """The cheapest way to run one op on its own; None where no tile of it fits.

    Fewer bytes are better, then fewer kernel calls. Two dims are tried where one does not come
    down to reading and writing everything once.
    """
    price = whole(setting, at)
    found: list[tuple[Price, Cuts]] = [] if price is None else [(price, ())]
    least = _unavoidable(setting, at)
    for options in (_along_one, _along_two):
        if any(price.bytes == least for price, _ in found):
            break
        found += options(setting, at)
    return min(found, key=lambda option: option[0], default=None)


def _unavoidable(setting: Setting, at: int) -> int:
    op, tensors = setting.program.ops[at], setting.program.tensors
    touched = {held.tensor for held in op.operands} | set(op.results)
    return sum(tensors[number].bytes for number in touched - setting.resident)


def _along_one(setting: Setting, at: int) -> Iterator[tuple[Price, Cuts]]:
    for dim in setting.program.ops[at].cuts:
        for chunk in _chunks(setting, at, dim):
            cuts = ((dim, chunk),)
            if price := tiled(setting, at, cuts):
                yield price, cuts


def _along_two(setting: Setting, at: int) -> Iterator[tuple[Price, Cuts]]:
    """Inner tiles shrink while that makes the whole cheaper."""
    for outer, inner in permutations(setting.program.ops[at].cuts, 2):
        for chunk in _chunks(setting, at, outer):
            last: Price | None = None
            for size in _chunks(setting, at, inner):
                cuts = ((outer, chunk), (inner, size))
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

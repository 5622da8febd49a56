"""Several ops tile by tile, depth first: what lies between them never leaves TCM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm

from ....dialects.value.layout import CHUNK_BYTES, round_up
from .memory import Price, Setting, chunk_sizes
from .program import Cuts, Operand, Reach, Tensor, TileOp
from .single import granule


@dataclass(frozen=True)
class Track:
    """How a tensor is cut: its dim, the elements that go with one of the leading result.

    A tile reads `before` more in front of its own elements and `after` more behind them.
    """

    dim: int
    step: Fraction
    before: Fraction = Fraction(0)
    after: Fraction = Fraction(0)

    def joined(self, other: Track) -> Track:
        """What reaches as far as both."""
        return replace(
            self, before=max(self.before, other.before), after=max(self.after, other.after)
        )

    @cached_property
    def _fine(self) -> tuple[int, int, int, int]:
        """Step, before and after in equal parts of an element, and how many parts that has."""
        lengths = self.step, self.before, self.after
        parts = lcm(*(length.denominator for length in lengths))
        step, before, after = (int(length * parts) for length in lengths)
        return step, before, after, parts

    def own(self, chunk: int) -> int:
        """The elements that go with a tile, for a size of the leading tiles."""
        step, _, _, parts = self._fine
        return chunk * step // parts

    def window(self, chunk: int) -> int:
        """The elements that a tile reads."""
        step, before, after, parts = self._fine
        return max(1, -(-(chunk * step + before + after) // parts))

    def touched(self, chunk: int) -> int:
        """The tiles that hold these elements."""
        step, before, after, _ = self._fine
        return 1 + sum(-(-side // (chunk * step)) for side in (before, after) if side > 0)


@dataclass
class Chain:
    """The ops `start` to `end` (not included), all cut in step with the result of the last one.

    Grows from its last op backwards. Tensors that every tile reads whole are `shared`.
    """

    setting: Setting
    end: int
    start: int
    tracks: dict[int, Track]
    shared: set[int] = field(default_factory=set)

    @staticmethod
    def begin(setting: Setting, last: int, dim: int) -> Chain | None:
        """The chain of one op, along a dim of its result."""
        op = setting.program.ops[last]
        chain = Chain(setting, last + 1, last + 1, {op.results[0]: Track(dim, Fraction(1))})
        return chain if chain.prepend() else None

    def prepend(self) -> bool:
        """Take the op in front of the chain; False where it cannot go in step."""
        op = self.setting.program.ops[self.start - 1]
        track = self.tracks.get(op.results[0]) if len(op.results) == 1 else None
        if track is None or track.dim not in op.cuts:
            return False
        if op.results[0] in self.shared:
            return False
        if not all(self._reads(op, held, track) for held in op.operands):
            return False
        self.start -= 1
        return True

    def _reads(self, op: TileOp, held: Operand, track: Track) -> bool:
        """Note how the tiles of an op read an operand; False where two readers disagree."""
        reach = held.reaches.get(track.dim)
        if reach is None:
            self.shared.add(held.tensor)
            return True
        seen = _read_by(op, reach, track)
        known = self.tracks.setdefault(held.tensor, seen)
        self.tracks[held.tensor] = known.joined(seen)
        return (known.dim, known.step) == (seen.dim, seen.step)

    def options(self) -> Iterator[tuple[Price, int]]:
        """The price of each size of the leading tiles that fits, from the largest on."""
        for costs, chunk in self._costs(self.setting):
            yield costs.times(1), chunk

    def nested(self, outer: Chain) -> Iterator[tuple[Price, int, int]]:
        """The same inside tiles of another chain of the same ops, with the outer tiles' size."""
        for chunk in outer.sizes():
            part = replace(outer.setting.program, tensors=outer.parts(chunk))
            within = self.setting.part(part)
            for costs, inner in self._costs(within):
                yield costs.times(ceil(outer.extent / chunk)), chunk, inner

    def sizes(self) -> Iterator[int]:
        """The sizes of the leading tiles."""
        return chunk_sizes(self.extent, self._granule())

    def parts(self, chunk: int) -> list[Tensor]:
        """What one tile reads or makes of each tensor."""
        return [
            tensor.resized(track.dim, track.window(chunk))
            if (track := self.tracks.get(number))
            else tensor
            for number, tensor in enumerate(self.setting.program.tensors)
        ]

    @property
    def extent(self) -> int:
        """Of the leading result, along the dim that is cut."""
        lead = self.setting.program.ops[self.end - 1].results[0]
        return self.setting.program.tensors[lead].shape[self.tracks[lead].dim]

    def _costs(self, setting: Setting) -> Iterator[tuple[_Costs, int]]:
        for chunk in self.sizes():
            if costs := _Run(self, setting, chunk, ceil(self.extent / chunk)).costs():
                yield costs, chunk

    def _granule(self) -> int:
        found = 1
        for number, track in self.tracks.items():
            wanted = granule(self.setting.program.tensors[number], track.dim)
            found = lcm(found, (wanted / track.step).numerator)
        return found

    def cuts(self, chunk: int) -> dict[int, Cuts]:
        """The cut of each op that is tiled by itself, for a size of the leading tiles."""
        found: dict[int, Cuts] = {}
        for at in range(self.start, self.end):
            op = self.setting.program.ops[at]
            if not op.passes:
                track = self.tracks[op.results[0]]
                found[at] = ((track.dim, track.own(chunk)),)
        return found


def _read_by(op: TileOp, reach: Reach, track: Track) -> Track:
    """The track of an operand; what only moves elements passes on what its readers ask of it."""
    before, after = (track.before, track.after) if op.passes else (Fraction(0), Fraction(0))
    return Track(
        reach.dim,
        track.step * reach.stride,
        before * reach.stride + reach.shift,
        after * reach.stride + reach.taps - reach.stride - reach.shift,
    )


@dataclass(frozen=True)
class _Costs:
    """What a chain moves each time it runs and once for all times, and its kernel calls."""

    each: int
    once: int
    calls: int

    def times(self, count: int) -> Price:
        """Of so many runs."""
        return Price(self.each * count + self.once, self.calls * count)


class _Run:
    """A chain with tiles of one size: what is in TCM while it runs, and what moves."""

    def __init__(self, chain: Chain, setting: Setting, chunk: int, count: int) -> None:
        self.setting, self.chain, self.chunk, self.count = setting, chain, chunk, count
        self.program = setting.program
        self.ops = self.program.ops[chain.start : chain.end]
        self.made = {op.results[0] for op in self.ops}

    def costs(self) -> _Costs | None:
        """None where the tile of one op does not fit."""
        if any(self._need(op) > self.setting.capacity for op in self.ops):
            return None
        shared = self._shared_bytes()
        peak = self.setting.occupied[self.chain.start] + shared + self._kept() + self._local()
        read = {held.tensor for op in self.ops for held in op.operands}
        idle = self.setting.idle(self.chain.start, read)
        once, again = self.setting.overflow(peak, idle, self.count)
        return _Costs(self._moved() + again, once, self.count * len(self.ops))

    def _tile(self, number: int) -> int:
        """The bytes of what one tile makes of a tensor."""
        track = self.chain.tracks[number]
        return self.program.tensors[number].part({track.dim: track.own(self.chunk)})

    def _window(self, held: Operand) -> int:
        """The bytes of what one tile reads of an operand."""
        tensor = held.read_as(self.program.tensors[held.tensor])
        if held.tensor in self.chain.shared:
            return tensor.bytes
        track = self.chain.tracks[held.tensor]
        return tensor.part({track.dim: track.window(self.chunk)})

    def _need(self, op: TileOp) -> int:
        """What the tile of one op holds at once."""
        need = [self._tile(op.results[0])] if op.held or op.passes else []
        read = {(h.tensor, h.chunk): self._window(h) for h in op.operands if h.held}
        return sum(round_up(size, CHUNK_BYTES) for size in [*need, *read.values()])

    def _moves(self, number: int) -> bool:
        return number not in self.made and number not in self.setting.resident

    def _shared_bytes(self) -> int:
        """What every tile reads whole and that lies in TCM for the chain only."""
        held = {
            (o.tensor, o.chunk): self._window(o)
            for op in self.ops
            for o in op.operands
            if o.held and o.tensor in self.chain.shared and self._moves(o.tensor)
        }
        return sum(held.values())

    def _moved(self) -> int:
        """What goes between main memory and TCM while everything else fits."""
        tensors, found = self.program.tensors, 0
        for number in {held.tensor for op in self.ops for held in op.operands}:
            if self._moves(number):
                found += tensors[number].bytes * self._rounds(number)
                if number in self.chain.tracks and not tensors[number].constant:
                    track = self.chain.tracks[number]
                    line = tensors[number].bytes // max(1, tensors[number].shape[track.dim])
                    halo = track.before + track.after
                    found += ceil((self.count - 1) * halo * line) if halo > 0 else 0
        leaving = (n for n in self.made if self.setting.leaves(n, self.chain.end))
        return found + sum(self.setting.written(n, [self.chain.tracks[n].dim]) for n in leaving)

    def _rounds(self, number: int) -> int:
        """How often all of a tensor is read: by every tile if it is read from main memory."""
        if number not in self.chain.shared:
            return 1
        held = any(o.held for op in self.ops for o in op.operands if o.tensor == number)
        return 1 if held else self.count

    def _kept(self) -> int:
        """What stays from one tile to the next: results that are read later on, and halos."""
        found = 0
        for number in self.made:
            if number in self.setting.resident and self.setting.leaves(number, self.chain.end):
                found += self.program.tensors[number].bytes
            else:
                found += (self._touched(number) - 1) * self._tile(number)
        return found

    def _touched(self, number: int) -> int:
        """The tiles of a tensor that one tile of its reader touches."""
        return min(self.count, self.chain.tracks[number].touched(self.chunk))

    def _local(self) -> int:
        """The most that one tile holds at a time, of tensors that are in step."""
        last = {held.tensor: at for at, op in enumerate(self.ops) for held in op.operands}
        alive, most = dict[int, int](), 0
        for at, op in enumerate(self.ops):
            joined = 0
            for held in op.operands:
                if held.tensor in self.chain.shared or not (held.held or op.passes):
                    continue
                if held.tensor in self.made:
                    joined += self._joined(held)
                elif not op.passes:
                    alive[held.tensor] = self._window(held)
            if op.held or op.passes:
                alive[op.results[0]] = self._result(op)
            most = max(most, sum(alive.values()) + joined)
            for number in [n for n in alive if last.get(n, at) <= at]:
                del alive[number]
        return most

    def _joined(self, held: Operand) -> int:
        """What several tiles, or parts of them, take once they are put together for a reader.

        A tile in another layout than its reader's is converted, which is put together too.
        """
        together = self._touched(held.tensor) > 1 or held.chunk is not None
        return self._window(held) if together else 0

    def _result(self, op: TileOp) -> int:
        """A tile of a result; 0 where all of it is counted as kept."""
        number = op.results[0]
        if number in self.setting.resident and self.setting.leaves(number, self.chain.end):
            return 0
        return self._window(Operand(number)) if op.passes else self._tile(number)

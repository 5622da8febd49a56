"""Tiling of a whole program by dynamic programming over segments.

Ops in order fall into segments: one op, or a chain of ops in step. The price of a segment does not
depend on the others, because the size of a value alone says whether it stays in TCM between two of
them. So the cheapest cover of the first n ops is the cheapest of: a segment that ends there, after
the cheapest cover of the ops before it.

Cost: a price for each op, and for each chain of up to 24 ops that ends at each op, along each dim.

Example: ops 0, 1, 2 cost 8 each alone; the chain 0-1 costs 10, 1-2 costs 9, 0-2 does not fit. The
cheapest covers cost 8, 10, and min(10 + 8, 8 + 9) = 17: op 0, then the chain 1-2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TypeVar

from .chain import Chain
from .memories import Memories
from .memory import Price, Setting
from .program import SUMMED, Cuts, TileProgram
from .single import Option, Single
from .tilings import Windows, tilings_of, windows_of

_Sized = TypeVar("_Sized", tuple[Price, int], tuple[Price, int, int])
LONGEST = 24
"""Ops of a chain."""
SIZES = 2
"""Sizes of tiles of a chain that are proposed, the cheapest ones."""


@dataclass(frozen=True)
class Segment:
    """Ops from `start` to before `end`, the cuts of each, and their price.

    `drains`: what is read behind it alone, and does not stay in TCM, leaves as it is made.
    """

    start: int
    end: int
    price: Price
    cuts: Mapping[int, Cuts] = field(default_factory=dict[int, Cuts])
    drains: bool = True

    def moved(self, far: int) -> Segment:
        """Return the same of the ops that come `far` ops later."""
        cuts = {at + far: own for at, own in self.cuts.items()}
        return replace(self, start=self.start + far, end=self.end + far, cuts=cuts)

    def weighing(self, moved: int) -> Segment:
        """Return the same at a price of some bytes."""
        return replace(self, price=replace(self.price, bytes=moved))


@dataclass(frozen=True)
class TilingPlan:
    """The segments that cover a program.

    An op that no tile size makes fit is a segment of its own without cuts. The price of a segment
    is an estimate, or what its steps moved in a replay. `cut_short`: a limit ended the search.
    """

    segments: tuple[Segment, ...]
    setting: Setting = field(compare=False, repr=False)
    cut_short: bool = False

    @property
    def leaders(self) -> list[int]:
        """The last op of each segment, in order: the others run as it needs them."""
        return [segment.end - 1 for segment in self.segments]

    @property
    def price(self) -> Price:
        """Of all segments."""
        return sum((segment.price for segment in self.segments), Price())

    @property
    def cuts(self) -> dict[int, Cuts]:
        """The cuts of each op; empty ones for an op that is to stay whole."""
        return {at: cuts for segment in self.segments for at, cuts in segment.cuts.items()}

    @property
    def windows(self) -> dict[int, Windows]:
        """The blocks that ops in step make anew for each stripe."""
        program = self.setting.program
        each = (windows_of(program, s.start, s.end, s.cuts) for s in self.segments)
        return {at: windows for segment in each for at, windows in segment.items()}

    @property
    def drained(self) -> frozenset[int]:
        """The ops whose tiles are written to DDR as they are made, and read there."""
        return frozenset(
            at
            for s in self.segments
            if s.drains
            for at in range(s.start, s.end)
            if self._is_drained(at, s)
        )

    def _is_drained(self, at: int, segment: Segment) -> bool:
        setting, program = self.setting, self._viewed
        op, results = program.ops[at], program.ops[at].results
        if not op.in_tcm or not segment.cuts.get(at) or len(results) != 1:
            return False
        tensor, own = program.tensors[results[0]], program.ops[segment.start : segment.end]
        if 2 * tensor.bytes <= setting.capacity or tensor.in_ddr:
            return False
        if results[0] in program.moved_out:
            return False
        is_read = any(o.tensor == results[0] for each in own for o in each.operands)
        return not is_read and setting.leaves(results[0], segment.end)

    @property
    def program(self) -> TileProgram:
        """The program, with what is drained in DDR."""
        program = self._viewed
        return program.leaving({program.ops[at].results[0] for at in self.drained})

    @cached_property
    def _viewed(self) -> TileProgram:
        """The program, with views that are read whole in DDR."""
        return self.setting.program.leaving(self._whole_views)

    @property
    def _whole_views(self) -> set[int]:
        """The views that take more than half of the TCM, and are not read by their first rows.

        Views of these are in DDR, too. What is turned between views is read along the dim that
        these have parts of.
        """
        program, capacity, cuts = self.setting.program, self.setting.capacity, self.cuts
        whole, views = set[int](), set[int]()
        for at, op, operands in self.setting.reads_of_moved:
            dims = op.cuts if op.moves_only else [dim for dim, _ in cuts.get(at, ())]
            is_read = not (op.moves_only and op.results[0] in whole)
            for operand, parts in operands:
                along = [operand.maps[dim].dim for dim in dims if dim in operand.maps]
                if not is_read or parts.isdisjoint(along):
                    whole.add(operand.tensor)
            if op.moves_only and (op.is_view or op.turns) and whole.intersection(op.results):
                views |= {n for n in op.results if 2 * program.tensors[n].bytes > capacity}
        for op in program.ops:
            if op.is_view and op.operands[0].tensor in views:
                views |= {*op.results}
        return views

    @property
    def gathered(self) -> frozenset[int]:
        """The ops whose tiles are written to DDR for an op that runs from there."""
        program = self.program
        tilings = tilings_of(program, self.cuts, self.windows)
        drained = Memories(program, tilings, self.setting.capacity).drained
        return frozenset(program.maker[number] for number in drained - program.moved_out)

    @property
    def tiles(self) -> int:
        """The number of tiles of all ops that compute."""
        setting, cuts, windows = self.setting, self.cuts, self.windows
        return sum(
            prod(Single(setting, at).counts(own))
            * len(windows[at].spans if at in windows else (0,))
            for at, own in cuts.items()
        )

    @property
    def in_step(self) -> frozenset[int]:
        """The ops of chains except the last of each, which leads."""
        return frozenset(at for s in self.segments for at in range(s.start, s.end - 1))


def plan_tiles(program: TileProgram, capacity: int, room: int) -> TilingPlan:
    """Find the cheapest segments by estimates; `room` bounds the values that stay in TCM whole.

    A value that an op makes there whole may leave as little as a quarter of the TCM to others.
    """
    setting = Setting(program, capacity, room, capacity * 3 // 4)
    return cheapest(setting, [*singles(setting), *Chains(setting).every()])


def cheapest(setting: Setting, priced: Iterable[Segment]) -> TilingPlan:
    """Find the cheapest of some segments that cover a program."""
    ending: dict[int, list[Segment]] = defaultdict(list)
    for each in priced:
        ending[each.end].append(each)
    # Forwards: the cheapest cover of the first ops, and its last segment.
    best: list[tuple[Price, Segment | None]] = [(Price(), None)]
    for end in range(1, len(setting.program.ops) + 1):
        covers = ((best[last.start][0] + last.price, last) for last in ending[end])
        best.append(min(covers, key=lambda cover: cover[0]))
    # Backwards: the segments of the cheapest cover of all.
    segments: list[Segment] = []
    segment = best[-1][1]
    while segment is not None:
        segments.append(segment)
        segment = best[segment.start][1]
    return TilingPlan(tuple(segments[::-1]), setting)


def singles(setting: Setting) -> list[Segment]:
    """Each op on its own, the cheapest way first; like ops are priced once."""
    known: dict[Hashable, list[Option]] = {}
    segments: list[Segment] = []
    for at in range(len(setting.program.ops)):
        like = setting.likeness.kind(at, at + 1), setting.occupied[at]
        if like not in known:
            known[like] = Single(setting, at).best_cuts()
        segments += [Segment(at, at + 1, price, {at: cuts}) for price, cuts in known[like]]
        if not known[like]:
            whole = {} if setting.program.ops[at].cuts else {at: ()}
            segments.append(Segment(at, at + 1, Price(setting.capacity, 1), whole))
    return segments


@dataclass
class Chains:
    """The chains of two ops and more that relieve one of theirs; those alike are priced once."""

    setting: Setting
    _known: dict[Hashable, tuple[Segment, ...]] = field(
        default_factory=dict[Hashable, "tuple[Segment, ...]"]
    )

    def ending(self, end: int, stripes: bool = False) -> Iterator[Segment]:
        """List those that end before an op.

        `stripes`: those whose ops make their halos anew for each stripe, in place of the others.
        """
        op = self.setting.program.ops[end - 1]
        if not op.moves_only and any(self._tight[max(0, end - LONGEST) : end]):
            for dim in op.cuts:
                yield from self._along(end, dim, stripes)

    def every(self, stripes: bool = False) -> Iterator[Segment]:
        """List all of them, or all those whose ops make their halos anew."""
        for end in range(1, len(self.setting.program.ops) + 1):
            yield from self.ending(end, stripes)

    def sums(self) -> Iterator[Segment]:
        """List those whose last op sums over parts that are made for it in turn."""
        for end, op in enumerate(self.setting.program.ops, 1):
            if op.summed and end > 1 and any(self._tight[max(0, end - LONGEST) : end]):
                yield from self._summed(end)

    def _along(self, end: int, dim: int, stripes: bool) -> Iterator[Segment]:
        setting = self.setting
        op = setting.program.ops[end - 1]
        result = setting.program.tensors[op.results[0]]
        chain = Chain.begin(setting, end - 1, dim)
        # Around it stripes, or chains along dims in front that are not blocked: heads around rows.
        dims = (
            d
            for d in op.cuts
            if result.shape[d] > 1 and (d > dim if stripes else d < dim and result.chunk[d] == 1)
        )
        around = [outer for d in dims if (outer := Chain.begin(setting, end - 1, d))]
        while chain and chain.start > max(0, end - LONGEST) and chain.prepend():
            around = [outer for outer in around if outer.prepend()]
            start = chain.start
            if any(self._tight[start:end]):
                key = setting.likeness.kind(start, end), setting.occupied[start], dim, stripes
                if key not in self._known:
                    self._known[key] = tuple(_best(chain, around, stripes))
                yield from (each.moved(start - each.start) for each in self._known[key])

    def _summed(self, end: int) -> Iterator[Segment]:
        """List those of one sum, whose data the op right before it makes."""
        setting, last = self.setting, end - 1
        ops = setting.program.ops
        summed = [o for o in ops[last].operands if SUMMED in o.maps]
        if [o.tensor for o in summed] != [*ops[last - 1].results]:
            return
        for dim in {o.maps[SUMMED].dim for o in summed}:
            chain = Chain.begin(setting, last - 1, dim)
            while chain:
                key = setting.likeness.kind(chain.start, end), setting.occupied[chain.start], dim
                if key not in self._known:
                    self._known[key] = tuple(_parts_of_sum(chain, last))
                yield from (each.moved(chain.start - each.start) for each in self._known[key])
                if chain.start <= max(0, end - LONGEST) or not chain.prepend():
                    break

    @cached_property
    def _tight(self) -> list[bool]:
        """Tell of each op whether it moves more than constants and the model's own tensors."""
        return [self._is_tight(at) for at in range(len(self.setting.program.ops))]

    def _is_tight(self, at: int) -> bool:
        setting, tensors = self.setting, self.setting.program.tensors
        op = setting.program.ops[at]
        touched = {operand.tensor for operand in op.operands} | set(op.results)
        outside = {
            n
            for n in touched
            if tensors[n].in_ddr or tensors[n].constant or n not in setting.program.maker
        }
        price = Single(setting, at).price(())
        free = outside | setting.resident
        return (
            price is None
            or not touched <= free
            or price.bytes > sum(tensors[n].bytes for n in outside - setting.resident)
        )


def _best(chain: Chain, around: Sequence[Chain], stripes: bool) -> Iterator[Segment]:
    """List the best sizes of a chain alone, and inside each of the others."""
    if not stripes:
        for price, size in _cheapest(chain.options()):
            yield Segment(chain.start, chain.end, price, chain.cuts(size))
    for outer in around:
        for price, first, then in _cheapest(chain.nested(outer)):
            cuts, wide = chain.cuts(then), outer.cuts(first)
            # Of stripes the ops before the last one make their halos anew.
            for at in [chain.end - 1] if stripes else cuts:
                cuts[at] = (*wide[at], *cuts[at])
            yield Segment(chain.start, chain.end, price, cuts)


def _parts_of_sum(chain: Chain, last: int) -> Iterator[Segment]:
    """List the best sizes of a chain whose result op `last` sums, part by part."""
    setting = chain.setting
    (number,) = setting.program.ops[chain.end - 1].results
    spared = 0 if setting.leaves(number, last + 1) else setting.written(number)
    for price, size in _cheapest(chain.options()):
        cuts = {**chain.cuts(size), last: ((SUMMED, size),)}
        price = replace(price, bytes=price.bytes - spared)
        yield Segment(chain.start, last + 1, price, cuts)


def _cheapest(options: Iterable[_Sized]) -> Sequence[_Sized]:
    """Take the sizes that cost the least."""
    return sorted(options, key=lambda option: option[0])[:SIZES]

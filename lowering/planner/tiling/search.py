"""The tiling of a whole program: which ops run tile by tile together, and how large the tiles are.

Ops in order fall into segments: one op, or a chain of ops in step. A dynamic program over the
segments finds the cheapest; the price of a segment does not depend on the others, because where a
value between two segments lies is settled by its size alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field

from .chain import Chain
from .memory import Price, Setting
from .program import Cuts, TileProgram
from .single import best_cuts, likeness, whole

LONGEST = 24
"""Ops of a chain."""
CLEARLY = 0.9
"""The part of a plan's price at which another one is clearly cheaper."""


@dataclass(frozen=True)
class Segment:
    """Ops from `start` to before `end`, how each is cut, and what that costs."""

    start: int
    end: int
    price: Price
    cuts: Mapping[int, Cuts] = field(default_factory=dict[int, Cuts])


@dataclass(frozen=True)
class Plan:
    """The segments that cover a program.

    An op that no tile size makes fit stands in a segment of its own without cuts.
    """

    segments: tuple[Segment, ...]

    @property
    def price(self) -> Price:
        """Of all segments."""
        return sum((segment.price for segment in self.segments), Price())

    @property
    def cuts(self) -> dict[int, Cuts]:
        """How each op is cut; empty cuts for one that is to stay whole."""
        return {at: cuts for segment in self.segments for at, cuts in segment.cuts.items()}

    @property
    def in_step(self) -> frozenset[int]:
        """The ops of chains but the last of each, which leads."""
        return frozenset(at for held in self.segments for at in range(held.start, held.end - 1))


def plan_tiles(program: TileProgram, capacity: int, room: int) -> Plan:
    """The cheapest segments, in order; `room` bounds the values that stay in TCM whole.

    What one op makes there whole may leave as little as a quarter of the TCM to others. Where
    that crowds them, the bound is the room for all; prices are estimates, so the second plan has
    to be clearly cheaper.
    """
    wide, narrow = (Setting(program, capacity, room, kept) for kept in (capacity * 3 // 4, room))
    plan = cheapest(wide)
    if wide.resident == narrow.resident:
        return plan
    other = cheapest(narrow)
    return other if other.price.weight < plan.price.weight * CLEARLY else plan


def cheapest(setting: Setting) -> Plan:
    program = setting.program
    singles = _singles(setting)
    tight = [_is_tight(setting, at) for at in range(len(program.ops))]
    best: list[tuple[Price, Segment | None]] = [(Price(), None)]
    for end in range(1, len(program.ops) + 1):
        options = [singles[end - 1], *_chains(setting, end, tight)]
        best.append(
            min(
                ((best[option.start][0] + option.price, option) for option in options),
                key=lambda found: found[0],
            )
        )
    return Plan(tuple(_backwards(best)))


def _backwards(best: list[tuple[Price, Segment | None]]) -> list[Segment]:
    found: list[Segment] = []
    segment = best[-1][1]
    while segment is not None:
        found.append(segment)
        segment = best[segment.start][1]
    return found[::-1]


def _singles(setting: Setting) -> list[Segment]:
    """Each op on its own."""
    known: dict[Hashable, tuple[Price, Cuts] | None] = {}
    found = []
    for at in range(len(setting.program.ops)):
        like = likeness(setting, at)
        if like not in known:
            known[like] = best_cuts(setting, at)
        found.append(_single(setting, at, known[like]))
    return found


def _single(setting: Setting, at: int, best: tuple[Price, Cuts] | None) -> Segment:
    if best is None:
        return Segment(at, at + 1, Price(setting.capacity, 1))
    price, cuts = best
    return Segment(at, at + 1, price, {at: cuts})


def _is_tight(setting: Setting, at: int) -> bool:
    """Whether an op moves more than constants and what the model takes and gives."""
    op, tensors = setting.program.ops[at], setting.program.tensors
    touched = {held.tensor for held in op.operands} | set(op.results)
    outside = {
        n
        for n in touched
        if tensors[n].home or tensors[n].constant or n not in setting.program.made
    }
    price = whole(setting, at)
    free = outside | setting.resident
    return (
        price is None
        or not touched <= free
        or price.bytes > sum(tensors[n].bytes for n in outside - setting.resident)
    )


def _chains(setting: Setting, end: int, tight: list[bool]) -> Iterator[Segment]:
    """The chains of two ops and more that end before an op and relieve one of theirs."""
    op = setting.program.ops[end - 1]
    if not op.passes and any(tight[max(0, end - LONGEST) : end]):
        for dim in op.cuts:
            yield from _along(setting, end, dim, tight)


def _along(setting: Setting, end: int, dim: int, tight: list[bool]) -> Iterator[Segment]:
    chain = Chain.begin(setting, end - 1, dim)
    around = [outer for outer in _outer_chains(setting, end - 1, dim) if outer]
    while chain and chain.start > max(0, end - LONGEST) and chain.prepend():
        around = [outer for outer in around if outer.prepend()]
        if any(tight[chain.start : end]):
            yield from _best_of(chain)
            for outer in around:
                yield from _best_nested(chain, outer)


def _outer_chains(setting: Setting, at: int, dim: int) -> Iterator[Chain | None]:
    """Chains along dims in front of another one that are not blocked: heads in front of rows."""
    op = setting.program.ops[at]
    result = setting.program.tensors[op.results[0]]
    for outer in op.cuts:
        if outer < dim and result.shape[outer] > 1 and result.chunk[outer] == 1:
            yield Chain.begin(setting, at, outer)


def _best_of(chain: Chain) -> Iterator[Segment]:
    options = list(chain.options())
    if options:
        price, chunk = min(options, key=lambda option: (option[0], -option[1]))
        yield Segment(chain.start, chain.end, price, chain.cuts(chunk))


def _best_nested(chain: Chain, outer: Chain) -> Iterator[Segment]:
    """Tiles of tiles: the chain inside those of another dim."""
    options = list(chain.nested(outer))
    if options:
        price, first, then = min(options, key=lambda option: option[0])
        inside, around = chain.cuts(then), outer.cuts(first)
        cuts = {at: (*around[at], *inside[at]) for at in inside}
        yield Segment(chain.start, chain.end, price, cuts)

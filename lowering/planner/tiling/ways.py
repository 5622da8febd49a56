"""Ways to cut ops in step: along one dim, or along one inside another, in some sizes."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from math import ceil

from .chain import Chain, Tiles
from .memory import Price, Setting
from .program import SUMMED, Cuts
from .search import LONGEST, Segment
from .single import Single

LIKELY = 6
"""Ways to cut ops in step, of those that estimates found, that are tried."""
LARGE = 3
"""Sizes of what goes in parts, the largest ones, that are tried."""
MOST_SIZES = 6
"""Sizes of tiles that are tried along one dim."""
FITTING = 3
"""Sizes around that with which many ops fit, that are tried."""


@dataclass
class Ways:
    """The ways to cut ops of a program; `priced` are segments that estimates found.

    These are complete before the likely ones are asked for.
    """

    setting: Setting
    priced: list[Segment]
    _blocked: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """The op that cannot go in step, by the end of a chain and the dim."""
    _grown: dict[tuple[int, int], Chain] = field(default_factory=dict[tuple[int, int], Chain])
    """The last chain, by its end and the dim: the next one mostly has an op more."""

    @cached_property
    def likely(self) -> dict[tuple[int, int], list[Segment]]:
        """The ways that estimates found, by start and end, the cheapest first."""
        ways: dict[tuple[int, int], list[Segment]] = defaultdict(list)
        for segment in sorted(self.priced, key=lambda segment: segment.price):
            known = ways[segment.start, segment.end]
            if segment.cuts not in [each.cuts for each in known]:
                known.append(segment)
        return ways

    def between(self, start: int, end: int) -> Iterator[Segment]:
        """List the ways to cut some ops in step, those that estimates found first."""
        if end - start == 1 and Single(self.setting, start).price(()) is not None:
            yield Segment(start, end, Price(), {start: ()})
        yield from self.likely.get((start, end), ())[:LIKELY]
        last = self.setting.program.ops[end - 1]
        if (last.moves_only or last.is_view) and end - start > 1:
            return
        chains = self._chains(start, end)
        if end - start > LONGEST:
            for chain in chains:
                for size in self._fitting(chain):
                    yield Segment(start, end, Price(), chain.cuts(size))
            return
        yield from self._summed(start, end)
        for chain in chains:
            for size in _some(chain.sizes(), MOST_SIZES):
                yield Segment(start, end, Price(), chain.cuts(size))
        for outer, inner in permutations(chains, 2):
            yield from _anew(start, end, outer, inner)

    def parting(self, own: Segment) -> Iterator[tuple[Segment, Segment]]:
        """List the ways to make two segments of one: the first is cut as estimates found it best.

        The second keeps its cuts, so that its stripes stay, or is cut as estimates found it best.
        """
        for middle in range(own.start + 1, own.end):
            parts = (own.start, middle), (middle, own.end)
            first, second = (next(self.between(*part), None) for part in parts)
            cuts = {at: cut for at, cut in own.cuts.items() if at >= middle}
            if first and any(cuts.values()):
                yield first, replace(own, start=middle, cuts=cuts)
            if first and second:
                yield first, second

    def _fitting(self, chain: Chain) -> list[int]:
        """List sizes of tiles around that with which a chain fits, each half of the one before."""
        most, taken = 2 * self.setting.usable, list[int]()
        for size in (*chain.sizes(), *chain.small_sizes()):
            tiles = Tiles(chain, self.setting, size, ceil(chain.extent / size))
            if 2 * size <= taken[-1] if taken else tiles.peak <= most:
                taken.append(size)
                if len(taken) == FITTING:
                    break
        return taken

    def _chains(self, start: int, end: int) -> list[Chain]:
        """List the chains of some ops, one for each dim of the last result that can be cut."""
        op = self.setting.program.ops[end - 1]
        shape = self.setting.program.tensors[op.results[0]].shape if op.results else ()
        dims = (dim for dim in op.cuts if shape[dim] > 1)
        return [chain for dim in dims if (chain := self._chain(start, end, dim))]

    def _chain(self, start: int, end: int, dim: int) -> Chain | None:
        """Make the chain of some ops, from the last one if it has fewer; None if one cannot go."""
        key = end, dim
        if start <= self._blocked.get(key, -1):
            return None
        chain = self._grown.pop(key, None)
        if chain is None or chain.start < start:
            chain = Chain.begin(self.setting, end - 1, dim)
        while chain and chain.start > start:
            if not chain.prepend():
                self._blocked[key] = chain.start - 1
                return None
        if chain:
            self._grown[key] = chain
        return chain and chain.copy()

    def _summed(self, start: int, end: int) -> Iterator[Segment]:
        """List the ways in which the last op that sums does so over parts made for it in turn.

        These and the ops behind it go whole, and in tiles of outer chains of the ops that compute.
        """
        ops = self.setting.program.ops
        first = next((at for at in range(start, end) if not ops[at].moves_only), start)
        outer = self._chains(first, end)
        last = next((at for at in range(end - 1, start, -1) if ops[at].summed), start)
        between = ops[last - 1].results if last > start else ()
        read = (o for o in ops[last].operands if o.tensor in between)
        maps = (o.maps[SUMMED] for o in read if SUMMED in o.maps)
        whole = {at: () for at in range(last + 1, end) if not ops[at].moves_only}
        for dim in dict.fromkeys(access.dim for access in maps):
            if (parts := self._chain(start, last, dim)) is None:
                continue
            for size in reversed(_some(parts.sizes(), MOST_SIZES)):
                inner: dict[int, Cuts] = {**parts.cuts(size), last: ((SUMMED, size),), **whole}
                yield Segment(start, end, Price(), inner)
                for chain in outer:
                    for around in [*chain.widths()][:LARGE]:
                        lead = chain.cuts(around)
                        cuts = {at: (*lead[at], *then) for at, then in inner.items()}
                        yield Segment(start, end, Price(), cuts)


def _anew(start: int, end: int, outer: Chain, inner: Chain) -> Iterator[Segment]:
    """List stripes for which the ops before the last one make their halos anew."""
    if end - start > 1:
        for around in list(outer.widths())[:MOST_SIZES]:
            lead = outer.cuts(around)[end - 1]
            for size in _some(inner.sizes(), 3):
                then = inner.cuts(size)
                yield Segment(start, end, Price(), {**then, end - 1: (*lead, *then[end - 1])})


def _some(sizes: Sequence[int], count: int) -> list[int]:
    """Take a number of sizes, from the smallest on, each about twice the one before."""
    every = sorted(sizes)
    taken: list[int] = []
    for size in every:
        if not taken or size >= 2 * taken[-1] or size == every[-1]:
            taken.append(size)
    return taken[:count]

"""A tile plan in facts for people: strips, what stays in TCM, and the best other tiles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, prod

from .chain import Chain, Tiles
from .memory import Price, Setting
from .program import SUMMED, Cuts
from .search import Chains, Segment, TilingPlan, cheapest, singles
from .single import Single


@dataclass(frozen=True)
class RunnerUp:
    """The next best cuts of a segment's ops; `apart` where each op goes by itself."""

    price: Price
    cuts: Mapping[int, Cuts]
    apart: bool = False


@dataclass(frozen=True)
class SegmentFacts:
    """A segment of a plan: ops `start` to before `end`, and how they run.

    `strips` are the tiles of the last op along its innermost cut, `stripes` how often all of these
    go round. `pinned` are tensors that every tile reads whole, `rings` those of which bytes stay
    from tile to tile, both in bytes of TCM; `drained` leave as they are made, in bytes of DDR. The
    runner-up is None where nothing else fits.
    """

    start: int
    end: int
    cuts: Mapping[int, Cuts]
    strips: int
    stripes: int
    pinned: Mapping[int, int]
    rings: Mapping[int, int]
    drained: Mapping[int, int]
    bytes: int
    calls: int
    runner_up: RunnerUp | None


def explain(plan: TilingPlan) -> Iterator[SegmentFacts]:
    """Tell of each segment of a plan, in order."""
    setting = plan.setting
    alone, tensors = cheapest(setting, singles(setting)).segments, setting.program.tensors
    drained = {setting.program.ops[at].results[0] for at in plan.drained}
    chains = Chains(setting)
    for segment in plan.segments:
        others = [
            RunnerUp(other.price, other.cuts)
            for other in chains.ending(segment.end)
            if other.start == segment.start
        ]
        others += _apart(setting, segment, alone)
        rivals = (other for other in others if other.cuts != segment.cuts)
        runner_up = min(rivals, key=lambda other: other.price, default=None)
        last = segment.end - 1
        counts = Single(setting, last).counts(segment.cuts.get(last, ())) or [1]
        pinned, rings = _kept(setting, segment)
        price = segment.price
        ops = setting.program.ops[segment.start : segment.end]
        results = [result for op in ops for result in op.results]
        yield SegmentFacts(
            segment.start,
            segment.end,
            segment.cuts,
            counts[-1],
            prod(counts[:-1]),
            pinned,
            rings,
            {n: tensors[n].flat_bytes for n in results if n in drained},
            price.bytes,
            price.calls,
            runner_up,
        )


def _apart(setting: Setting, segment: Segment, alone: Sequence[Segment]) -> Iterator[RunnerUp]:
    """List the other ways of one op; of several, each by itself."""
    start, end = segment.start, segment.end
    if end - start > 1:
        parts = TilingPlan((*alone[start:end],), setting)
        yield RunnerUp(parts.price, parts.cuts, apart=True)
        return
    for price, cuts in Single(setting, start).ways():
        yield RunnerUp(price, {start: cuts})


def _kept(setting: Setting, segment: Segment) -> tuple[dict[int, int], dict[int, int]]:
    """Find the bytes of what all tiles read, and of what stays from tile to tile."""
    op, cuts = setting.program.ops[segment.end - 1], segment.cuts.get(segment.end - 1, ())
    if not cuts:
        return {}, {}
    if segment.end - segment.start == 1:
        tensors, dims = setting.program.tensors, {dim for dim, _ in cuts}
        whole = (o for o in op.operands if o.in_tcm and not dims & o.maps.keys())
        return {o.tensor: o.read_as(tensors[o.tensor]).bytes for o in whole}, {}
    if (in_step := _in_step(setting, segment.start, segment.end, segment.cuts)) is None:
        return {}, {}
    tiles, _ = in_step
    rings = {number: kept for number, kept in tiles.kept().items() if kept}
    return {number: size for (number, _), size in tiles.pinned().items()}, rings


def price_of(
    setting: Setting, start: int, end: int, cuts: Mapping[int, Cuts]
) -> tuple[Price | None, int]:
    """Price ops with cuts that somebody chose, and count the bytes that the largest tile needs.

    There is no price where they do not fit. Ops without a cut that all follow are priced alone.
    """
    in_step = _in_step(setting, start, end, cuts) if end - start > 1 else None
    if in_step is None:
        alone = [(Single(setting, at), own) for at, own in cuts.items()]
        prices = [single.price(own) for single, own in alone]
        total = sum((price for price in prices if price), Price())
        return None if None in prices else total, max(op.need(own) for op, own in alone)
    tiles, times = in_step
    return tiles.price(times), tiles.need


def _in_step(
    setting: Setting, start: int, end: int, cuts: Mapping[int, Cuts]
) -> tuple[Tiles, int] | None:
    """Make the tiles of ops in step, by the cuts of the last one, and how often they go round."""
    lead = cuts.get(end - 1, ())
    along = [chain for dim, _ in lead if (chain := _chain(setting, start, end, dim))]
    dims = [chain.footprints for chain in along]

    def alike(at: int, own: Cuts) -> bool:
        # What is made anew for each stripe is cut along the inner dim alone.
        result = setting.program.ops[at].results[0]
        along_all = [each[result].dim for each in dims]
        return [dim for dim, _ in own] in (along_all, along_all[1:] if at < end - 1 else along_all)

    if not all(alike(at, own) for at, own in cuts.items()) or len(lead) not in (1, 2):
        return None
    times = 1
    for around, (_, extent) in zip(along[:-1], lead, strict=False):
        times = ceil(around.extent / extent)
        setting = setting.part_of(around.parts(extent))
    inner, size = along[-1], lead[-1][1]
    return Tiles(inner, setting, size, ceil(inner.extent / size)), times


def _chain(setting: Setting, start: int, end: int, dim: int) -> Chain | None:
    chain = Chain.begin(setting, end - 1, dim) if dim != SUMMED else None
    while chain and chain.start > start:
        chain = chain if chain.prepend() else None
    return chain

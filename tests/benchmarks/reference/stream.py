"""Streams: the cheapest way to run a segment in strips and stripes beside what stays in TCM."""

from dataclasses import dataclass, replace
from functools import lru_cache

from .graph import Kind, Node, Segment
from .sizes import CHUNK, Rules, round_up
from .strips import Sweep, lead_of, sweep
from .takes import Kept, direct_sources, moved_by, peak_of

PARTS = (1, 2, 4, 8)
"""Parts of a strip's columns in which windows are copied together."""

MOST_STRIPS = 128
"""Strips of a segment; a finer cut is not tried."""


@dataclass(frozen=True)
class Stream:
    """A way to run a segment: rows of a strip, stripes, parts of a window, and what comes of it.

    `direct` operands are fetched window by window. `pinned` counts, by node, the blocks of weights
    that stay for all strips; the others are fetched again for each.
    """

    step: int
    stripes: int
    parts: int
    direct: frozenset[int]
    pinned: tuple[int, ...]
    window: int
    peak: int
    bytes: int
    calls: int


@dataclass(frozen=True)
class _Draft:
    """A stream before its weights are dealt with."""

    stream: Stream
    turns: tuple[int, ...]
    """How often each node needs its weights."""


def blocks(node: Node, segment: Segment, rules: Rules) -> tuple[int, ...]:
    """Bytes of the weights in blocks of output channels; the last may be smaller."""
    if not node.weights:
        return ()
    recurrent = node.kind is Kind.RECURRENCE
    result = segment.tensors[node.operands[0].tensor if recurrent else node.result]
    by_heads = node.kind is Kind.PRODUCT and node.operands[0].columns.whole
    channels = result.channels * (result.columns if by_heads else 1)
    count = max(1, -(-channels // rules.block))
    size = -(-node.weights // count)
    return (
        *[size] * (node.weights // size),
        *([node.weights % size] if node.weights % size else []),
    )


def best_stream(
    segment: Segment, rules: Rules, kept: Kept, room: int, capacity: int
) -> Stream | None:
    """Choose the cheapest stream that fits in `room` bytes, tensors kept whole not counted."""
    best = _at_once(segment, rules, kept, room)
    if best is not None:
        return best
    for draft in _drafts(segment, rules, kept, capacity):
        if best is not None and price(draft.stream, rules) >= price(best, rules):
            break
        if draft.stream.peak <= room:
            stream = _with_weights(segment, rules, draft, room)
            if stream and (best is None or price(stream, rules) < price(best, rules)):
                best = stream
    return best


def _at_once(segment: Segment, rules: Rules, kept: Kept, room: int) -> Stream | None:
    """Run every node once, for all rows: nothing is cheaper, where it fits."""
    rows = segment.tensors[lead_of(segment)].rows
    moves = sweep(segment, rules, rows, 1)
    if moves is None:
        return None
    peak, window = peak_of(segment, rules, kept, moves, 1, frozenset())
    weights = sum(round_up(node.weights, CHUNK) for node in segment.nodes)
    if peak + weights > room:
        return None
    moved = moved_by(segment, rules, kept, moves, 1, frozenset())
    draft = _draft(segment, rules, moves, (rows, 1, 1), frozenset(), (peak, window, moved))
    return _with_weights(segment, rules, draft, room)


def price(stream: Stream, rules: Rules) -> int:
    """Weigh bytes and calls."""
    return stream.bytes + rules.call * stream.calls


def _with_weights(segment: Segment, rules: Rules, draft: _Draft, room: int) -> Stream | None:
    """Pin blocks of weights, those that are needed most often first."""
    stream, cut = draft.stream, [blocks(node, segment, rules) for node in segment.nodes]
    pinned, buffer = [len(parts) for parts in cut], 0
    if sum(round_up(node.weights, CHUNK) for node in segment.nodes) > room - stream.peak:
        buffer = _block_buffer(segment, rules, cut)
        if stream.peak + buffer > room:
            return None
        pinned = _pinned(cut, draft.turns, room - stream.peak - buffer)
    again = calls = occupied = 0
    for turns, parts, count in zip(draft.turns, cut, pinned, strict=True):
        again += (turns - 1) * sum(parts[count:])
        calls += turns * max(len(parts) - count - (count == 0), 0)
        occupied += round_up(sum(parts[:count]), CHUNK)
    return replace(
        stream,
        pinned=tuple(pinned),
        peak=stream.peak + buffer + occupied,
        bytes=stream.bytes + again,
        calls=stream.calls + calls,
    )


def _block_buffer(segment: Segment, rules: Rules, cut: list[tuple[int, ...]]) -> int:
    """Bytes in which one block after the other is fetched."""
    streamed = [
        max(parts, default=0)
        for node, parts in zip(segment.nodes, cut, strict=True)
        if not rules.reads_in_place(segment.tensors[node.result])
    ]
    return round_up(max(streamed, default=0), CHUNK)


def _pinned(cut: list[tuple[int, ...]], turns: tuple[int, ...], left: int) -> list[int]:
    """Count the blocks of each node that stay in `left` bytes."""
    pinned = [0] * len(cut)
    for i in sorted(range(len(cut)), key=lambda i: -turns[i]):
        if cut[i] and turns[i] > 1:
            pinned[i] = min(len(cut[i]), left // CHUNK * CHUNK // cut[i][0])
            left -= round_up(pinned[i] * cut[i][0], CHUNK)
    return pinned


@lru_cache(maxsize=20_000)
def _drafts(segment: Segment, rules: Rules, kept: Kept, capacity: int) -> tuple[_Draft, ...]:
    """All streams of a segment that fit into a TCM of `capacity`, cheapest first."""
    drafts: list[_Draft] = []
    for stripes in _stripe_counts(segment, rules):
        for step in _steps(segment, rules):
            moves = sweep(segment, rules, step, stripes)
            if moves is None:
                break
            fits = _of_sweep(segment, rules, kept, moves, (step, stripes), capacity)
            if not fits:
                break
            drafts += fits
    drafts.sort(key=lambda draft: price(draft.stream, rules))
    return tuple(drafts)


def _of_sweep(
    segment: Segment, rules: Rules, kept: Kept, moves: Sweep, cut: tuple[int, int], capacity: int
) -> list[_Draft]:
    directs = {frozenset[int](), direct_sources(segment, rules, kept)}
    has_windows = rules.croutons and any(o.is_windowed for n in segment.nodes for o in n.operands)
    drafts: list[_Draft] = []
    for direct in directs:
        moved: int | None = None
        for parts in PARTS if has_windows else (1,):
            peak, window = peak_of(segment, rules, kept, moves, parts, direct)
            if peak <= capacity:
                if moved is None or direct:
                    moved = moved_by(segment, rules, kept, moves, parts, direct)
                sizes = peak, window, moved
                drafts.append(_draft(segment, rules, moves, (*cut, parts), direct, sizes))
    return drafts


def _draft(
    segment: Segment,
    rules: Rules,
    moves: Sweep,
    cut: tuple[int, int, int],
    direct: frozenset[int],
    sizes: tuple[int, int, int],
) -> _Draft:
    (step, stripes, parts), (peak, window, moved) = cut, sizes
    images = segment.tensors[segment.nodes[-1].result].images
    turns = tuple(
        images * stripes * runs * (parts if any(o.tensor in direct for o in node.operands) else 1)
        for node, runs in zip(segment.nodes, moves.runs, strict=True)
    )
    cuts = [
        parts if rules.croutons and any(o.is_windowed for o in node.operands) else 1
        for node in segment.nodes
    ]
    calls = sum(images * stripes * runs * n for runs, n in zip(moves.runs, cuts, strict=True))
    once = sum(node.weights + node.extras for node in segment.nodes)
    none = (0,) * len(segment.nodes)
    nbytes = once + images * moved
    return _Draft(Stream(step, stripes, parts, direct, none, window, peak, nbytes, calls), turns)


def _steps(segment: Segment, rules: Rules) -> list[int]:
    lead = segment.tensors[lead_of(segment)]
    grain = rules.grain(lead)
    factors = (1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 512)
    steps = sorted({min(grain * factor, lead.rows) for factor in factors})
    return [step for step in steps if lead.rows <= MOST_STRIPS * step]


def _stripe_counts(segment: Segment, rules: Rules) -> list[int]:
    lead = segment.tensors[lead_of(segment)]
    grains = lead.columns // rules.column_grain(lead)
    heads = [n for n in range(2, lead.columns) if lead.columns % n == 0 and lead.columns <= 16]
    counts = {1, 2, 4, 7, 8, 14, *heads, lead.columns if lead.columns <= 16 else 1}
    return sorted(n for n in counts if n == 1 or n <= grains)

"""Strips of a segment: which rows and columns of each tensor are there at which time.

All nodes of a segment run in step, some rows of the last result at a time. Going back from the
rows that are wanted, each node says which rows of its operands it needs; a tensor keeps the rows
that this or a later strip needs, a ring. Around it, stripes of columns overlap by their halos.
Cost: strips x nodes. Worked example: two 3x3 convolutions, strips of 8 rows; before the second has
made rows 0 to 7 the first has made 0 to 8, and the ring between them has ten rows from then on.
"""

from dataclasses import dataclass
from functools import lru_cache

from .graph import Kind, Node, Segment
from .sizes import Rules, round_up

Range = tuple[int, int]


@dataclass(frozen=True)
class Strip:
    """By tensor: rows that are there from this strip on, and the first row that is still needed."""

    new: tuple[Range, ...]
    low: tuple[int, ...]


@dataclass(frozen=True)
class Sweep:
    """The strips of a segment from top to bottom, and the stripes of columns around them.

    `rings` are the most rows of each tensor that are needed at once, `runs` counts the strips in
    which a node runs.
    """

    strips: tuple[Strip, ...]
    stripes: tuple[tuple[Range, ...], ...]
    owned: tuple[tuple[Range, ...], ...]
    rings: tuple[int, ...]
    runs: tuple[int, ...]
    tallest: tuple[int, ...]


def lead_of(segment: Segment) -> int:
    """Choose the tensor whose rows set the pace: the last result that is no sum."""
    results = [node.result for node in segment.nodes if node.kind is not Kind.SUM]
    return results[-1] if results else segment.nodes[-1].operands[0].tensor


@lru_cache(maxsize=200_000)
def sweep(segment: Segment, rules: Rules, step: int, stripes: int) -> Sweep | None:
    """Follow a segment in strips of `step` rows; None where it cannot run so."""
    across = _stripes(segment, rules, stripes)
    if across is None:
        return None
    ends = _ends(segment, rules, step)
    starts = [(0,) * len(segment.tensors), *ends[:-1]]
    low = [tensor.rows for tensor in segment.tensors]
    strips: list[Strip] = []
    for before, after in zip(reversed(starts), reversed(ends), strict=True):
        _lower(segment, before, after, low)
        strips.append(Strip(tuple(zip(before, after, strict=True)), tuple(low)))
    strips.reverse()
    indices = range(len(segment.tensors))
    rings = tuple(max(_ring(segment, rules, strip, i) for strip in strips) for i in indices)
    heights = [
        [strip.new[n.result][1] - strip.new[n.result][0] for strip in strips] for n in segment.nodes
    ]
    runs = tuple(_runs(node, segment, strips) for node in segment.nodes)
    return Sweep(tuple(strips), *across, rings, runs, tuple(map(max, heights)))


def _runs(node: Node, segment: Segment, strips: list[Strip]) -> int:
    """Count the strips in which a node has something to do; a recurrence runs row by row."""
    if node.kind is Kind.SUM:
        source = node.operands[0].tensor
        return sum(strip.new[source][1] > strip.new[source][0] for strip in strips)
    if node.kind is Kind.RECURRENCE:
        return segment.tensors[node.result].rows
    return sum(strip.new[node.result][1] > strip.new[node.result][0] for strip in strips)


def _ring(segment: Segment, rules: Rules, strip: Strip, index: int) -> int:
    grain, end = rules.grain(segment.tensors[index]), strip.new[index][1]
    return max(end - strip.low[index] // grain * grain, 0)


def _lower(
    segment: Segment, before: tuple[int, ...], after: tuple[int, ...], low: list[int]
) -> None:
    """Lower the first needed rows to what one strip needs."""
    for index, (start, end) in enumerate(zip(before, after, strict=True)):
        if end > start:
            low[index] = min(low[index], start)
    for node in segment.nodes:
        start, end = before[node.result], after[node.result]
        if node.kind is Kind.SUM or end <= start:
            continue
        for operand in node.operands:
            first, _ = operand.rows.of(start, end, segment.tensors[operand.tensor].rows)
            low[operand.tensor] = min(low[operand.tensor], first)


def _ends(segment: Segment, rules: Rules, step: int) -> list[tuple[int, ...]]:
    """Say for each strip how many rows of each tensor are there at its end."""
    tensors, lead = segment.tensors, lead_of(segment)
    height = tensors[lead].rows
    count = -(-height // step)
    paced = {*segment.leaving, lead}
    paced |= {o.tensor for n in segment.nodes if n.kind is Kind.SUM for o in n.operands}
    ends: list[tuple[int, ...]] = []
    for strip in range(1, count + 1):
        end = [0] * len(tensors)
        reached = min(height, strip * step)
        for index in paced:
            end[index] = min(-(-reached * tensors[index].rows // height), tensors[index].rows)
        for node in segment.nodes:
            if node.kind is Kind.SUM and strip < count and node.result in segment.leaving:
                end[node.result] = 0
        for index in range(len(tensors)):
            end[index] = _whole_grains(segment, rules, index, end[index])
        for node in reversed(segment.nodes):
            _demand(segment, rules, node, end)
        ends.append(tuple(end))
    return ends


def _whole_grains(segment: Segment, rules: Rules, index: int, rows: int) -> int:
    tensor = segment.tensors[index]
    return min(tensor.rows, round_up(rows, rules.grain(tensor)))


def _demand(segment: Segment, rules: Rules, node: Node, end: list[int]) -> None:
    """Ask for the rows that a node needs of its operands; an opaque one runs once, for all rows."""
    if node.kind is Kind.OPAQUE and end[node.result]:
        end[node.result] = segment.tensors[node.result].rows
    for operand in node.operands:
        extent = segment.tensors[operand.tensor].rows
        wanted = operand.rows.of(0, end[node.result], extent)[1] if end[node.result] else 0
        rows = _whole_grains(segment, rules, operand.tensor, wanted)
        end[operand.tensor] = max(end[operand.tensor], rows)


Stripes = tuple[tuple[tuple[Range, ...], ...], tuple[tuple[Range, ...], ...]]


def _stripes(segment: Segment, rules: Rules, count: int) -> Stripes | None:
    """Columns of each tensor in each stripe: with halos, and those that no other stripe has."""
    tensors = segment.tensors
    whole = tuple((0, tensor.columns) for tensor in tensors)
    if count == 1:
        return (whole,), (whole,)
    results = {node.result for node in segment.nodes}
    inner = {o.tensor for n in segment.nodes for o in n.operands} & results
    if any(n.kind in (Kind.SUM, Kind.OPAQUE) and n.result in inner for n in segment.nodes):
        return None
    stripes, owned = [], []
    for stripe in range(count):
        share = tuple(_share(rules, segment, index, stripe, count) for index in range(len(tensors)))
        columns = _with_halos(segment, share)
        stripes.append(columns)
        owned.append(share)
    return tuple(stripes), tuple(owned)


def _share(rules: Rules, segment: Segment, index: int, stripe: int, count: int) -> Range:
    tensor = segment.tensors[index]
    grain = rules.column_grain(tensor)

    def border(number: int) -> int:
        columns = round_up(tensor.columns * number // count, grain)
        return tensor.columns if number == count else min(columns, tensor.columns)

    return border(stripe), border(stripe + 1)


def _with_halos(segment: Segment, share: tuple[Range, ...]) -> tuple[Range, ...]:
    """Start with what must come of a stripe, and go back to what that needs."""
    paced = {*segment.leaving, lead_of(segment)}
    paced |= {o.tensor for n in segment.nodes if n.kind is Kind.SUM for o in n.operands}
    columns = [share[index] if index in paced else (0, 0) for index in range(len(share))]
    for node in reversed(segment.nodes):
        if node.kind is Kind.SUM:
            columns[node.result] = (0, segment.tensors[node.result].columns)
            continue
        for operand in node.operands:
            extent = segment.tensors[operand.tensor].columns
            need = operand.columns.of(*columns[node.result], extent)
            columns[operand.tensor] = _hull(columns[operand.tensor], need)
    return tuple(columns)


def _hull(first: Range, second: Range) -> Range:
    if first[0] == first[1]:
        return second
    if second[0] == second[1]:
        return first
    return min(first[0], second[0]), max(first[1], second[1])

"""What a stream takes: bytes of its rings and windows in TCM, and bytes that it moves."""

from dataclasses import dataclass
from itertools import pairwise

from .graph import Kind, Node, Operand, Segment
from .sizes import CHUNK, Rules, round_up
from .strips import Sweep


@dataclass(frozen=True)
class Kept:
    """Tensors of a segment that lie in TCM whole: from before it, and behind it."""

    before: frozenset[int]
    behind: frozenset[int]


def direct_sources(segment: Segment, rules: Rules, kept: Kept) -> frozenset[int]:
    """Sources that one op alone reads through a window may be fetched window by window."""
    readers: dict[int, list[Operand]] = {}
    for node in segment.nodes:
        for operand in node.operands:
            readers.setdefault(operand.tensor, []).append(operand)
    return frozenset(
        index
        for index in segment.sources
        if rules.croutons
        and index not in kept.before
        and len(readers[index]) == 1
        and readers[index][0].is_windowed
    )


def peak_of(
    segment: Segment, rules: Rules, kept: Kept, moves: Sweep, parts: int, direct: frozenset[int]
) -> tuple[int, int]:
    """Bytes of rings, copies of windows and small constants; and those of the copies alone."""
    window = max(
        _window(segment, rules, moves, node, i, parts) for i, node in enumerate(segment.nodes)
    )
    whole = kept.before | kept.behind
    peak = window + sum(round_up(node.extras, CHUNK) for node in segment.nodes)
    for index, tensor in enumerate(segment.tensors):
        if index not in whole and index not in direct:
            widest = max(columns[index][1] - columns[index][0] for columns in moves.stripes)
            peak += rules.held(tensor, moves.rings[index], widest)
    return peak, window


def moved_by(
    segment: Segment, rules: Rules, kept: Kept, moves: Sweep, parts: int, direct: frozenset[int]
) -> int:
    """Bytes of one image's sources and results."""
    total = 0
    for columns, owned in zip(moves.stripes, moves.owned, strict=True):
        for strip in moves.strips:
            for index in segment.sources:
                if index not in kept.before and index not in direct:
                    total += _part(segment, rules, index, strip.new[index], columns[index])
            for index in segment.leaving:
                if index not in kept.behind and not _is_sum(segment, index):
                    total += _part(segment, rules, index, strip.new[index], owned[index])
            for node in segment.nodes:
                for operand in node.operands:
                    if operand.tensor in direct:
                        rows = strip.new[node.result]
                        total += sum(
                            _window_bytes(segment, rules, operand, rows, part)
                            for part in split(columns[node.result], parts)
                        )
    sums = [i for i in segment.leaving if i not in kept.behind and _is_sum(segment, i)]
    return total + sum(
        rules.all_moved(segment.tensors[i]) // segment.tensors[i].images for i in sums
    )


def _is_sum(segment: Segment, index: int) -> bool:
    return any(n.kind is Kind.SUM and n.result == index for n in segment.nodes)


def _part(
    segment: Segment, rules: Rules, index: int, rows: tuple[int, int], columns: tuple[int, int]
) -> int:
    count, width = rows[1] - rows[0], columns[1] - columns[0]
    return rules.moved(segment.tensors[index], count, width) if count > 0 and width > 0 else 0


def _window_bytes(
    segment: Segment,
    rules: Rules,
    operand: Operand,
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> int:
    tensor = segment.tensors[operand.tensor]
    if rows[0] == rows[1] or columns[0] == columns[1]:
        return 0
    inside = operand.rows.of(*rows, tensor.rows), operand.columns.of(*columns, tensor.columns)
    width = inside[1][1] - inside[1][0]
    return (inside[0][1] - inside[0][0]) * rules.moved_row(tensor, width) if width else 0


def split(columns: tuple[int, int], parts: int) -> list[tuple[int, int]]:
    """Cut a range in parts of nearly equal width."""
    first, width = columns[0], columns[1] - columns[0]
    borders = [first + width * number // parts for number in range(parts + 1)]
    return list(pairwise(borders))


def _window(
    segment: Segment, rules: Rules, moves: Sweep, node: Node, position: int, parts: int
) -> int:
    """Bytes of the largest copies that a node's windowed operands need."""
    if not rules.croutons:
        return 0
    widest = max(c[node.result][1] - c[node.result][0] for c in moves.stripes)
    return sum(
        rules.held(
            segment.tensors[operand.tensor],
            operand.rows.span(max(moves.tallest[position], 1)),
            operand.columns.span(max(-(-widest // parts), 1)),
        )
        for operand in node.operands
        if operand.is_windowed
    )

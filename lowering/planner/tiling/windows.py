"""Stripes whose halos are made anew: what each op in step makes for each stripe.

An op of a segment is cut along an outer dim that the ops in step in front of it are not cut along.
Then each of these makes, for each tile of the outer dim, all that the tile needs, so that nothing
waits for the next one. What two stripes need is made twice, and its operands are read twice.

Cost: linear in the ops of a segment for each stripe.

Example: two convolutions of 3 columns with padding on 64 columns, in stripes of 32. The second
makes columns 0 to 31, then 32 to 63. The first makes columns 0 to 32, then 31 to 63.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import lcm

from .boxes import Box, reach
from .program import Cuts, TileProgram, TilingOp

Span = tuple[int, int]
"""The first element along a dim, and the one behind the last."""

PASSED = ("htp.SlicePad_shape", "htp.Concat")
"""Ops that only move elements, through which a reader finds the block that was made for it."""


@dataclass(frozen=True)
class Windows:
    """Blocks of a result along one dim, in order; they may overlap, and hold all that is read."""

    dim: int
    spans: tuple[Span, ...]

    @property
    def parts(self) -> tuple[Span, ...]:
        """The blocks as they would be if they parted where two of them overlap."""
        middles = [(b + c) // 2 for (_, b), (c, _) in pairwise(self.spans)]
        return tuple(pairwise((self.spans[0][0], *middles, self.spans[-1][1])))

    def holding(self, span: Span) -> int | None:
        """Find the block around whose middle a span lies that it holds; None without one."""
        low, high = span
        holds = [at for at, (a, b) in enumerate(self.spans) if a <= low and high <= b]
        return min(holds, key=lambda at: abs(sum(self.spans[at]) - low - high), default=None)


def blocks(boxes: Iterable[Box], windows: Windows | None) -> list[Box]:
    """List the tiles of an op: all of them for each of its windows, where it has some."""
    if windows is None:
        return [*boxes]
    dim, each = windows.dim, [*boxes]
    return [(*box[:dim], span, *box[dim + 1 :]) for span in windows.spans for box in each]


def windows_of(
    program: TileProgram, start: int, end: int, cuts: Mapping[int, Cuts]
) -> dict[int, Windows]:
    """Find what ops of a segment make anew for one that is cut along more dims behind them."""
    anew, most = dict[int, Windows](), len(cuts.get(start, ()))
    for at in range(start + 1, end):
        own = len(cuts.get(at, ()))
        if own > max(most, 1):
            anew |= _before(program, start, at + 1, cuts)
            start, most = at + 1, 0
        most = max(most, own)
    return anew


def _before(
    program: TileProgram, start: int, end: int, cuts: Mapping[int, Cuts]
) -> dict[int, Windows]:
    """Find what the ops before the last of some in step make anew; empty where nothing is."""
    lead = cuts.get(end - 1, ())
    if len(lead) < 2 or not any(at in cuts for at in range(start, end - 1)):
        return {}
    if any(len(cuts[at]) != len(lead) - 1 for at in range(start, end - 1) if at in cuts):
        return {}
    if any(op.moves_only and op.name not in PASSED for op in program.ops[start:end]):
        return {}
    between = (result for op in program.ops[start : end - 1] for result in op.results)
    # Whoever reads such a result behind the segment would need all of it.
    if any(program.last_read.get(result, start) >= end for result in between):
        return {}
    (dim, size), *_ = lead
    result = program.ops[end - 1].results[0]
    extent = program.tensors[result].shape[dim]
    spans = tuple((low, min(low + size, extent)) for low in range(0, extent, size))
    asked = {result: Windows(dim, spans)}
    for at in range(end - 1, start - 1, -1):
        op = program.ops[at]
        if (own := asked.get(op.results[0])) is not None:
            own = asked[op.results[0]] = _in_elements(op, own, program)
            _ask(program, op, own, asked)
    # An op that needs all of a result, as a sum over it does, cannot wait for stripes.
    others = (op for op in program.ops[start:end] if asked.keys().isdisjoint(op.results))
    if any(operand.tensor in asked for op in others for operand in op.operands):
        return {}
    every = ((at, asked.get(program.ops[at].results[0])) for at in range(start, end - 1))
    return {at: windows for at, windows in every if windows and at in cuts}


def _ask(program: TileProgram, op: TilingOp, own: Windows, asked: dict[int, Windows]) -> None:
    """Widen the windows of operands to what an op reads for its own."""
    for operand in op.operands:
        access = operand.maps.get(own.dim)
        if access is None:
            continue
        extent = program.tensors[operand.tensor].shape[access.dim]
        spans = tuple(reach(access, span, extent) for span in own.spans)
        if (known := asked.get(operand.tensor)) is not None:
            pairs = zip(known.spans, spans, strict=True)
            spans = tuple((min(a, c), max(b, d)) for (a, b), (c, d) in pairs)
        asked[operand.tensor] = Windows(access.dim, spans)


def _in_elements(op: TilingOp, own: Windows, program: TileProgram) -> Windows:
    """Widen windows until they meet, and to whole elements of operands that make several."""
    maps = (operand.maps.get(own.dim) for operand in op.operands)
    unit = lcm(*(access.multiple for access in maps if access))
    extent = program.tensors[op.results[0]].shape[own.dim]
    lows = [0, *(low // unit * unit for low, _ in own.spans[1:])]
    highs = (max(high, low) for (_, high), low in zip(own.spans, [*lows[1:], extent], strict=True))
    ends = (min(extent, -(-high // unit) * unit) for high in highs)
    return Windows(own.dim, tuple(zip(lows, ends, strict=True)))

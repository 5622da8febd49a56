"""The tiles of an op under its cuts: their blocks, what they read, and the bytes that they take.

Nothing of a tiling depends on how other ops are cut. So it is made once for each op and its cuts,
and serves all plans that have them.

Example: a convolution of 3 rows on 64, cut into rows of 16: its second tile is rows 16 to 32 of the
result and reads rows 15 to 33. Rows 15 to 33 of its result are in the tiles 0, 1 and 2.

Where an op of a segment is cut along an outer dim that the ops in step in front of it are not cut
along, each of these makes, for each tile of the outer dim, all that the tile needs: its halos anew.
What two such stripes need is made twice, and its operands are read twice.

Example: two convolutions of 3 columns with padding on 64 columns, in stripes of 32. The second
makes columns 0 to 31, then 32 to 63. The first makes columns 0 to 32, then 31 to 63.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import ceil, lcm

from .boxes import Box, common, flat_bytes, flattened, padded_bytes, reach, tile_boxes
from .program import SUMMED, Cuts, TileProgram, TilingOp, TilingOperand, TilingTensor

PASSED = ("htp.SlicePad_shape", "htp.Concat")
"""Ops that only move elements, through which a reader finds the block that was made for it."""

Span = tuple[int, int]
"""The first element along a dim, and the one behind the last."""


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


TilePart = tuple[int, Box]
"""The number of a tile, and a block in it."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of an op: its block, and for each part of its sum the window of each operand.

    `sizes` are the bytes of its results in whole chunks, `flat` those without padding, `scratch`
    those that only its kernel uses.
    """

    box: Box
    reads: tuple[tuple[Box, ...], ...]
    sizes: tuple[int, ...]
    flat: tuple[int, ...]
    scratch: int


class Tiling:
    """The tiles of an op, `boxes` in order; `windows` are what it makes anew for each stripe."""

    def __init__(
        self, op: TilingOp, tensors: Sequence[TilingTensor], cuts: Cuts, windows: Windows | None
    ) -> None:
        self._op, self._tensors, self._windows = op, tensors, windows
        self._shape = shape = tensors[op.results[0]].shape if op.results else ()
        self._sizes = [(dim, size) for dim, size in cuts if dim != SUMMED and size < shape[dim]]
        self._counts = [ceil(shape[dim] / size) for dim, size in self._sizes]
        self.boxes = blocks(tile_boxes(shape, self._sizes), windows)
        self.sums = _sums(op, dict(cuts).get(SUMMED))
        self._tiles: list[Tile | None] = [None] * len(self.boxes)
        self._shared: dict[Box, tuple[TilePart, ...]] = {}

    @property
    def is_whole(self) -> bool:
        """Tell whether the op runs once, as it is."""
        return len(self.boxes) == 1 and self.sums == (None,)

    def tile(self, number: int) -> Tile:
        """Describe a tile."""
        tile = self._tiles[number]
        if tile is None:
            tile = self._tiles[number] = self._described(self.boxes[number])
        return tile

    def _described(self, box: Box) -> Tile:
        op, tensors = self._op, self._tensors
        results = [tensors[number] for number in op.results]
        # A result of another shape than the first one is made as a whole.
        own = [(t, box if t.shape == results[0].shape else t.whole) for t in results]
        extents = {dim: high - low for dim, (low, high) in enumerate(box)}
        return Tile(
            box,
            tuple(tuple(self.window(o, box, part) for o in op.operands) for part in self.sums),
            tuple(padded_bytes(tensor, block, tensor.chunk) for tensor, block in own),
            tuple(flat_bytes(tensor, block) for tensor, block in own),
            op.scratch_bytes(extents),
        )

    def window(self, operand: TilingOperand, box: Box, part: Span | None = None) -> Box:
        """Find the block of an operand that a block of the result reads, or one part of its sum.

        A block without elements is `()`.
        """
        key = box, part
        if (known := operand.blocks.get(key)) is None:
            known = operand.blocks[key] = self._block(operand, box, part)
        return known

    def _block(self, operand: TilingOperand, box: Box, part: Span | None) -> Box:
        tensor = self._tensors[operand.tensor]
        window = list(tensor.whole)
        for dim, span in (*enumerate(box), *([(SUMMED, part)] if part else [])):
            access = operand.maps.get(dim)
            # A whole result reads the whole operand, rows behind the last window, too.
            is_whole = dim != SUMMED and span == (0, self._shape[dim]) and not self._op.takes_blocks
            if access is not None and not is_whole:
                window[access.dim] = reach(access, span, tensor.shape[access.dim])
        if operand.part:
            dim, start = operand.part
            low, high = (min(max(0, at - start), tensor.shape[dim]) for at in box[dim])
            window[dim] = low, high
        return tuple(window) if all(low < high for low, high in window) else ()

    def shared(self, window: Box) -> tuple[TilePart, ...]:
        """List the tiles that hold a part of a window of a result, and that part."""
        if (known := self._shared.get(window)) is None:
            tiles = self._touched(window)
            alike = len(window) == len(self.boxes[0])
            parts = (common(self.boxes[n], window) if alike else window for n in tiles)
            known = self._shared[window] = tuple(zip(tiles, parts, strict=True))
        return known

    def nested(self, tiles: Sequence[TilePart]) -> list[Sequence[TilePart]]:
        """Group parts of tiles as they are joined: along the inner dims first, then these.

        A group for each tile where they lie along one dim.
        """
        for dim, _ in self._sizes:
            groups: dict[Span, list[TilePart]] = defaultdict(list)
            for tile, part in tiles:
                groups[part[dim]].append((tile, part))
            if len(groups) > 1:
                return [*groups.values()]
        return [[tile] for tile in tiles]

    def _touched(self, window: Box) -> Sequence[int]:
        if len(self.boxes) == 1 or len(window) != len(self.boxes[0]):
            return range(len(self.boxes))
        ranges: list[range] = []
        counts = [*self._counts]
        if self._windows is not None:
            # What no window holds is put together from all of them.
            spans = self._windows.spans
            at = self._windows.holding(window[self._windows.dim])
            ranges.append(range(len(spans)) if at is None else range(at, at + 1))
            counts = [len(spans), *counts]
        for dim, size in self._sizes:
            low, high = window[dim]
            ranges.append(range(low // size, (high - 1) // size + 1))
        return [flattened(index, counts) for index in product(*ranges)]


def tilings_of(
    program: TileProgram, plan: Mapping[int, Cuts], windows: Mapping[int, Windows]
) -> list[Tiling]:
    """Return the tiling of each op under its cuts; each is made once."""
    own = ((op, plan.get(at, ()), windows.get(at)) for at, op in enumerate(program.ops))
    return [_tiling_of(op, program.tensors, cuts, around) for op, cuts, around in own]


def _tiling_of(
    op: TilingOp, tensors: Sequence[TilingTensor], cuts: Cuts, windows: Windows | None
) -> Tiling:
    key = cuts, windows
    known = op.known.get(key)
    if not isinstance(known, Tiling):
        known = op.known[key] = Tiling(op, tensors, cuts, windows)
    return known


def _sums(op: TilingOp, size: int | None) -> tuple[Span | None, ...]:
    """List the parts of a sum."""
    if size is None:
        return (None,)
    return tuple((low, min(low + size, op.summed)) for low in range(0, op.summed, size))

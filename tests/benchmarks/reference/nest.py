"""Loop nests for a single product: stripes of columns, rows, output and input channels.

Exhaustive: every order of the loops, every count of tiles, every level at which each of the three
tensors is buffered. A buffer at level l holds what the loops order[l:] run over; it is loaded anew
whenever a loop turns that is not inside of every loop it depends on. Sums that leave TCM before
all input channels are in are written and read back, four bytes an element.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from .graph import Kind, Node, Reach, Segment, Tensor
from .sizes import CHUNK, Rules, round_up
from .takes import Kept

Grid = NDArray[np.float64]
LOOPS = "whoi"
DEPENDS = {"X": "whi", "W": "oi", "Y": "who"}
PARTIAL = 4
"""Bytes of an element of a partial sum."""
MOST_TILES = 12


@dataclass(frozen=True)
class Nest:
    """Order of the loops, extents of the tiles, and the level of each buffer."""

    order: str
    tile: tuple[int, int, int, int]
    levels: tuple[int, int, int]
    peak: int
    bytes: int
    calls: int


@dataclass(frozen=True)
class _Axes:
    """A product's extents and the grids of its tiles; one head at a time where it has heads."""

    node: Node
    segment: Segment
    rules: Rules
    kept: Kept
    extents: dict[str, int]
    tiles: dict[str, Grid]
    counts: dict[str, Grid]
    repeats: int

    @property
    def source(self) -> int:
        return self.node.operands[0].tensor


def best_nest(segment: Segment, rules: Rules, kept: Kept, room: int) -> Nest | None:
    """Choose the cheapest nest of a segment of one product that fits in `room` bytes."""
    tables = _tables(segment, rules, kept)
    best, lowest = None, np.inf
    for order, buffers in tables.buffers.items():
        for levels in product(range(1, 5), range(5), range(1, 5)):
            parts = [buffers[name][level] for name, level in zip("XWY", levels, strict=True)]
            cost = tables.cost + sum(part[1] for part in parts)
            cost = np.where(tables.peak + sum(part[0] for part in parts) <= room, cost, np.inf)
            place = int(np.argmin(cost))
            if cost.flat[place] < lowest:
                lowest, best = cost.flat[place], (order, levels, place)
    return tables.nest(*best) if best is not None else None


def can_nest(segment: Segment) -> bool:
    """Tell whether a segment is one product of one source whose sum may be cut."""
    node = segment.nodes[0]
    sources = len(node.operands) - node.has_factor
    return len(segment.nodes) == 1 and node.kind is Kind.PRODUCT and node.depth > 0 and sources == 1


@dataclass(frozen=True)
class _Tables:
    """For all tiles: calls, what no buffer changes, and by order, tensor and level the buffers."""

    axes: _Axes
    calls: Grid
    peak: Grid
    cost: Grid
    buffers: dict[str, dict[str, list[tuple[Grid, Grid]]]]

    def nest(self, order: str, levels: tuple[int, int, int], place: int) -> Nest:
        """The nest of one place of the grid."""
        parts = [self.buffers[order][n][level] for n, level in zip("XWY", levels, strict=True)]
        w, h, o, i = (int(self.axes.tiles[loop].flat[place]) for loop in LOOPS)
        peak = self.peak.flat[place] + sum(part[0].flat[place] for part in parts)
        moved = self.axes.node.extras + sum(part[1].flat[place] for part in parts)
        calls = int(self.calls.flat[place])
        return Nest(order, (w, h, o, i), levels, int(peak), round(moved), calls)


@lru_cache(maxsize=64)
def _tables(segment: Segment, rules: Rules, kept: Kept) -> _Tables:
    axes = _axes(segment, rules, kept)
    calls = axes.repeats * np.prod([axes.counts[loop] for loop in LOOPS], axis=0)
    calls = calls * np.where((axes.counts["i"] > 1) & rules.croutons, 2, 1)
    sides = {"X": _source, "W": _weights, "Y": _result}
    buffers = {
        order: {name: [side(axes, order, n) for n in range(5)] for name, side in sides.items()}
        for order in ("w" + "".join(inner) for inner in permutations("hoi"))
    }
    return _Tables(axes, calls, _fixed(axes), rules.call * calls + axes.node.extras, buffers)


def _axes(segment: Segment, rules: Rules, kept: Kept) -> _Axes:
    node = segment.nodes[0]
    result = segment.tensors[node.result]
    heads = result.columns if node.has_factor else 1
    columns = 1 if node.has_factor else result.columns
    extents = {"w": columns, "h": result.rows, "o": result.channels, "i": node.depth}
    grains = {
        "w": 1 if node.has_factor else rules.column_grain(result),
        "h": rules.grain(result),
        **dict.fromkeys("oi", rules.block if rules.croutons else 1),
    }
    sizes = [_tiles(extents[loop], grains[loop]) for loop in LOOPS]
    grids = dict(zip(LOOPS, np.meshgrid(*sizes, indexing="ij"), strict=True))
    counts = {loop: np.ceil(extents[loop] / grids[loop]) for loop in LOOPS}
    repeats = heads * result.images
    return _Axes(node, segment, rules, kept, extents, grids, counts, repeats)


def _tiles(extent: int, grain: int) -> Grid:
    """Extents of tiles: whole grains, evenly; powers of two and near them where they are many."""
    sizes: list[int] = []
    for count in range(1, extent + 1):
        size = min(round_up(-(-extent // count), grain), extent)
        if not sizes or size < sizes[-1]:
            sizes.append(size)
        if size <= grain:
            break
    while len(sizes) > MOST_TILES:
        sizes = [*sizes[:4], *sizes[4:-1:2], sizes[-1]]
    return np.array(sizes, np.float64)


def _fixed(axes: _Axes) -> Grid:
    """Constants, the part of a sum, and the copies of windows of an operand that stays."""
    node, rules = axes.node, axes.rules
    zero = np.zeros_like(axes.tiles["h"])
    peak = zero + round_up(node.extras, CHUNK)
    result = axes.segment.tensors[node.result]
    part = _held(axes, result, {loop: axes.tiles[loop] for loop in "who"}, "o", PARTIAL)
    peak = peak + np.where(axes.counts["i"] > 1, part, 0)
    if rules.croutons and axes.source in axes.kept.before and node.operands[0].is_windowed:
        peak = peak + _source_held(axes, axes.tiles)
    return peak


def _trips(axes: _Axes, name: str, order: str, level: int) -> Grid:
    """Turns of the loops that a buffer does not depend on and that load it anew."""
    outer = order[:level]
    last = max((i for i, loop in enumerate(outer) if loop in DEPENDS[name]), default=-1)
    turns = [axes.counts[k] for k in outer[: last + 1] if k not in DEPENDS[name]]
    return np.prod(turns, axis=0) if turns else np.ones_like(axes.tiles["h"])


def _extents(axes: _Axes, order: str, level: int) -> dict[str, Grid]:
    """What a buffer at this level holds of each loop."""
    return {
        loop: np.full_like(axes.tiles["h"], axes.extents[loop])
        if loop in order[level:]
        else axes.tiles[loop]
        for loop in LOOPS
    }


def _source(axes: _Axes, order: str, level: int) -> tuple[Grid, Grid]:
    zero = np.zeros_like(axes.tiles["h"])
    if axes.source in axes.kept.before:
        return zero, zero
    extents = _extents(axes, order, level)
    rows = _read(axes, "h", extents["h"])
    columns = _read(axes, "w", extents["w"])
    tensor = axes.segment.tensors[axes.source]
    depth = axes.extents["i"]
    if axes.rules.croutons and tensor.has_croutons and not tensor.is_boundary:
        depth = round_up(depth, axes.rules.block)
    moved = rows * columns * depth * tensor.itemsize * axes.repeats
    return _source_held(axes, extents), moved * _trips(axes, "X", order, level)


def _read(axes: _Axes, loop: str, sizes: Grid) -> Grid:
    """Sum over the tiles what is read of the source's rows or columns, halos included."""
    operand = axes.node.operands[0]
    tensor, rules = axes.segment.tensors[operand.tensor], axes.rules
    if loop == "w" and axes.node.has_factor:
        return np.ones_like(sizes)
    reach, extent, grain = (
        (operand.rows, tensor.rows, rules.grain(tensor))
        if loop == "h"
        else (operand.columns, tensor.columns, rules.column_grain(tensor))
    )
    table = {}
    for size in np.unique(sizes):
        total = 0
        for first in range(0, axes.extents[loop], int(size)):
            begin, end = reach.of(first, min(first + int(size), axes.extents[loop]), extent)
            total += end - begin if tensor.is_boundary else round_up(end - begin, grain)
        table[float(size)] = float(total)
    totals: Grid = np.vectorize(table.__getitem__)(sizes)
    return totals


def _source_held(axes: _Axes, extents: dict[str, Grid]) -> Grid:
    operand = axes.node.operands[0]
    tensor = axes.segment.tensors[operand.tensor]
    spans = {
        "h": _spans(operand.rows, extents["h"]),
        "w": extents["w"] if axes.node.has_factor else _spans(operand.columns, extents["w"]),
        "i": extents["i"],
    }
    return _held(axes, tensor, spans, "i", tensor.itemsize)


def _spans(reach: Reach, counts: Grid) -> Grid:
    """Count what tiles need of a source, padding included."""
    window = (reach.high - reach.low) // reach.over + 1
    return np.floor((counts - 1) * reach.times / reach.over) + window


def _held(axes: _Axes, tensor: Tensor, extents: dict[str, Grid], depth: str, size: int) -> Grid:
    rules = axes.rules

    def up(values: Grid, grain: int) -> Grid:
        return np.ceil(values / grain) * grain

    wide = rules.croutons and tensor.has_croutons
    area = up(extents["h"], rules.grain(tensor)) * up(extents["w"], rules.column_grain(tensor))
    return up(area * up(extents[depth], 32 if wide else 1) * size, CHUNK)


def _weights(axes: _Axes, order: str, level: int) -> tuple[Grid, Grid]:
    node = axes.node
    zero = np.zeros_like(axes.tiles["h"])
    nbytes = node.weights
    if node.has_factor:
        factor = node.operands[1].tensor
        if factor in axes.kept.before:
            return zero, zero
        tensor = axes.segment.tensors[factor]
        nbytes = axes.rules.all_moved(tensor)
    extents = _extents(axes, order, level)
    share = extents["o"] * extents["i"] / (axes.extents["o"] * axes.extents["i"])
    one = nbytes / (axes.repeats if node.has_factor else 1)
    again = 1 if node.has_factor else _image_turns(axes, order, level)
    return np.ceil(one * share / CHUNK) * CHUNK, nbytes * _trips(axes, "W", order, level) * again


def _image_turns(axes: _Axes, order: str, level: int) -> int:
    """Weights that do not stay whole are fetched again for each image."""
    return axes.repeats if level > 0 else 1


def _result(axes: _Axes, order: str, level: int) -> tuple[Grid, Grid]:
    node = axes.node
    tensor = axes.segment.tensors[node.result]
    zero = np.zeros_like(axes.tiles["h"])
    again = _trips(axes, "Y", order, level) - 1
    if node.result in axes.kept.behind:
        free = order[-1] == "i" or tensor.itemsize >= PARTIAL
        return zero, zero if free else np.where(axes.counts["i"] > 1, np.inf, 0)
    extents = _extents(axes, order, level)
    partial = axes.rules.all_moved(tensor) // tensor.itemsize * PARTIAL * 2 * again
    occupied = _held(axes, tensor, extents, "o", tensor.itemsize)
    return occupied, axes.rules.all_moved(tensor) + partial

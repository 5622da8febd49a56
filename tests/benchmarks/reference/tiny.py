"""The true optimum of tiny programs: the cheapest list of steps, by Dijkstra's algorithm.

A state is which tiles are in TCM and which are in main memory; a tile is a crouton row of a tensor,
or all of a node's weights. A step makes one tile: what it needs and is not in TCM is fetched just
before, what must go for it is dropped, written before or not. Less would never do: whatever is
fetched earlier, or dropped earlier, could be later at the same price. Outputs are written when
made. A tile may be made twice. So no plan of whole tiles moves fewer bytes. Cost: exponential in
the tiles; some twenty at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations, count

from .graph import Graph, Kind, Node
from .sizes import CHUNK, Rules, round_up

MOST_STATES = 400_000


@dataclass(frozen=True)
class _Make:
    """A tile that a node makes: the tiles it needs, and bytes of the window beside them."""

    tile: int
    needs: int
    window: int


@dataclass(frozen=True)
class _Program:
    """Tiles by number: bytes in TCM and on the way; masks of those that are there at first."""

    held: tuple[int, ...]
    moved: tuple[int, ...]
    start: int
    goal: int
    makes: tuple[_Make, ...]


def optimum(graph: Graph, capacity: int, rules: Rules) -> int | None:
    """Find the fewest bytes for a tiny program; None where there are too many states, or no plan."""
    program = _program(graph, rules)
    order, seen = count(), {(0, program.start): 0}
    queue = [(0, next(order), 0, program.start)]
    while queue and len(seen) < MOST_STATES:
        cost, _, tcm, main = heappop(queue)
        if cost > seen[tcm, main]:
            continue
        if main & program.goal == program.goal:
            return cost + graph.fixed_bytes
        for price, after, written in _steps(program, capacity, tcm, main):
            if cost + price < seen.get((after, written), cost + price + 1):
                seen[after, written] = cost + price
                heappush(queue, (cost + price, next(order), after, written))
    return None


def _steps(
    program: _Program, capacity: int, tcm: int, main: int
) -> Iterator[tuple[int, int, int]]:
    """The steps from a state: price, tiles in TCM, tiles in main memory."""
    for make in program.makes:
        missing = make.needs & ~tcm
        if tcm >> make.tile & 1 or main & program.goal >> make.tile & 1 or missing & ~main:
            continue
        fetched = sum(program.moved[tile] for tile in _tiles(missing))
        after = tcm | missing | 1 << make.tile
        room = capacity - make.window
        written = program.goal & 1 << make.tile
        price = fetched + (program.moved[make.tile] if written else 0)
        for gone in _least_drops(program, after, make.needs | 1 << make.tile, room):
            dirty = [tile for tile in _tiles(gone & ~main)]
            for chosen in range(1 << len(dirty)):
                kept = sum(1 << tile for i, tile in enumerate(dirty) if chosen >> i & 1)
                stored = sum(program.moved[tile] for tile in _tiles(kept))
                yield price + stored, after & ~gone, main | written | kept


def _least_drops(program: _Program, tiles: int, fixed: int, room: int) -> Iterator[int]:
    """Sets of tiles whose leaving lets the others fit, none of which holds another."""
    excess = sum(program.held[tile] for tile in _tiles(tiles)) - room
    if excess <= 0:
        yield 0
        return
    free = _tiles(tiles & ~fixed)
    for size in range(1, len(free) + 1):
        for group in combinations(free, size):
            total = sum(program.held[tile] for tile in group)
            if total >= excess and all(total - program.held[tile] < excess for tile in group):
                yield sum(1 << tile for tile in group)


def _tiles(mask: int) -> list[int]:
    """The tiles of a mask."""
    return [tile for tile in range(mask.bit_length()) if mask >> tile & 1]


def _program(graph: Graph, rules: Rules) -> _Program:
    held: list[int] = []
    moved: list[int] = []
    tiles: dict[tuple[int, int], int] = {}
    start = goal = 0
    for index, tensor in enumerate(graph.tensors):
        if not _is_used(graph, index):
            continue
        grain = rules.grain(tensor)
        for first in range(0, tensor.rows, grain):
            rows = min(grain, tensor.rows - first)
            tiles[index, first // grain] = len(held)
            start |= (index in graph.inputs) << len(held)
            goal |= (index in graph.outputs) << len(held)
            held.append(tensor.images * rules.held(tensor, rows, tensor.columns))
            moved.append(tensor.images * rules.moved(tensor, rows, tensor.columns))
    makes: list[_Make] = []
    for node in graph.nodes:
        constants = node.weights + node.extras
        weights = 0
        if constants:
            weights = 1 << len(held)
            start |= weights
            held.append(round_up(constants, CHUNK))
            moved.append(constants)
        makes += _makes(graph, rules, node, tiles, weights)
    return _Program(tuple(held), tuple(moved), start, goal, tuple(makes))


def _is_used(graph: Graph, index: int) -> bool:
    return any(
        index == node.result or any(o.tensor == index for o in node.operands)
        for node in graph.nodes
    )


def _makes(
    graph: Graph, rules: Rules, node: Node, tiles: dict[tuple[int, int], int], weights: int
) -> list[_Make]:
    """How each tile of a node's result is made."""
    result = graph.tensors[node.result]
    grain, makes = rules.grain(result), []
    for first in range(0, result.rows, grain):
        last, needs, window = min(first + grain, result.rows), weights, 0
        if node.kind in (Kind.OPAQUE, Kind.SUM, Kind.RECURRENCE):
            last = result.rows
        for operand in node.operands:
            source = graph.tensors[operand.tensor]
            begin, end = operand.rows.of(first, last, source.rows)
            step = rules.grain(source)
            for tile in range(begin // step, -(-end // step)):
                needs |= 1 << tiles[operand.tensor, tile]
            if operand.is_windowed and rules.croutons:
                rows = operand.rows.span(last - first)
                window += rules.held(source, rows, operand.columns.span(result.columns))
        makes.append(_Make(tiles[node.result, first // grain], needs, window))
    return makes

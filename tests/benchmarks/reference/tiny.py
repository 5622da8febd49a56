"""The true optimum of tiny programs: the cheapest list of steps, by Dijkstra's algorithm.

A state is which tiles are in TCM and which are in main memory; a tile is a crouton row of a tensor,
or all of a node's weights. A step makes one tile: what it needs and is not in TCM is fetched just
before, what must go for it is dropped, written before or not. Less would never do: whatever is
fetched earlier, or dropped earlier, could be later at the same price. Outputs are written when
made. A tile may be made twice. So no plan of whole tiles moves fewer bytes. Cost: exponential in
the tiles; some twenty at most.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations

from .graph import Graph, Kind, Node
from .sizes import CHUNK, Rules, round_up

MOST_STATES = 20_000
"""States that are looked at before the search gives up."""


@dataclass(frozen=True)
class _Make:
    """A tile that a node makes: the tiles it needs, and bytes of the window beside them."""

    tile: int
    needs: int
    window: int


@dataclass(frozen=True)
class _Program:
    """Tiles by number: bytes in TCM and on the way; masks of outputs, and of what is there."""

    sizes: tuple[int, ...]
    moved: tuple[int, ...]
    goal: int
    sources: int
    makes: tuple[_Make, ...]


def optimum(graph: Graph, capacity: int, rules: Rules) -> int | None:
    """Find the fewest bytes for a tiny program; None for too many states, or no plan."""
    program = _program(graph, rules)
    first = (0, program.sources)
    costs, queue = {first: 0}, [(_least(program, *first), 0, first)]
    closed: set[tuple[int, int]] = set()
    while queue and len(closed) < MOST_STATES:
        _, _, state = heappop(queue)
        if state in closed:
            continue
        closed.add(state)
        if state[1] & program.goal == program.goal:
            return costs[state] + graph.fixed_bytes
        for price, tcm, main in _steps(program, capacity, *state):
            alive = _alive(program, main)
            after, cost = (tcm & alive, main & (alive | program.goal)), costs[state] + price
            if cost < costs.get(after, cost + 1):
                costs[after] = cost
                heappush(queue, (cost + _least(program, *after), -cost, after))
    return None


def _alive(program: _Program, main: int) -> int:
    """Tiles that an output which is not written yet may still need."""
    alive = wanted = program.goal & ~main
    while wanted:
        wanted = 0
        for make in program.makes:
            if alive >> make.tile & 1 and make.needs & ~alive:
                wanted |= make.needs & ~alive
        alive |= wanted
    return alive


def _least(program: _Program, tcm: int, main: int) -> int:
    """A bound on the bytes to come: outputs that are not written, and what only has one way in."""
    unwritten = program.goal & ~main
    needs = 0
    for make in program.makes:
        if unwritten >> make.tile & 1:
            needs |= make.needs
    while True:
        before = needs
        for make in program.makes:
            if needs >> make.tile & 1 and not (tcm | main) >> make.tile & 1:
                needs |= make.needs
        if needs == before:
            break
    fetched = needs & ~tcm & program.sources
    return sum(program.moved[tile] for tile in _tiles(unwritten | fetched))


def _steps(program: _Program, capacity: int, tcm: int, main: int) -> Iterator[tuple[int, int, int]]:
    """The steps from a state: price, tiles in TCM, tiles in main memory."""
    for make in program.makes:
        missing = make.needs & ~tcm
        if tcm >> make.tile & 1 or (main & program.goal) >> make.tile & 1 or missing & ~main:
            continue
        fetched = sum(program.moved[tile] for tile in _tiles(missing))
        after = tcm | missing | 1 << make.tile
        room = capacity - make.window
        written = program.goal & 1 << make.tile
        price = fetched + (program.moved[make.tile] if written else 0)
        for gone in _least_drops(program, after, make.needs | 1 << make.tile, room):
            dirty = _tiles(gone & ~main)
            for chosen in range(1 << len(dirty)):
                kept = sum(1 << tile for i, tile in enumerate(dirty) if chosen >> i & 1)
                stored = sum(program.moved[tile] for tile in _tiles(kept))
                yield price + stored, after & ~gone, main | written | kept


def _least_drops(program: _Program, tiles: int, fixed: int, room: int) -> Iterator[int]:
    """Sets of tiles whose leaving lets the others fit, none of which holds another."""
    excess = sum(program.sizes[tile] for tile in _tiles(tiles)) - room
    if excess <= 0:
        yield 0
        return
    free = _tiles(tiles & ~fixed)
    for size in range(1, len(free) + 1):
        for group in combinations(free, size):
            total = sum(program.sizes[tile] for tile in group)
            if total >= excess and all(total - program.sizes[tile] < excess for tile in group):
                yield sum(1 << tile for tile in group)


def _tiles(mask: int) -> list[int]:
    """The tiles of a mask."""
    return [tile for tile in range(mask.bit_length()) if mask >> tile & 1]


def _program(graph: Graph, rules: Rules) -> _Program:
    sizes: list[int] = []
    moved: list[int] = []
    tiles: dict[tuple[int, int], int] = {}
    start = goal = 0
    for index, tensor in enumerate(graph.tensors):
        if not _is_used(graph, index):
            continue
        grain = rules.grain(tensor)
        for first in range(0, tensor.rows, grain):
            rows = min(grain, tensor.rows - first)
            tiles[index, first // grain] = len(sizes)
            start |= (index in graph.inputs) << len(sizes)
            goal |= (index in graph.outputs) << len(sizes)
            sizes.append(tensor.images * rules.held(tensor, rows, tensor.columns))
            moved.append(tensor.images * rules.moved(tensor, rows, tensor.columns))
    makes: list[_Make] = []
    for node in graph.nodes:
        constants = node.weights + node.extras
        weights = 0
        if constants:
            weights = 1 << len(sizes)
            start |= weights
            sizes.append(round_up(constants, CHUNK))
            moved.append(constants)
        makes += _makes(graph, rules, node, tiles, weights)
    return _Program(tuple(sizes), tuple(moved), goal, start, tuple(makes))


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

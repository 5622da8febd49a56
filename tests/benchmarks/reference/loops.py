"""Follows a nest of loops tile by tile, with a buffer for each tensor, and counts what moves."""

from dataclasses import dataclass, field
from itertools import product
from math import ceil

from .actions import Loops
from .graph import Graph, Reach, Tensor

Block = tuple[tuple[int, int], ...]
"""Ranges of the loops that a tensor depends on."""
PARTIAL = 4


@dataclass
class _Buffer:
    """What a tensor's buffer holds, and the bytes that it needed at most."""

    depends: str
    level: int
    tile: Block | None = None
    most: int = 0


@dataclass
class _Follower:
    graph: Graph
    action: Loops
    croutons: bool
    moved: int = 0
    sums: dict[Block, int] = field(default_factory=dict)
    window: int = 0
    part: int = 0

    def __post_init__(self) -> None:
        self.node = self.graph.nodes[self.action.node]
        self.result = self.graph.tensors[self.node.result]
        self.source = self.graph.tensors[self.node.operands[0].tensor]
        columns = 1 if self.node.has_factor else self.result.columns
        sizes = (columns, self.result.rows, self.result.channels, self.node.depth)
        self.extents = dict(zip("whoi", sizes, strict=True))
        heads = self.result.columns if self.node.has_factor else 1
        self.repeats = heads * self.result.images
        nest = self.action.nest
        self.tiles = dict(zip("whoi", nest.tile, strict=True))
        x, w, y = nest.levels
        self.buffers = {"X": _Buffer("whi", x), "W": _Buffer("oi", w), "Y": _Buffer("who", y)}

    def follow(self) -> tuple[int, int]:
        order = self.action.nest.order
        starts = [range(0, self.extents[k], self.tiles[k]) for k in order]
        for repeat in range(self.repeats):
            keeps = self.buffers["W"].level == 0 and not self.node.has_factor and repeat > 0
            for name, buffer in self.buffers.items():
                if not (name == "W" and keeps):
                    buffer.tile = None
            for firsts in product(*starts):
                self._tile(order, dict(zip(order, firsts, strict=True)))
            self._leaves(self.buffers["Y"])
            self.sums.clear()
        peak = sum(b.most for b in self.buffers.values()) + self.window + self.part
        return self.moved + self.node.extras, peak + _chunks(self.node.extras)

    def _range(self, loop: str, first: int) -> tuple[int, int]:
        return first, min(first + self.tiles[loop], self.extents[loop])

    def _tile(self, order: str, firsts: dict[str, int]) -> None:
        ranges = {k: self._range(k, first) for k, first in firsts.items()}
        for name, buffer in self.buffers.items():
            inner = order[buffer.level :]
            block = tuple((0, self.extents[k]) if k in inner else ranges[k] for k in buffer.depends)
            if block != buffer.tile:
                if name == "Y":
                    self._leaves(buffer)
                buffer.tile = block
                self._comes(name, buffer, block)
        tile = tuple(ranges[k] for k in "who")
        key = tuple(tile)
        self.sums[key] = self.sums.get(key, 0) + ranges["i"][1] - ranges["i"][0]
        if self.tiles["i"] < self.extents["i"]:
            size = self._bytes(self.result, tile[1], tile[0], tile[2], PARTIAL)
            self.part = max(self.part, _chunks(size))
        before = self.node.operands[0].tensor in self.action.before
        if before and self.croutons and self.node.operands[0].is_windowed:
            size = self._source((ranges["w"], ranges["h"], ranges["i"]), padding=True)
            self.window = max(self.window, _chunks(size))

    def _comes(self, name: str, buffer: _Buffer, block: Block) -> None:
        """Load a buffer; of a result only sums that are not complete."""
        if name == "X" and self.node.operands[0].tensor not in self.action.before:
            self.moved += self._source(block, padding=False)
            buffer.most = max(buffer.most, _chunks(self._source(block, padding=True)))
        if name == "W":
            self._weights(buffer, block)
        if name == "Y" and self.node.result not in self.action.behind:
            size = self._bytes(self.result, block[1], block[0], block[2])
            buffer.most = max(buffer.most, _chunks(size))
            self.moved += self._partial(block)

    def _leaves(self, buffer: _Buffer) -> None:
        if buffer.tile is None or self.node.result in self.action.behind:
            return
        inside = self._inside(buffer.tile)
        if all(self.sums[key] == self.extents["i"] for key in inside):
            self.moved += self._result_bytes(buffer.tile)
        else:
            self.moved += self._partial(buffer.tile)

    def _result_bytes(self, block: Block) -> int:
        """Bytes of a part of the result on its way."""
        columns, rows, channels = block
        return self._bytes(self.result, rows, columns, channels, ends=True)

    def _inside(self, block: Block) -> list[Block]:
        return [
            key
            for key in self.sums
            if all(a <= b and d <= c for (a, c), (b, d) in zip(block, key, strict=True))
        ]

    def _partial(self, block: Block) -> int:
        """Bytes of sums that have begun and are not complete."""
        inside = self._inside(block)
        if not inside or all(self.sums[key] == self.extents["i"] for key in inside):
            return 0
        size = self._result_bytes(block)
        return size // self.result.itemsize * PARTIAL

    def _source(self, block: Block, padding: bool) -> int:
        columns, rows, depth = block
        operand = self.node.operands[0]
        if padding:
            rows = 0, _span(operand.rows, rows)
            columns = columns if self.node.has_factor else (0, _span(operand.columns, columns))
            return self._bytes(self.source, rows, columns, depth)
        rows = operand.rows.of(*rows, self.source.rows)
        if not self.node.has_factor:
            columns = operand.columns.of(*columns, self.source.columns)
        return self._bytes(self.source, rows, columns, depth, ends=True)

    def _weights(self, buffer: _Buffer, block: Block) -> None:
        total = self.node.weights
        if self.node.has_factor:
            factor = self.node.operands[1].tensor
            if factor in self.action.before:
                return
            tensor = self.graph.tensors[factor]
            total = self._bytes(tensor, (0, tensor.rows), (0, 1), (0, tensor.channels), ends=True)
        share = (block[0][1] - block[0][0]) * (block[1][1] - block[1][0])
        size = ceil(total * share / (self.extents["o"] * self.extents["i"]))
        self.moved += size
        buffer.most = max(buffer.most, _chunks(size))

    def _bytes(
        self,
        tensor: Tensor,
        rows: tuple[int, int],
        columns: tuple[int, int],
        channels: tuple[int, int],
        size: int | None = None,
        ends: bool = False,
    ) -> int:
        counts = [part[1] - part[0] for part in (rows, columns, channels)]
        if self.croutons and tensor.has_croutons and not (ends and tensor.is_boundary):
            grains = 8, 8 // tensor.itemsize, 32
            counts = [ceil(n / grain) * grain for n, grain in zip(counts, grains, strict=True)]
        return counts[0] * counts[1] * counts[2] * (tensor.itemsize if size is None else size)


def _span(reach: Reach, wanted: tuple[int, int]) -> int:
    return reach.span(wanted[1] - wanted[0])


def _chunks(size: int) -> int:
    return ceil(size / 2048) * 2048


def follow(graph: Graph, action: Loops, croutons: bool) -> tuple[int, int]:
    """Count the bytes that a nest moves, and those of its buffers."""
    return _Follower(graph, action, croutons).follow()

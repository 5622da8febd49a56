"""Replays a plan element by element and checks it: nothing is read that is not there.

Shares with the planner what a graph and an action are, and nothing else: it counts bytes and TCM by
itself. A column of channels is there or is not, in TCM and in main memory; a result is there when
all blocks of weights have been applied to it, a sum when it has taken every element once.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from numpy.typing import NDArray

from .actions import (
    Action,
    Direct,
    Drop,
    Fetch,
    Forget,
    Hold,
    Load,
    Loops,
    Make,
    Part,
    Release,
    Write,
)
from .graph import Graph, Kind, Node, Tensor
from .loops import follow

Cells = NDArray[np.bool_]


class Broken(Exception):
    """A plan that does what cannot be done."""


@dataclass(frozen=True)
class Totals:
    """Bytes moved, and the most bytes of buffers at once."""

    bytes: int
    peak: int


def replay(graph: Graph, steps: Iterable[Action], capacity: int, croutons: bool) -> Totals:
    """Run the actions of a plan; Broken names the first that is impossible."""
    machine = _Machine(graph, capacity, croutons)
    for action in steps:
        machine.run(action)
    for index in graph.outputs:
        if not machine.main[index].all():
            raise Broken(f"output {index} is not written whole")
    return Totals(machine.bytes + graph.fixed_bytes, machine.peak)


def _cells(tensor: Tensor) -> Cells:
    return np.zeros((tensor.images, tensor.rows, tensor.columns), bool)


def _at(part: Part) -> tuple[int, slice, slice]:
    return part.image, slice(*part.rows), slice(*part.columns)


@dataclass
class _Machine:
    """Both memories."""

    graph: Graph
    capacity: int
    croutons: bool
    bytes: int = 0
    peak: int = 0
    buffers: dict[str, Hold] = field(default_factory=dict)
    weights: set[tuple[int, int]] = field(default_factory=set)
    taken: Counter[tuple[int, int]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        tensors = self.graph.tensors
        self.tcm = [_cells(tensor) for tensor in tensors]
        self.main = [_cells(tensor) for tensor in tensors]
        self.blocks = [np.zeros(cells.shape, int) for cells in self.tcm]
        for index in self.graph.inputs:
            self.main[index][:] = True

    def run(self, action: Action) -> None:
        match action:
            case Hold():
                self.buffers[action.buffer] = action
                self._occupy(0)
            case Release():
                self._released(self.buffers.pop(action.buffer))
            case Fetch():
                self._need(self.main, action.part, "main memory")
                self.tcm[action.part.tensor][_at(action.part)] = True
                self.blocks[action.part.tensor][_at(action.part)] = 0
                self._fits(action.part.tensor)
                self.bytes += self._size(action.part, self._in_window(action.part.tensor))
            case Write():
                self._need(self.tcm, action.part, "TCM")
                self.main[action.part.tensor][_at(action.part)] = True
                self.bytes += self._size(action.part)
            case Drop():
                self.tcm[action.part.tensor][_at(action.part)] = False
            case Load():
                self.weights.add((action.node, action.block))
                self.bytes += action.bytes
            case Forget():
                self.weights.discard((action.node, action.block))
            case Make():
                self._make(action)
            case Loops():
                self._loops(action)
            case Direct():
                self._direct(action)

    def _occupy(self, more: int) -> None:
        total = more + sum(hold.bytes for hold in self.buffers.values())
        self.peak = max(self.peak, total)
        if total > self.capacity:
            raise Broken(f"{total} bytes of buffers, there are {self.capacity}")

    def _released(self, hold: Hold) -> None:
        for index in hold.tensors:
            if self.tcm[index].any():
                raise Broken(f"tensor {index} is in a buffer that is released")

    def _need(self, memory: list[Cells], part: Part, name: str) -> None:
        if not memory[part.tensor][_at(part)].all():
            raise Broken(f"{part} is not in {name}")

    def _in_window(self, index: int) -> bool:
        return "window" in self.buffers and index in self.buffers["window"].tensors

    def _size(self, part: Part, by_rows: bool = False) -> int:
        """Bytes of a part on its way: flat at the boundary, in whole croutons or rows of such."""
        tensor = self.graph.tensors[part.tensor]
        rows, columns = part.rows[1] - part.rows[0], part.columns[1] - part.columns[0]
        if by_rows and not tensor.is_boundary:
            return rows * self._bytes(tensor, 8, columns) // 8
        return self._bytes(tensor, rows, columns, padded=not tensor.is_boundary)

    def _bytes(self, tensor: Tensor, rows: int, columns: int, padded: bool = True) -> int:
        channels = tensor.channels
        if padded and self.croutons and tensor.has_croutons:
            wide = 8 // tensor.itemsize
            rows, columns = ceil(rows / 8) * 8, ceil(columns / wide) * wide
            channels = ceil(channels / 32) * 32
        return rows * columns * channels * tensor.itemsize

    def _fits(self, index: int) -> None:
        """A tensor's cells in TCM, with the croutons around them, fit into its buffer."""
        hold = next((h for h in self.buffers.values() if index in h.tensors), None)
        if hold is None:
            raise Broken(f"tensor {index} has no buffer")
        total = 0
        for other in hold.tensors:
            for cells in self.tcm[other]:
                rows, columns = np.flatnonzero(cells.any(1)), np.flatnonzero(cells.any(0))
                if rows.size:
                    padded = self.croutons and self.graph.tensors[other].has_croutons
                    is_ring = hold.buffer != "window"
                    first = rows[0] // 8 * 8 if padded and is_ring else rows[0]
                    height, width = rows[-1] + 1 - first, columns[-1] + 1 - columns[0]
                    total += self._bytes(self.graph.tensors[other], int(height), int(width))
        if total > hold.bytes:
            raise Broken(f"{total} bytes in buffer '{hold.buffer}' of {hold.bytes}")

    def _make(self, action: Make) -> None:
        node = self.graph.nodes[action.node]
        needs = {(action.node, -1)} | ({(action.node, action.block)} if node.weights else set())
        if not needs <= self.weights:
            raise Broken(f"node {action.node} lacks block {action.block} of its weights")
        if node.kind is Kind.SUM:
            self._take(node, action.part)
            return
        window = 0
        for operand in node.operands:
            tensor = self.graph.tensors[operand.tensor]
            rows = operand.rows.of(*action.part.rows, tensor.rows)
            columns = operand.columns.of(*action.part.columns, tensor.columns)
            self._need(self.tcm, Part(operand.tensor, action.part.image, rows, columns), "TCM")
            if operand.is_windowed:
                window += self._bytes(tensor, rows[1] - rows[0], columns[1] - columns[0])
        if self.croutons and window > self.buffers["window"].bytes:
            raise Broken(f"node {action.node} needs {window} bytes for its window")
        self._made(node, action)

    def _made(self, node: Node, action: Make) -> None:
        at, result = _at(action.part), node.result
        fresh = ~self.tcm[result][at]
        if action.block == 0:
            self.blocks[result][at] = 0
        elif (fresh & (self.blocks[result][at] != action.block)).any():
            raise Broken(f"node {action.node} takes its weights out of order")
        self.blocks[result][at] = action.block + 1
        self.tcm[result][at] = True
        self._fits(result)

    def _take(self, node: Node, part: Part) -> None:
        """Add elements to a sum, each once."""
        self._need(self.tcm, part, "TCM")
        source, result = part.tensor, node.result
        taken = self.blocks[source][_at(part)]
        if (taken < 0).any():
            raise Broken(f"{part} is summed twice")
        self.blocks[source][_at(part)] = -1
        image = part.image
        self.taken[result, image] += taken.size
        if self.taken[result, image] == self.tcm[source][image].size:
            self.tcm[result][image] = True
            self._fits(result)

    def _direct(self, action: Direct) -> None:
        node = self.graph.nodes[action.node]
        for index in {operand.tensor for operand in node.operands}:
            if self.tcm[index].all():
                continue
            if not self.main[index].all():
                raise Broken(f"tensor {index} is in no memory")
            self.bytes += self._whole(index)
        self.main[node.result][:] = True
        self.bytes += self._whole(node.result) + node.weights + node.extras

    def _whole(self, index: int) -> int:
        tensor = self.graph.tensors[index]
        padded = not tensor.is_boundary
        return tensor.images * self._bytes(tensor, tensor.rows, tensor.columns, padded)

    def _loops(self, action: Loops) -> None:
        """Follow a nest tile by tile."""
        node = self.graph.nodes[action.node]
        for operand in node.operands:
            memory = self.tcm if operand.tensor in action.before else self.main
            if not memory[operand.tensor].all():
                raise Broken(f"tensor {operand.tensor} is not there")
        moved, peak = follow(self.graph, action, self.croutons)
        self._occupy(peak)
        self.bytes += moved
        stays = node.result in action.behind
        (self.tcm if stays else self.main)[node.result][:] = True

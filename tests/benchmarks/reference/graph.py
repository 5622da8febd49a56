"""Graphs as the reference planner sees them: tensors of rows, and nodes that read ranges."""

from dataclasses import dataclass, replace
from enum import Enum, auto


class Kind(Enum):
    """The ways in which a node reads and computes."""

    PRODUCT = auto()
    """Sums over input channels; weights may be fetched in blocks of output channels."""
    POINTWISE = auto()
    """Keeps channels apart: element-wise ops, pools, depthwise convolutions, norms."""
    SUM = auto()
    """Sums all rows and columns as they come; the result is there when the last one has come."""
    RECURRENCE = auto()
    """Runs row by row, and needs its weights for each row."""
    OPAQUE = auto()
    """Needs its operands whole; where they do not fit, it runs from main memory."""


@dataclass(frozen=True)
class Reach:
    """The range of an operand's dim that a range of the result's dim needs.

    Result elements [a, b) need [(a * times + low) // over, ((b - 1) * times + high) // over + 1),
    as far as the operand goes; or all of it.
    """

    times: int = 1
    over: int = 1
    low: int = 0
    high: int = 0
    whole: bool = False

    def of(self, first: int, last: int, extent: int) -> tuple[int, int]:
        """Bound the elements that [first, last) needs."""
        if self.whole:
            return 0, extent
        if last <= first:
            return 0, 0
        begin = min(max((first * self.times + self.low) // self.over, 0), extent)
        end = min(((last - 1) * self.times + self.high) // self.over + 1, extent)
        return begin, max(end, begin)

    def span(self, count: int) -> int:
        """Count the elements, padding included, that `count` elements of the result need."""
        return (count - 1) * self.times // self.over + (self.high - self.low) // self.over + 1

    @property
    def is_window(self) -> bool:
        """True where neighbouring results share elements, or some elements are skipped."""
        return not self.whole and (self.high - self.low >= self.over or self.times > 1)


SAME = Reach()
WHOLE = Reach(whole=True)


@dataclass(frozen=True)
class Tensor:
    """Extents, bytes of an element, and what is known of where the tensor comes from and goes.

    `is_boundary` says that it is an input or output of the model, which lies flat in main memory.
    """

    rows: int
    columns: int
    channels: int
    itemsize: int
    images: int = 1
    has_croutons: bool = False
    is_boundary: bool = False

    @property
    def bytes(self) -> int:
        """Bytes without padding."""
        return self.images * self.rows * self.columns * self.channels * self.itemsize


@dataclass(frozen=True)
class Operand:
    """A tensor by its index, and the ranges of it that a node needs."""

    tensor: int
    rows: Reach = SAME
    columns: Reach = SAME

    @property
    def is_windowed(self) -> bool:
        """True where the op set has the needed part copied together first."""
        return self.rows.is_window or self.columns.is_window


@dataclass(frozen=True)
class Node:
    """An op: operands, the index of its result, bytes of weights and of what else is constant.

    `depth` counts the input channels that a PRODUCT sums over in turn, 0 where it cannot be cut
    there. With `has_factor` the last operand is what the others are multiplied with.
    """

    kind: Kind
    operands: tuple[Operand, ...]
    result: int
    weights: int = 0
    extras: int = 0
    depth: int = 0
    has_factor: bool = False


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of their running; tensors by index, with names for people."""

    tensors: tuple[Tensor, ...]
    nodes: tuple[Node, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    names: tuple[str, ...] = ()
    fixed_bytes: int = 0
    """Bytes that any plan moves and that no node accounts for: states, small outputs."""

    @property
    def compulsory(self) -> int:
        """Bytes of inputs, constants and outputs, each once."""
        read = {operand.tensor for node in self.nodes for operand in node.operands}
        ends = sum(self.tensors[i].bytes for i in self.inputs if i in read)
        ends += sum(self.tensors[i].bytes for i in self.outputs)
        return ends + self.fixed_bytes + sum(node.weights + node.extras for node in self.nodes)

    def last_reader(self) -> dict[int, int]:
        """Position of the last node that reads each tensor; one past the end for an output."""
        last = {
            operand.tensor: position
            for position, node in enumerate(self.nodes)
            for operand in node.operands
        }
        return last | dict.fromkeys(self.outputs, len(self.nodes))


@dataclass(frozen=True)
class Segment:
    """Neighbouring nodes with tensors counted anew, so that equal segments are equal.

    `sources` come from outside, `leaving` are read later or are outputs.
    """

    tensors: tuple[Tensor, ...]
    nodes: tuple[Node, ...]
    sources: tuple[int, ...]
    leaving: tuple[int, ...]


def cut_out(graph: Graph, first: int, end: int) -> tuple[Segment, tuple[int, ...]]:
    """Take the nodes [first, end) as a segment; also the graph's index of each of its tensors."""
    last = graph.last_reader()
    order: dict[int, int] = {}
    for node in graph.nodes[first:end]:
        for index in (*(operand.tensor for operand in node.operands), node.result):
            order.setdefault(index, len(order))
    nodes = tuple(_renamed(node, order) for node in graph.nodes[first:end])
    results = {node.result for node in nodes}
    return Segment(
        tuple(graph.tensors[index] for index in order),
        nodes,
        tuple(local for local in order.values() if local not in results),
        tuple(order[i] for i in order if order[i] in results and last.get(i, -1) >= end),
    ), tuple(order)


def _renamed(node: Node, order: dict[int, int]) -> Node:
    operands = tuple(replace(o, tensor=order[o.tensor]) for o in node.operands)
    return replace(node, operands=operands, result=order[node.result])

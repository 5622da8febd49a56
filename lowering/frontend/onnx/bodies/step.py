"""A step: the graph inside a node as a function, which the node's body calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onnx import FunctionProto, GraphProto, NodeProto, TensorProto, helper

from ..subgraphs import graphs_of, nodes_inside
from ..support.faults import NodeFault
from ..support.registry import BLOCK_OPS
from .body import MAX_NODES, STEP, key_of
from .builder import FunctionBuilder, Inner


class InnerGraph:
    """The graph inside a node; what it takes from around it becomes inputs of the function.

    Its constants stay outside of the function: each is there once, however often it is called.
    `branch` tells it from another graph of the node.
    """

    def __init__(self, graph: GraphProto, builder: FunctionBuilder, branch: str = "") -> None:
        if graph.sparse_initializer:
            raise NodeFault("a graph inside it has a sparse initializer", "store it dense")
        self.builder = builder
        self.size = sum(1 for _ in nodes_inside(graph.node))
        self.counts = len(graph.input), len(graph.output)
        free = list(dict.fromkeys(_free(graph)))
        self._outer = [builder.outer(name) for name in free]
        for tensor in _constants(graph):
            self._outer += builder.emit("Constant", [], 1, {"value": tensor})
        self.keeps_state = any(node.domain == BLOCK_OPS for node in nodes_inside(graph.node))
        self.function = _function(graph, f"{key_of(builder.node)}{branch}", free)

    def require(self, inputs: int, least_outputs: int) -> None:
        """Refuse a graph with other numbers of inputs and outputs than its node asks for."""
        taken, returned = self.counts
        if taken != inputs or returned < least_outputs:
            problem = f"the graph inside it has {taken} inputs and {returned} outputs"
            raise NodeFault(problem, f"it must have {inputs} and at least {least_outputs}")

    def check_growth(self, trips: int) -> None:
        """Refuse more calls than can be worked with."""
        if trips * max(self.size, 1) > MAX_NODES:
            problem = f"its {trips} trips of {self.size} nodes each are too many to unroll"
            raise NodeFault(problem, f"at most {MAX_NODES} nodes are taken")

    def call(self, inputs: Sequence[Inner]) -> list[Inner]:
        """Add a call of the function; return the graph's outputs."""
        operands = [*inputs, *self._outer]
        return self.builder.emit(self.function.name, operands, self.counts[1], {}, STEP)


def _function(graph: GraphProto, name: str, free: Sequence[str]) -> FunctionProto:
    outputs = [f"htp.out.{index}" for index in range(len(graph.output))]
    inputs = [*(value.name for value in graph.input), *free]
    inputs += [tensor.name for tensor in _constants(graph)]
    ends = [
        helper.make_node("Identity", [value.name], [output])
        for value, output in zip(graph.output, outputs, strict=True)
    ]
    return helper.make_function(STEP, name, inputs, outputs, [*graph.node, *ends], [])


def _constants(graph: GraphProto) -> list[TensorProto]:
    """Return the initializers that are not defaults of inputs."""
    inputs = {value.name for value in graph.input}
    return [tensor for tensor in graph.initializer if tensor.name not in inputs]


def _free(graph: GraphProto) -> Iterator[str]:
    """Yield the names that a graph takes from around it."""
    own = {""} | {value.name for value in graph.input} | {t.name for t in graph.initializer}
    own |= {name for node in graph.node for name in node.output}
    for node in graph.node:
        yield from (name for name in _used(node) if name not in own)
    yield from (value.name for value in graph.output if value.name not in own)


def _used(node: NodeProto) -> Iterator[str]:
    yield from node.input
    for attribute in node.attribute:
        for graph in graphs_of(attribute):
            yield from _free(graph)

"""Graphs made simpler: what runs with its producer, and which tensors lie in croutons."""

from collections import Counter
from dataclasses import replace

from .graph import Graph, Kind, Node

SMALL = 64
"""Bytes of constants, such as bounds, below which a node runs with what makes its operand."""


def merged(graph: Graph) -> Graph:
    """Let element-wise ops of one operand run with what makes it, where nobody else reads that."""
    nodes: list[Node] = []
    readers = Counter(operand.tensor for node in graph.nodes for operand in node.operands)
    for node in graph.nodes:
        source = node.operands[0].tensor if len(node.operands) == 1 else -1
        before, after = graph.tensors[source], graph.tensors[node.result]
        producer = next((i for i, n in enumerate(nodes) if n.result == source), None)
        is_plain = node.kind is Kind.POINTWISE and node.extras < SMALL
        is_alike = replace(before, is_boundary=False) == replace(after, is_boundary=False)
        alone = readers[source] == 1 and source not in graph.outputs
        if (
            producer is None
            or not (is_plain and is_alike and alone)
            or node.operands[0].is_windowed
        ):
            nodes.append(node)
        else:
            nodes[producer] = replace(nodes[producer], result=node.result)
    return replace(graph, nodes=tuple(nodes))


def crouton_tensors(nodes: list[Node], imaged: set[int]) -> set[int]:
    """Tensors of images: those of convolutions and pools, and what element-wise ops tie to them."""
    croutons = set(imaged)
    while True:
        before = len(croutons)
        for node in nodes:
            tied = {*(o.tensor for o in node.operands), node.result}
            if node.kind is Kind.POINTWISE and tied & croutons:
                croutons |= tied
        if len(croutons) == before:
            return croutons

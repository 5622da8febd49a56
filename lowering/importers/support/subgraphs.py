"""Walks over nodes and the graphs inside their attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from onnx import AttributeProto, GraphProto, NodeProto


def nodes_inside(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Yield the nodes, and those of all graphs inside them, however deep."""
    left = [*nodes]
    while left:
        node = left.pop()
        yield node
        for attribute in node.attribute:
            for graph in graphs_of(attribute):
                left += graph.node


def graphs_of(attribute: AttributeProto) -> list[GraphProto]:
    """Return the graphs that an attribute holds, whatever kind it says to be."""
    return [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]

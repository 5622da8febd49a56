"""ONNX nodes: walks with the graphs inside their attributes, and attributes as Python values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from onnx import AttributeProto, GraphProto, NodeProto, helper


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


def attribute_value(attribute: AttributeProto) -> object:
    """Return an attribute's value, text as str."""
    value: object = helper.get_attribute_value(attribute)
    if attribute.type == AttributeProto.STRINGS:
        return [text.decode(errors="replace") for text in attribute.strings]
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def key_of(node: NodeProto) -> str:
    """Return the name of a node's function: its first output's, which no other node has."""
    return next((name for name in node.output if name), "")

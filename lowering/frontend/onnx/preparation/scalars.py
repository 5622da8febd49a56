"""Scalars where ONNX asks for them: Range takes none with dims, yet its own bodies give it some."""

from __future__ import annotations

from onnx import GraphProto, NodeProto, helper

from ..nodes import op_of


def squeeze_ranges(graph: GraphProto) -> None:
    """Squeeze what a Range takes, unless it is a constant without dims, or squeezed already."""
    scalars = {tensor.name for tensor in graph.initializer if not tensor.dims}
    scalars |= {
        name
        for node in graph.node
        if op_of(node) == ("", "Squeeze") and len(node.input) == 1
        for name in node.output
    }
    nodes: list[NodeProto] = []
    for node in graph.node:
        if op_of(node) == ("", "Range"):
            for index, name in enumerate(node.input):
                if name not in scalars:
                    one = f"{node.output[0]}/{index}"
                    nodes.append(helper.make_node("Squeeze", [name], [one], node.name))
                    node.input[index] = one
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)

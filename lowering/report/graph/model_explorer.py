"""Graphs as JSON of Model Explorer: a collection of graphs, and node data for them.

Source: Model Explorer's published JSON of graphs and of custom node data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from ....dialects.diagnostics import fail
from .view import GraphView, Output, Vertex

_LIGHT, _DARK = "#e8f1fb", "#1d5fa8"
"""Colours of the fewest and of the most bytes."""
_COLOURS = {"tcm": "#9fd9b8", "ddr": "#d8dde6", "flat": "#d8dde6", "crouton": "#f2cf8a"}
"""Colours of memories and layouts; others have none."""

Value = str | int
_READERS: dict[str, Callable[[Output], Value | None]] = {
    "bytes": lambda output: output.spec.nbytes if output.spec else None,
    "layout": lambda output: output.attrs().get("layout"),
    "memory": lambda output: output.attrs().get("memory"),
}
"""Readers of a result for each kind of node data."""
DATA = tuple(_READERS)


def as_graph_json(label: str, graphs: Sequence[GraphView]) -> str:
    """Write the collection of graphs, which the tool opens as a model."""
    drawn = [
        {"id": graph.name, "nodes": [_node(graph, vertex) for vertex in graph.vertices]}
        for graph in graphs
    ]
    return json.dumps({"label": label, "graphs": drawn}, indent=1) + "\n"


def as_node_data(kind: str, graphs: Sequence[GraphView]) -> str:
    """Write the bytes, layouts or memories of the nodes' results, which the tool lays over a graph.

    HtpError where no result has any.
    """
    data = {graph.name: _values(kind, graph) for graph in graphs}
    if not any(data.values()):
        remedy = "lower it to level=placed first"
        raise fail("model-explorer", f"no tensor of the module has a {kind}", remedy)
    return json.dumps({name: _data(values) for name, values in data.items()}, indent=1) + "\n"


def _node(graph: GraphView, vertex: Vertex) -> dict[str, object]:
    edges = [
        {
            "sourceNodeId": edge.source,
            "sourceNodeOutputId": str(edge.output),
            "targetNodeInputId": str(index),
        }
        for index, edge in enumerate(vertex.edges)
    ]
    inputs = [
        {"id": str(index), "attrs": _pairs({"__tensor_tag": edge.operand})}
        for index, edge in enumerate(vertex.edges)
    ]
    outputs = [
        {"id": str(index), "attrs": _pairs({"tensor_shape": output.label, **output.attrs()})}
        for index, output in enumerate(vertex.outputs)
    ]
    return {
        "id": vertex.id,
        "label": vertex.label,
        "namespace": "/".join(vertex.namespace),
        "attrs": _pairs(vertex.attrs),
        "incomingEdges": edges,
        "inputsMetadata": inputs,
        "outputsMetadata": outputs,
    }


def _pairs(facts: dict[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in facts.items()]


def _values(kind: str, graph: GraphView) -> dict[str, Value]:
    """Return the value of each vertex: its bytes added up, else that of its first result."""
    read = _READERS[kind]
    values: dict[str, Value] = {}
    for vertex in graph.vertices:
        each = [value for output in vertex.outputs if (value := read(output)) is not None]
        if each:
            numbers = [value for value in each if isinstance(value, int)]
            values[vertex.id] = sum(numbers) if numbers else each[0]
    return values


def _data(values: dict[str, Value]) -> dict[str, object]:
    results = {key: _result(value) for key, value in values.items()}
    if any(isinstance(value, str) for value in values.values()):
        return {"results": results}
    ends = [{"stop": 0, "bgColor": _LIGHT}, {"stop": 1, "bgColor": _DARK}]
    return {"results": results, "gradient": ends}


def _result(value: Value) -> dict[str, Value]:
    colour = _COLOURS.get(value) if isinstance(value, str) else None
    return {"value": value, **({"bgColor": colour} if colour else {})}

"""The output targets `dot` and `model-explorer`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ....dialects.diagnostics import fail
from ....dialects.suggestions import listed
from .build import graphs
from .model_explorer import DATA, as_graph_json, as_node_data
from .view import Cluster, GraphView, Look, clusters

_STYLES = {
    Look.INPUT: 'shape=ellipse, fillcolor="#e8eef9"',
    Look.CONSTANT: 'shape=box, fillcolor="#eceff3", fontcolor="#5b6678"',
    Look.DDR: 'shape=box, fillcolor="#ffffff"',
    Look.TCM: 'shape=box, fillcolor="#d9f0e3"',
    Look.OUTPUT: 'shape=ellipse, fillcolor="#fdf0d5"',
}


def as_dot(graphs: Sequence[GraphView]) -> str:
    """Write one digraph for each function; clusters are the parts of node names.

    Types stand in the vertices: with labels at edges, dot fails on some graphs with clusters.
    """
    return "\n".join("\n".join(_graph(graph)) for graph in graphs) + "\n"


def _quoted(text: str) -> str:
    """Return text as a string of the language; line breaks stay."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _graph(graph: GraphView) -> Iterator[str]:
    yield f"digraph {_quoted(graph.name)} {{"
    yield '  graph [fontname="Helvetica", color="#98a3b5", style=rounded, newrank=true];'
    yield '  node [fontname="Helvetica", style="filled,rounded", color="#5b6678"];'
    yield '  edge [fontname="Helvetica", color="#5b6678"];'
    yield from _cluster(clusters(graph.vertices), "  ", count())
    for vertex in graph.vertices:
        for edge in vertex.edges:
            yield f"  {_quoted(edge.source)} -> {_quoted(vertex.id)};"
    yield "}"


def _cluster(cluster: Cluster, indent: str, numbers: Iterator[int]) -> Iterator[str]:
    for vertex in cluster.vertices:
        results = [output.label for output in vertex.outputs]
        kernel = vertex.attrs.get("kernel", "").strip('"')
        label = "\n".join(filter(None, [vertex.label, *results, kernel]))
        yield f"{indent}{_quoted(vertex.id)} [label={_quoted(label)}, {_STYLES[vertex.look]}];"
    for inner in cluster.inner.values():
        yield f'{indent}subgraph "cluster_{next(numbers)}" {{'
        yield f"{indent}  label={_quoted(inner.name)};"
        yield from _cluster(inner, f"{indent}  ", numbers)
        yield f"{indent}}}"


@dataclass(frozen=True)
class DotTarget(Target):
    """The graph of each function in the language of Graphviz, at any level.

    Ops are clustered by the parts of their nodes' names; large constants are elided.
    Example: `htp-opt model.onnx -t dot -o model.dot`
    """

    name = "dot"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(as_dot(graphs(module)))


@dataclass(frozen=True)
class ModelExplorerTarget(Target):
    """JSON of Model Explorer: the graphs, or `bytes`, `layout` or `memory` as node data for them.

    HtpError for other data, and for layouts or memories of a module without places.
    Example: `htp-opt lowered.mlir -t 'model-explorer{data=bytes}' -o bytes.json`
    """

    name = "model-explorer"

    data: str = "graph"

    def __post_init__(self) -> None:
        known = ("graph", *DATA)
        if self.data not in known:
            raise fail(self.name, f"data '{self.data}' is not known", listed(self.data, known))

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        drawn = graphs(module)
        is_graph = self.data == "graph"
        text = as_graph_json("module", drawn) if is_graph else as_node_data(self.data, drawn)
        output.write(text)

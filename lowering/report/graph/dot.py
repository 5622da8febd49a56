"""Graphs in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

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


def quoted(text: str) -> str:
    """Return text as a string of the language; line breaks stay."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _graph(graph: GraphView) -> Iterator[str]:
    yield f"digraph {quoted(graph.name)} {{"
    yield '  graph [fontname="Helvetica", color="#98a3b5", style=rounded, newrank=true];'
    yield '  node [fontname="Helvetica", style="filled,rounded", color="#5b6678"];'
    yield '  edge [fontname="Helvetica", color="#5b6678"];'
    yield from _cluster(clusters(graph.vertices), "  ", count())
    for vertex in graph.vertices:
        for edge in vertex.edges:
            yield f"  {quoted(edge.source)} -> {quoted(vertex.id)};"
    yield "}"


def _cluster(cluster: Cluster, indent: str, numbers: Iterator[int]) -> Iterator[str]:
    for vertex in cluster.vertices:
        results = [output.label for output in vertex.outputs]
        kernel = vertex.attrs.get("kernel", "").strip('"')
        label = "\n".join(filter(None, [vertex.label, *results, kernel]))
        yield f"{indent}{quoted(vertex.id)} [label={quoted(label)}, {_STYLES[vertex.look]}];"
    for inner in cluster.inner.values():
        yield f'{indent}subgraph "cluster_{next(numbers)}" {{'
        yield f"{indent}  label={quoted(inner.name)};"
        yield from _cluster(inner, f"{indent}  ", numbers)
        yield f"{indent}}}"

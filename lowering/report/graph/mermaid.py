"""Graphs in the language of Mermaid, which pages of Markdown draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from .view import Cluster, GraphView, Look, clusters

_SHAPES = {Look.INPUT: ('(["', '"])'), Look.OUTPUT: ('(["', '"])'), Look.CONSTANT: ('[("', '")]')}
_CLASSES = {
    Look.INPUT: "fill:#e8eef9,stroke:#5b6678,color:#1c2330",
    Look.CONSTANT: "fill:#eceff3,stroke:#98a3b5,color:#5b6678",
    Look.DDR: "fill:#ffffff,stroke:#5b6678,color:#1c2330",
    Look.TCM: "fill:#d9f0e3,stroke:#3f8f66,color:#1c2330",
    Look.OUTPUT: "fill:#fdf0d5,stroke:#b98a2b,color:#1c2330",
}
_ENTITIES = (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"))
"""Signs that a label holds as entities; `#` begins one, so it comes first."""
_MOST_EDGES = 500
"""Edges that a renderer draws unless its setting `maxEdges` is higher."""


def as_mermaid(graphs: Sequence[GraphView]) -> str:
    """Write one flowchart; several functions are subgraphs of it."""
    numbers = count()
    lines = ["flowchart TD", *_warning(sum(graph.edges for graph in graphs))]
    for graph in graphs:
        prefix = f"{graph.name}_" if len(graphs) > 1 else ""
        lines += _function(graph, prefix, numbers)
    lines += [f"  classDef {look.value} {style}" for look, style in _CLASSES.items()]
    return "\n".join(lines) + "\n"


def _warning(edges: int) -> Iterator[str]:
    if edges > _MOST_EDGES:
        yield f"  %% {edges} edges: a renderer draws {_MOST_EDGES} unless its maxEdges is higher"


def _function(graph: GraphView, prefix: str, numbers: Iterator[int]) -> Iterator[str]:
    if prefix:
        yield f'  subgraph f{next(numbers)}["{_escaped(graph.name)}"]'
    yield from _cluster(clusters(graph.vertices), prefix, "  ", numbers)
    for vertex in graph.vertices:
        for edge in vertex.edges:
            label = _escaped(graph.output(edge).label)
            yield f'  {prefix}{edge.source} -->|"{label}"| {prefix}{vertex.id}'
    if prefix:
        yield "  end"


def _cluster(cluster: Cluster, prefix: str, indent: str, numbers: Iterator[int]) -> Iterator[str]:
    for vertex in cluster.vertices:
        opening, closing = _SHAPES.get(vertex.look, ('["', '"]'))
        kernel = vertex.attrs.get("kernel", "").strip('"')
        label = "<br/>".join(map(_escaped, filter(None, (vertex.label, kernel))))
        yield f"{indent}{prefix}{vertex.id}{opening}{label}{closing}:::{vertex.look.value}"
    for inner in cluster.inner.values():
        yield f'{indent}subgraph c{next(numbers)}["{_escaped(inner.name)}"]'
        yield from _cluster(inner, prefix, f"{indent}  ", numbers)
        yield f"{indent}end"


def _escaped(text: str) -> str:
    """Return text for a label in quotes; `#` begins an entity there."""
    for sign, entity in _ENTITIES:
        text = text.replace(sign, entity)
    return text

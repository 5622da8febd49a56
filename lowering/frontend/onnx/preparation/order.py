"""The order of a graph's nodes: each after those whose outputs it reads."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError

from onnx import GraphProto, NodeProto

from .....dialects.diagnostics import fail
from ....importers.graph.order import in_order
from ....importers.support.subgraphs import graphs_of
from .nodes import where

_SHOWN = 6
"""Nodes of a cycle that its error names."""


def sort_nodes(graph: GraphProto) -> None:
    """Bring the nodes into an order that works; HtpError where they form a cycle."""
    stated = {value.name for value in graph.input} | {t.name for t in graph.initializer}
    makers: dict[str, int] = {}
    for index, node in enumerate(graph.node):
        for name in node.output:
            if name and name not in stated:
                makers.setdefault(name, index)
    needs = [{makers[name] for name in _read(node) if name in makers} for node in graph.node]
    if all(before < index for index, some in enumerate(needs) for before in some):
        return
    nodes = [graph.node[index] for index in _sorted(graph, needs)]
    del graph.node[:]
    graph.node.extend(nodes)


def _read(node: NodeProto) -> Iterator[str]:
    """Yield the names that a node reads, those that the graphs inside it read included."""
    yield from node.input
    for attribute in node.attribute:
        for graph in graphs_of(attribute):
            yield from _read_from_outside(graph)


def _read_from_outside(graph: GraphProto) -> set[str]:
    """Return the names that a graph reads and does not make itself."""
    inside = {value.name for value in graph.input} | {t.name for t in graph.initializer}
    read = {value.name for value in graph.output}
    for node in graph.node:
        inside.update(node.output)
        read.update(_read(node))
    return read - inside


def _sorted(graph: GraphProto, needs: list[set[int]]) -> list[int]:
    try:
        return in_order(needs)
    except CycleError as error:
        cycle: list[int] = error.args[1]
        names = [where(graph.node[index]) for index in cycle[:_SHOWN]]
        names += [f"and {len(cycle) - _SHOWN} more"] if len(cycle) > _SHOWN else []
        problem = f"its nodes form a cycle: {', then '.join(names)}"
        raise fail("model", problem, "let none of them read what follows from it") from error

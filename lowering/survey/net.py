"""The nodes of the converter's graph beside the graph ops that they became."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...dialects.locations import node_of
from ..frontend.net import load_partly
from ..frontend.net.file import read_net
from .imported import Imported, ModelNode, graph_ops


def survey_net(path: Path) -> Imported:
    """Import what can be imported of the graph in a file; HtpError where it holds no graph."""
    nodes = [ModelNode(node.op, node.name) for node in read_net(path).nodes]
    partial, number = load_partly(path), {node.name: n for n, node in enumerate(nodes)}
    owners = [number.get(node_of(op)) for op in graph_ops(partial.module)]
    faults = dict(partial.faults)
    rows = [replace(node, fault=faults.pop(node.name, None)) for node in nodes]
    return Imported(rows, partial.module, owners, tuple(faults.values()))

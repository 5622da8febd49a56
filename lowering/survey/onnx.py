"""Each node of an ONNX model with the graph ops that it became."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from onnx import GraphProto, ModelProto, NodeProto
from xdsl.context import Context

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.faults.op_faults import OpFault
from ...dialects.locations import node_of
from ..frontend.onnx.importer import import_partly
from ..frontend.onnx.preparation.nodes import node_owners, op_of
from ..frontend.onnx.preparation.prepare import Prepared, prepare
from ..frontend.onnx.preparation.supported import Supported
from ..frontend.onnx.reading.files import read_model
from ..frontend.onnx.reading.weights import Weights
from ..importers.support.registry import domain_of
from ..packages.loading import packages_of
from .lowered import Imported, ModelNode, graph_ops

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

CONSTANT, BODY, FUNCTION = "constant", "body", "function"
"""The ways to graph ops other than an importer of the op itself."""


def survey_onnx(
    path: Path, dims: Mapping[str, int], constants: Mapping[str, ArrayLike], ctx: Context
) -> Imported:
    """Import what can be imported of the model in a file; HtpError where it holds no model."""
    model, weights = read_model(path)
    return survey_model(model, dims, constants, Supported(packages_of(ctx)), weights)


def survey_model(
    model: ModelProto,
    dims: Mapping[str, int],
    constants: Mapping[str, ArrayLike],
    supported: Supported,
    weights: Weights | None = None,
) -> Imported:
    """Import what can be imported of a model, whose nodes get names where they have none.

    `weights` are the data of initializers that have none.
    """
    _name_nodes(model.graph)
    nodes = [ModelNode(_op(node), node.name) for node in model.graph.node]
    try:
        prepared = prepare(model, weights or {}, dims, constants, supported)
    except HtpError as error:
        return _refused(nodes, error.faults)
    owners = _owners(model.graph, prepared.graph)
    partial = import_partly(prepared, supported)
    called = {(domain_of(f.domain), f.name) for f in model.functions}
    through = [_through(node, supported, called) for node in model.graph.node]
    faults, others = _shared_out(partial.faults, owners)
    skipped = {owners[name] for name in partial.skipped if name in owners} - faults.keys()
    rows = [
        replace(node, through=way, fault=faults.get(index), reached=index not in skipped)
        for index, (node, way) in enumerate(zip(nodes, through, strict=True))
    ]
    _mark_constants(rows, prepared, owners)
    of_ops = [owners.get(node_of(op)) for op in graph_ops(partial.module)]
    return Imported(rows, partial.module, of_ops, others)


def _name_nodes(graph: GraphProto) -> None:
    """Give every node a name of its own: its first output's, where it has none or a taken one."""
    taken: set[str] = set()
    for node in graph.node:
        if not node.name or node.name in taken:
            node.name = next(filter(None, node.output), "?")
        taken.add(node.name)


def _op(node: NodeProto) -> str:
    return ".".join(filter(None, op_of(node)))


def _label(node: NodeProto) -> str:
    """Return the name that a location and a fault have for a node."""
    return node.name or next(iter(node.output), "")


def _refused(nodes: Sequence[ModelNode], faults: Sequence[Fault]) -> Imported:
    """Return a model that cannot be read as a whole; faults that name nodes go to these."""
    indices = {node.name: index for index, node in enumerate(nodes)}
    own, others = _shared_out(faults, indices)
    rows = [
        replace(node, fault=own.get(index), reached=index in own)
        for index, node in enumerate(nodes)
    ]
    return Imported(rows, None, (), others)


def _owners(original: GraphProto, prepared: GraphProto) -> dict[str, int]:
    """Map names of prepared nodes to the node of the model that they are, or a part of."""
    owned, readers = node_owners(original, prepared)
    owners = {node.name: index for index, node in enumerate(original.node)}
    owners |= {_label(node): index for node, index in owned}
    # What a faulty part of a body would have made is an input by now.
    return {**{name: readers[name] for name in readers if name not in owners}, **owners}


def _through(node: NodeProto, supported: Supported, called: set[tuple[str, str]]) -> str:
    if supported.importer(op_of(node)) is not None:
        return ""
    return FUNCTION if op_of(node) in called else BODY


def _shared_out(
    faults: Sequence[Fault], indices: Mapping[str, int]
) -> tuple[dict[int, Fault], list[Fault]]:
    """Return the first fault of each node, and the faults of no node."""
    own: dict[int, Fault] = {}
    others = []
    for fault in faults:
        nodes = fault.nodes if isinstance(fault, OpFault) else ()
        known = [indices[name] for name in nodes if name in indices]
        for index in known:
            own.setdefault(index, fault)
        if not known:
            others.append(fault)
    return own, others


def _mark_constants(rows: list[ModelNode], prepared: Prepared, owners: Mapping[str, int]) -> None:
    """Note the nodes that nothing is left of but constants."""
    left = {owners.get(_label(node)) for node in prepared.graph.node}
    for index, node in enumerate(rows):
        if index not in left and node.reached and node.fault is None:
            rows[index] = replace(node, through=CONSTANT)

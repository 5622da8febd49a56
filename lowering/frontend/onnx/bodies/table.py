"""The builders of bodies, by op."""

from __future__ import annotations

from onnx import NodeProto

from ..support.registry import OpKey
from .body import Body, Scope
from .schema import has_schema_body, schema_body


def has_body(op: OpKey, version: int) -> bool:
    """Tell whether simpler nodes may take the place of an op's."""
    return has_schema_body(op, version)


def body_of(node: NodeProto, scope: Scope) -> Body:
    """Return the body of a node; NodeFault or UnknownInput where there is none as things are."""
    return schema_body(node, scope)

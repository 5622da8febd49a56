"""The builders of bodies, by op."""

from __future__ import annotations

from collections.abc import Callable

from onnx import NodeProto

from ..support.registry import OpKey, domain_of
from . import control_flow, sequences
from .body import Body, Scope
from .microsoft.table import SIGNATURES
from .schema import has_schema_body, schema_body

_CONTROL: dict[str, Callable[[NodeProto, Scope], Body]] = {
    "If": control_flow.branch,
    "Loop": control_flow.loop,
    "Scan": control_flow.scan,
    "SequenceConstruct": sequences.construct,
    "SequenceEmpty": sequences.construct,
    "SplitToSequence": sequences.split,
    "SequenceAt": sequences.at,
    "SequenceLength": sequences.length,
    "SequenceInsert": sequences.insert,
    "SequenceErase": sequences.erase,
    "ConcatFromSequence": sequences.concat,
    "Optional": sequences.wrap,
    "OptionalHasElement": sequences.has_element,
    "OptionalGetElement": sequences.get_element,
}
_BUILDERS: dict[OpKey, Callable[[NodeProto, Scope], Body]] = {
    **{("", name): builder for name, builder in _CONTROL.items()},
    **{op: signature.body for op, signature in SIGNATURES.items()},
}
"""Builders of bodies by op; other ops have the bodies that ONNX brings."""


def has_body(op: OpKey, version: int) -> bool:
    """Tell whether simpler nodes may replace an op's."""
    return op in _BUILDERS or has_schema_body(op, version)


def body_of(node: NodeProto, scope: Scope) -> Body:
    """Return the body of a node; NodeFault or UnknownInput where there is none as things are."""
    own = _BUILDERS.get((domain_of(node.domain), node.op_type))
    return own(node, scope) if own else schema_body(node, scope)


def costly_body_of(node: NodeProto, scope: Scope) -> Body | None:
    """Return a body that computes more than the node asks for; None where its op has none."""
    is_if = not domain_of(node.domain) and node.op_type == "If"
    return control_flow.both_branches(node, scope) if is_if else None

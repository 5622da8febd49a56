"""The importer that a node takes: a package's, the project's, or that of its package's ops."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from onnx import NodeProto, TypeProto

from ....importers.support.registry import OnnxImporter, OpKey, domain_of
from ....packages import OpPackage, Packages
from ....rules.graph.names import DEFAULT_PACKAGE
from ..bodies import control_flow, sequences
from ..bodies.body import Body, Scope
from ..bodies.microsoft import SIGNATURES
from ..bodies.schema import has_schema_body, schema_body
from .custom import custom_node
from .nodes import op_of
from .spelling import SPELLINGS

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


@dataclass(frozen=True)
class Supported:
    """The ops that can be imported with some packages in use."""

    packages: Packages

    def importer(self, op: OpKey) -> OnnxImporter | None:
        """Return the importer of an op; None where it is not supported."""
        if op in self.packages.importers:
            return self.packages.importers[op]
        node = partial(custom_node, self.packages)
        return OnnxImporter(*op, node) if self.is_package(op[0]) else None

    def __contains__(self, op: OpKey) -> bool:
        return op in SPELLINGS or self.importer(op) is not None

    def lacks(self, op: OpKey) -> bool:
        """Tell whether an op has no importer."""
        return op not in self

    def leaves(self, node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
        """Tell whether the body of a node's op is to take its place, if there is one."""
        if op_of(node) in SPELLINGS:
            return False
        importer = self.importer(op_of(node))
        return importer is None or (importer.leaves is not None and importer.leaves(node, types))

    def has_body(self, op: OpKey, version: int) -> bool:
        """Tell whether simpler nodes may replace an op's."""
        return has_body(op, version)

    @cached_property
    def foldable(self) -> frozenset[OpKey]:
        """The ops that are evaluated where their inputs are constant."""
        return frozenset(row.key for p in self.packages for row in p.importers if row.folds)

    def is_foreign(self, op: OpKey) -> bool:
        """Tell whether a user's package answers for an op, which ONNX then need not know."""
        return op in self._foreign or self.is_package(op[0])

    def has_own(self, op: OpKey) -> bool:
        """Tell whether a package has this very op, or an importer or a conversion of it."""
        name = ".".join(op)
        known = name in self.packages.ops or name in self.packages.conversions
        return op in self._foreign or (self.is_package(op[0]) and known)

    def is_package(self, domain: str) -> bool:
        """Tell whether a domain is a user's op package that is loaded."""
        return domain in self._users

    @cached_property
    def _users(self) -> Mapping[str, OpPackage]:
        return {p.name: p for p in self.packages if p.name != DEFAULT_PACKAGE}

    @cached_property
    def _foreign(self) -> frozenset[OpKey]:
        return frozenset(row.key for package in self._users.values() for row in package.importers)

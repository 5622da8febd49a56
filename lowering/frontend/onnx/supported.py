"""The importer that a node takes: a package's, the project's, or that of its package's ops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from onnx import NodeProto, TypeProto

from ...packages.package import OpPackage
from ...packages.packages import Packages
from ...rules.graph.names import DEFAULT_PACKAGE
from .bodies.table import has_body
from .custom import custom_node
from .nodes import op_of
from .preparation.integers import SPELLINGS
from .support.registry import OnnxImporter, OpKey


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

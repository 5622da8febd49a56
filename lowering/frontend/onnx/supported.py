"""Which importer a node takes: one that a package brings, the project's, or that of its package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from ...packages.importers import Importer, OpKey
from ...packages.packages import Packages
from ...rules.graph.names import DEFAULT_PACKAGE
from .ops.custom import custom_node
from .table import IMPORTERS


@dataclass(frozen=True)
class Supported:
    """The ops that can be imported with some packages in use."""

    packages: Packages

    def importer(self, op: OpKey) -> Importer | None:
        """The importer of an op; None where it is not supported."""
        brought = self.packages.importers.get(op)
        if brought is not None:
            return brought.function
        if op in IMPORTERS:
            return IMPORTERS[op]
        return partial(custom_node, self.packages) if self.is_package(op[0]) else None

    def __contains__(self, op: OpKey) -> bool:
        return self.importer(op) is not None

    def is_foreign(self, op: OpKey) -> bool:
        """Whether packages answer for an op: ONNX may not know it, it may take stored integers."""
        return op in self.packages.importers or self.is_package(op[0])

    def has_own(self, op: OpKey) -> bool:
        """Whether a package has this very op, or an importer or a conversion of it."""
        name = ".".join(op)
        known = name in self.packages.ops or name in self.packages.conversions
        return op in self.packages.importers or (self.is_package(op[0]) and known)

    def is_package(self, domain: str) -> bool:
        """Whether a domain is a user's op package that is loaded."""
        return domain in self._domains

    @cached_property
    def _domains(self) -> frozenset[str]:
        return frozenset(package.name for package in self.packages) - {DEFAULT_PACKAGE}

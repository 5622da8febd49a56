"""Faults of the conversions and importers of a package among the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from ...dialects.diagnostics import Fault
from ...dialects.qti_aisw import GRAPH_OPS
from ..conversion.registry import CUSTOM, GRAPH
from ..rules.graph.names import DEFAULT_PACKAGE
from .package import OpPackage


def registry_faults(package: OpPackage, loaded: Sequence[OpPackage]) -> Iterator[Fault]:
    """The faults of a package that is loaded together with others, itself included.

    The package htp converts every op that no other package converts.
    """
    others = [member for member in loaded if member.name != DEFAULT_PACKAGE]
    converted = Counter(row.op for member in others for row in member.conversions)
    for row in package.conversions:
        where = f"package {package.name}, conversion {row.label}"
        if why := _unknown(row.op):
            yield Fault(where, *why)
        elif converted[row.op] > 1:
            yield Fault(where, f"{row.op} has {converted[row.op]} conversions", "keep one of them")
    imported = Counter(row.key for member in others for row in member.importers)
    for importer in package.importers:
        where = f"package {package.name}, importer {importer.label}"
        if imported[importer.key] > 1:
            domain, op = importer.key
            name = f"{domain or 'onnx'}.{op}"
            yield Fault(where, f"{name} has {imported[importer.key]} importers", "keep one of them")


def _unknown(op: str) -> tuple[str, str] | None:
    """The fault of a conversion's op name, and the remedy; None for a good name."""
    dialect, _, name = op.partition(".")
    if dialect == DEFAULT_PACKAGE:
        return f"is for {op}, a native op", "name a graph op, or rewrite it by a rule"
    if dialect != GRAPH or name in GRAPH_OPS or op == CUSTOM:
        return None
    near = get_close_matches(name, GRAPH_OPS, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "name a graph op, or Package.Op"
    return f"is for the unknown graph op {op}", hint

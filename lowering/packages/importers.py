"""What an importer is, and the importers that an op package brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ..conversion.registry import function_label

if TYPE_CHECKING:
    from ..frontend.onnx.context import NodeContext

OpKey = tuple[str, str]
"""Domain ("" for ONNX's own) and op type."""

Importer = Callable[["NodeContext"], list[SSAValue]]
"""Builds the graph ops of one node and gives its outputs, as many as are asked for or more."""


@dataclass(frozen=True)
class OnnxImporter:
    """The importer of one op of ONNX models."""

    domain: str
    op: str
    function: Importer

    @property
    def key(self) -> OpKey:
        """What tables are keyed by."""
        return self.domain, self.op

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.function)


class ImporterSet:
    """The importers of one module; the decorator is `ImporterSet().importer`."""

    def __init__(self) -> None:
        self._importers: list[OnnxImporter] = []

    def importer(self, op: str, *, domain: str = "") -> Callable[[Importer], Importer]:
        """Declare a function as the importer of an op; the domain "" is that of ONNX itself."""

        def declare(function: Importer) -> Importer:
            self._importers.append(OnnxImporter(domain_of(domain), op, function))
            return function

        return declare

    def __iter__(self) -> Iterator[OnnxImporter]:
        return iter(self._importers)


def domain_of(name: str) -> str:
    """A domain's one spelling: ONNX's own has two."""
    return "" if name == "ai.onnx" else name


def importer_sketch(key: OpKey) -> str:
    """What to do for an op without an importer: the three lines of one."""
    domain, op = key
    where = f', domain="{domain}"' if domain else ""
    load = f"load the op package {domain}, " if domain else ""
    lines = (
        f"express it in supported ops, {load}or give it an importer in an op package",
        f'  @IMPORTERS.importer("{op}"{where})  # IMPORTERS = ImporterSet()',
        '  def build(ctx: NodeContext) -> list[SSAValue]: return [ctx.emit("Relu", ctx.value(0))]',
        '  PACKAGE = op_package("Name", importers=[IMPORTERS])',
    )
    return "\n".join(lines)

"""The text of one pattern in PDL: a value per line, with a name of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

_INDENT = "  "


class Unsayable(Exception):
    """PDL cannot say this part of a rule; the text is the reason."""


@dataclass(frozen=True)
class Typed:
    """A value of the graph in a pattern, and its type, both by their names in PDL."""

    value: str
    type: str


@dataclass
class PatternText:
    """The lines of a pattern; names are counted within it."""

    depth: int = 1
    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(f"{_INDENT * self.depth}{text}\n")

    def define(self, prefix: str, text: str) -> str:
        """Add a line that defines a value; return its name."""
        name = f"%{prefix}{self.count}"
        self.count += 1
        self.line(f"{name} = {text}")
        return name

    def operation(
        self, name: str, operands: Sequence[str], type_: str, attributes: Sequence[str] = ()
    ) -> tuple[str, Typed]:
        """Add an op of one result; return the op and the result."""
        shown = f"({', '.join(operands)} : {', '.join(['!pdl.value'] * len(operands))})"
        text = f'pdl.operation "{name}"{shown if operands else ""}'
        if attributes:
            text += f" {{{', '.join(attributes)}}}"
        op = self.define("op", f"{text} -> ({type_} : !pdl.type)")
        return op, Typed(self.define("value", f"pdl.result 0 of {op}"), type_)

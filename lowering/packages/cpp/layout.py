"""Calls laid out as people write them: on one line where they fit, else one operand a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 100
_STEP = "    "


@dataclass(frozen=True)
class CallText:
    """A call with its operands as text or as further calls."""

    name: str
    operands: Sequence[CallText | str]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.operands))})"


def lay_out(part: CallText | str, indent: str = "", after: int = 0) -> str:
    """Lay out a part that begins behind `indent`; `after` characters follow its last line."""
    line = str(part)
    if isinstance(part, str) or len(indent) + len(line) + after <= WIDTH or not part.operands:
        return line
    inner = indent + _STEP
    rows = f",\n{inner}".join(lay_out(operand, inner, 1) for operand in part.operands)
    return f"{part.name}(\n{inner}{rows}\n{indent})"


def lay_out_rule(part: CallText) -> str:
    """Return a declaration with each operand on lines of its own, as rules are written."""
    inner = f",\n{_STEP}".join(lay_out(operand, _STEP, 1) for operand in part.operands)
    return f"{part.name}(\n{_STEP}{inner}\n)"

"""The named priorities: one table, in the order in which pass groups run.

Documented numbers are EARLY, MIDDLE and LATE; the others keep the order that public op packages
use. Two names may share a number here and be two pass groups on the device, so a priority keeps the
name that its author wrote. Source: QNN HTP op package documentation, optimization rule definition.
"""

from __future__ import annotations

import re
from typing import Self

from ....dialects.diagnostics import fail, listed

PRIORITIES: dict[str, int] = {
    "BEGIN": 0,
    "CLEANUP": 100,
    "GRAPH_CLEANUP": 100,
    "CLEANUP_GRAPH": 100,
    "PRE_TRANSLATE": 500,
    "QNN": 1000,
    "EARLY": 2000,
    "TILING": 2500,
    "HARD_OPS": 2950,
    "MIDDLE": 3000,
    "TCM_MIGRATION": 3950,
    "LATE": 4000,
    "LAYOUT_AND_PLACEMENT": 4050,
}
"""The number of each pass group by its name, in the order in which they run."""


class Priority(int):
    """The number of a pass group that was written as a name and an offset.

    Sums and differences with numbers keep the name.

    Example: `str(LATE + 900)` is `LATE+900`, and `LATE + 900 == 4900`.
    """

    base: str
    offset: int

    def __new__(cls, base: str, offset: int = 0) -> Self:
        """Return the number of a name of PRIORITIES plus an offset."""
        priority = super().__new__(cls, PRIORITIES[base] + offset)
        priority.base, priority.offset = base, offset
        return priority

    def __add__(self, other: int) -> Priority:
        """Return the priority so much later."""
        return Priority(self.base, self.offset + int(other))

    __radd__ = __add__

    def __sub__(self, other: int) -> Priority:
        """Return the priority so much earlier."""
        return Priority(self.base, self.offset - int(other))

    def __reduce__(self) -> tuple[type[Priority], tuple[str, int]]:
        return Priority, (self.base, self.offset)

    def __str__(self) -> str:
        return f"{self.base}{self.offset:+}" if self.offset else self.base


BEGIN = Priority("BEGIN")
CLEANUP = Priority("CLEANUP")
GRAPH_CLEANUP = Priority("GRAPH_CLEANUP")
CLEANUP_GRAPH = Priority("CLEANUP_GRAPH")
PRE_TRANSLATE = Priority("PRE_TRANSLATE")
QNN = Priority("QNN")
EARLY = Priority("EARLY")
TILING = Priority("TILING")
HARD_OPS = Priority("HARD_OPS")
MIDDLE = Priority("MIDDLE")
TCM_MIGRATION = Priority("TCM_MIGRATION")
LATE = Priority("LATE")
LAYOUT_AND_PLACEMENT = Priority("LAYOUT_AND_PLACEMENT")

_FORM = re.compile(r"\s*(?:(?P<name>[A-Za-z_]\w*)\s*(?P<sign>[+-])?\s*)?(?P<number>\d+)?\s*")


def priority_of(text: str) -> int:
    """Parse `EARLY`, `EARLY+2`, `LATE-1` or `2001`; HtpError for anything else."""
    form = _FORM.fullmatch(text)
    if (
        not form
        or not any(form.groups())
        or bool(form["sign"]) != bool(form["name"] and form["number"])
    ):
        raise fail(f"priority '{text}'", "not understood", "write NAME, NAME+number or a number")
    offset = int(form["number"] or 0)
    if form["name"] is None:
        return offset
    if form["name"] not in PRIORITIES:
        known = listed(form["name"], PRIORITIES)
        raise fail(f"priority '{text}'", f"no name '{form['name']}'", known)
    priority = Priority(form["name"], -offset if form["sign"] == "-" else offset)
    if priority < 0:
        raise fail(f"priority '{text}'", f"is {int(priority)}", "priorities are >= 0")
    return priority


def priority_name(priority: int) -> str:
    """Write a priority as its author did: `EARLY+2`, or a number that was one."""
    return str(priority)

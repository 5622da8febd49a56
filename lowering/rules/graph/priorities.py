"""The named priorities: one table, in the order in which pass groups run.

Documented numbers are EARLY, MIDDLE and LATE; the others keep the order that public op packages
use. Source: QNN HTP op package documentation, optimization rule definition.
"""

from __future__ import annotations

import re

from ....dialects.diagnostics import fail
from ....dialects.suggestions import listed

PRIORITIES: dict[str, int] = {
    "BEGIN": 0,
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

BEGIN = PRIORITIES["BEGIN"]
GRAPH_CLEANUP = PRIORITIES["GRAPH_CLEANUP"]
CLEANUP_GRAPH = PRIORITIES["CLEANUP_GRAPH"]
CLEANUP = GRAPH_CLEANUP
"""The pass group GRAPH_CLEANUP, by a shorter name."""
PRE_TRANSLATE = PRIORITIES["PRE_TRANSLATE"]
QNN = PRIORITIES["QNN"]
EARLY = PRIORITIES["EARLY"]
TILING = PRIORITIES["TILING"]
HARD_OPS = PRIORITIES["HARD_OPS"]
MIDDLE = PRIORITIES["MIDDLE"]
TCM_MIGRATION = PRIORITIES["TCM_MIGRATION"]
LATE = PRIORITIES["LATE"]
LAYOUT_AND_PLACEMENT = PRIORITIES["LAYOUT_AND_PLACEMENT"]

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
    number = PRIORITIES[form["name"]] + (-offset if form["sign"] == "-" else offset)
    if number < 0:
        raise fail(f"priority '{text}'", f"is {number}", "priorities are >= 0")
    return number


def priority_name(number: int) -> str:
    """Write a number as the nearest name below it and an offset: `EARLY+2`."""
    below = [(value, name) for name, value in PRIORITIES.items() if value <= number]
    value, name = max(below, key=lambda pair: pair[0])
    return name if value == number else f"{name}+{number - value}"

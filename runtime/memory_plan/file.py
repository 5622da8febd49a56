"""Plans as CSV: a few named numbers, the names of the columns, then one row per residency."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import fields
from io import StringIO
from pathlib import Path

from ...dialects.diagnostics import fail
from ..files.atomic import write_bytes
from ..files.budget import read_text
from .plan import Plan, PlanRow

MAGIC = ("htp-memory-plan", "1")
NUMBERS = ("capacity", "alignment", "peak", "bound")
COLUMNS = tuple(field.name for field in fields(PlanRow))
_REMEDY = "write the plan again with htp-opt --plan"


def write_plan(path: str | Path, plan: Plan) -> None:
    """Write a plan, or leave the file as it was; HtpError where it cannot be written."""
    write_bytes(path, plan_text(plan).encode())


def plan_text(plan: Plan) -> str:
    """Write the file's text. `rows` is their number, so that a missing one is noticed."""
    text = StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(MAGIC)
    out.writerows((name, getattr(plan, name)) for name in NUMBERS)
    out.writerow(("rows", len(plan.rows)))
    out.writerow(COLUMNS)
    out.writerows([getattr(row, column) for column in COLUMNS] for row in plan.rows)
    return text.getvalue()


def read_plan(path: str | Path) -> Plan:
    """Read a plan; HtpError with the line where the file is none, or not all of one."""
    return parse_plan(read_text(path), str(path))


def parse_plan(text: str, where: str) -> Plan:
    """Parse a plan; `where` names the file in errors."""
    try:
        lines = list(csv.reader(StringIO(text), strict=True))
    except csv.Error as error:
        raise fail(where, f"is no CSV: {error}", _REMEDY) from error
    head = len(NUMBERS) + 3
    if not lines or tuple(lines[0]) != MAGIC:
        raise fail(where, f"does not begin with '{','.join(MAGIC)}'", _REMEDY)
    if not text.endswith("\n"):
        raise fail(where, "ends inside a line", _REMEDY)
    if len(lines) < head:
        raise fail(where, f"ends after {len(lines)} lines, inside its header", _REMEDY)
    numbers = [
        _header(lines[index], name, f"{where}:{index + 1}")
        for index, name in enumerate((*NUMBERS, "rows"), 1)
    ]
    if tuple(lines[head - 1]) != COLUMNS:
        raise fail(f"{where}:{head}", f"the columns are not {','.join(COLUMNS)}", _REMEDY)
    rows = [_row(line, f"{where}:{number}") for number, line in enumerate(lines[head:], head + 1)]
    *named, count = numbers
    if len(rows) != count:
        raise fail(where, f"says {count} rows and has {len(rows)}", _REMEDY)
    capacity, alignment, peak, bound = named
    if alignment < 1:
        raise fail(where, f"alignment is {alignment}, it must be at least 1", _REMEDY)
    return Plan(capacity, alignment, peak, bound, tuple(rows))


def _header(line: Sequence[str], name: str, where: str) -> int:
    if len(line) != 2 or line[0] != name:
        raise fail(where, f"is '{','.join(line)}', expected '{name},' and a number", _REMEDY)
    return _number(line[1], name, where)


def _row(line: Sequence[str], where: str) -> PlanRow:
    if len(line) != len(COLUMNS):
        raise fail(where, f"has {len(line)} fields, expected {len(COLUMNS)}", _REMEDY)
    tensor, *numbers, reason, inside, delta = line
    named = zip(COLUMNS[1:5], numbers, strict=True)
    size, first, last, offset = (_number(text, name, where) for name, text in named)
    return PlanRow(
        tensor, size, first, last, offset, reason, inside, _number(delta, "delta", where)
    )


def _number(text: str, name: str, where: str) -> int:
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 18:
        raise fail(where, f"{name} is '{text}', no whole number", _REMEDY)
    return int(text)

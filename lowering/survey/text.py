"""The survey as a table for people: a row for each op and way, reasons below, totals at the end.

As JSON for programs it has more, with every name.
"""

import json
from collections import Counter
from collections.abc import Iterator
from textwrap import wrap

from ...dialects.diagnostics import counted
from ...dialects.value import Memory
from ..levels import Level
from ..report.text import table
from .lowered import REFUSED, UNKNOWN, KernelUse, is_stored
from .survey import Survey, SurveyRow, Way


def as_json(survey: Survey, title: str) -> str:
    """Write the survey as one JSON object; `rows` holds the nodes of each op and way."""
    whole = {
        "survey": title,
        "runs": survey.all_run,
        "nodes": survey.nodes,
        "levels": survey.extents,
        "faults": [fault.line() for fault in survey.faults],
        "rows": [_row(row) for row in survey.rows],
    }
    return f"{json.dumps(whole, indent=1)}\n"


def _row(row: SurveyRow) -> dict[str, object]:
    way = row.way
    problem, remedy = way.reason
    domain, _, op = way.op.rpartition(".")
    return {
        "op": op,
        "domain": domain,
        "count": len(row.nodes),
        "nodes": list(row.nodes),
        "level": way.extent,
        "through": way.through or "importer",
        "becomes": list(way.becomes),
        "kernels": [_use(use) for use in way.kernels],
        "fused_into": [use.op for use in way.fused],
        "computed_in": list(way.types),
        "reason": problem,
        "remedy": remedy,
    }


def _use(use: KernelUse) -> dict[str, object]:
    return {
        "op": use.op,
        "kernel": use.kernel,
        "layout": use.layout.value,
        "memory": use.memory.value,
        "reference": use.is_reference,
    }


HEAD = ("op", "count", "level", "becomes", "runs on")
TYPES = "computed in"
"""The head of one more column, for a quantised model."""
_WIDTH = 44
"""Characters of the column with graph ops."""
_SHOWN = 3
"""Nodes that a reason names."""


def as_text(survey: Survey, title: str) -> str:
    """Format the table; below a row that does not get to the level asked for is the reason."""
    typed = any(row.way.types for row in survey.rows)
    cells = [list(_cells(row, typed)) for row in survey.rows]
    lines = iter(
        table(
            [(*HEAD, TYPES) if typed else HEAD, *(line for row in cells for line in row)], right={1}
        )
    )
    text = [title, *(f"  {fault.line()}" for fault in survey.faults), "", next(lines)]
    for row, own in zip(survey.rows, cells, strict=True):
        text += [next(lines) for _ in own]
        text += _reason(row)
    return "\n".join(line.rstrip() for line in [*text, "", *_totals(survey)]) + "\n"


def _cells(row: SurveyRow, typed: bool) -> Iterator[tuple[str, ...]]:
    way = row.way
    types = [*way.types] or ["-"] if typed else []
    becomes = wrap(_becomes(way), _WIDTH, break_long_words=False)
    kernels = [*_kernels(way)] or ["no kernel" if way.extent == Level.ALLOCATED.value else "-"]
    columns = [becomes, kernels, types] if typed else [becomes, kernels]
    for index in range(max(map(len, columns))):
        first = (way.op, str(len(row.nodes)), way.extent) if not index else ("", "", "")
        yield (*first, *(_at(column, index) for column in columns))


def _at(lines: list[str], index: int) -> str:
    return lines[index] if index < len(lines) else ""


def _becomes(way: Way) -> str:
    names = ", ".join(way.becomes)
    if way.through == "constant":
        return "a constant"
    if way.extent in (REFUSED, UNKNOWN):
        return "-"
    return f"its {way.through}: {names}" if way.through else names or "nothing"


def _kernels(way: Way) -> Iterator[str]:
    yield from map(_kernel, way.kernels)
    yield from (f"fused into {use.op}" for use in way.fused)


def _kernel(use: KernelUse) -> str:
    function = "reference" if use.is_reference else use.kernel.partition(".")[0]
    return f"{use.op}: {function}, {use.where}"


def _reason(row: SurveyRow) -> Iterator[str]:
    problem, remedy = row.way.reason
    if problem:
        more = ", ..." if len(row.nodes) > _SHOWN else ""
        names = ", ".join(f"'{name}'" for name in row.nodes[:_SHOWN])
        yield f"    {names}{more}: {problem}"
        yield f"      {remedy.partition(chr(10))[0]}"


def _totals(survey: Survey) -> Iterator[str]:
    parts = [f"{count} {extent}" for extent, count in survey.extents.items()]
    yield f"{counted(survey.nodes, 'node')}: {', '.join(parts)}"
    kinds = Counter(_kind(row.way) for row in survey.rows for _ in row.nodes)
    if UNKNOWN in survey.extents:
        yield "unknown: what they read has no type as long as others are refused"
    if any(row.way.kernels for row in survey.rows):
        yield f"kernels: {', '.join(f'{kinds[kind]} {kind}' for kind in _KINDS if kinds[kind])}"
    yield from _type_totals(survey)


def _type_totals(survey: Survey) -> Iterator[str]:
    """Count the nodes of a quantised model by what they compute with."""
    words = Counter(
        " and ".join(row.way.types) if is_stored(row.way.types) else "f32"
        for row in survey.rows
        for _ in row.nodes
        if row.way.types
    )
    if words:
        floats = words.pop("f32", 0)
        parts = [f"{count} of {words.total() + floats} in {word}" for word, count in words.items()]
        where = " between Dequantize and Quantize" if parts else ""
        parts = [*(parts or ["none"]), *([f"{floats} in f32{where}"] if floats else [])]
        yield f"integers: {', '.join(parts)}"


_KINDS = (
    *("in TCM", "partly in main memory", "in main memory", "on a reference kernel"),
    *("in another node's kernel", "without a kernel"),
)
"""The places of a node's kernels, for the totals."""


def _kind(way: Way) -> str:
    in_memory = [use.memory is Memory.DDR for use in way.kernels]
    if any(use.is_reference for use in way.kernels):
        return _KINDS[3]
    if in_memory:
        return _KINDS[2] if all(in_memory) else _KINDS[1] if any(in_memory) else _KINDS[0]
    return _KINDS[4] if way.fused else _KINDS[5]

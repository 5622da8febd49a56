"""The profiler's summary of a run on a device: bytes, tiles and cycles, in all, by node, by kind.

Source: public summaries of the vendor's profiler (JSON, type code QHAS).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

from ....dialects.diagnostics import fail
from ....dialects.faults.arguments import PATH, arguments
from ....runtime.files.json_object import JsonObject, read_json

REMEDY = "give the summary that the profiler wrote as JSON, of the type QHAS"

KINDS = {
    **{"weights_to_vtcm": "weights", "InputSlicePad": "input slices"},
    **{"DramToTcm": "fills", "Fill": "fills", "TcmToDram": "spills", "Spill": "spills"},
    **{"OutputSlice": "output slices", "ForceFormat": "changes of layout"},
    **{"SyncOp": "waits", "DmaCheckpointWait": "waits"},
}
"""The kind of an HTP op by a part of its name; any other op computes."""
COMPUTES = "computing"


@dataclass(frozen=True)
class Counters:
    """Bytes of DRAM and TCM that ops read and write, their instances and cycles."""

    read: int = 0
    written: int = 0
    tcm_read: int = 0
    tcm_written: int = 0
    instances: int = 0
    cycles: int = 0

    def __add__(self, other: Counters) -> Counters:
        return Counters(*map(sum, zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class MeasuredRun:
    """A run in figures; `peak` in bytes and `microseconds` are None where they were not counted.

    `nodes` has the counters of each node of the converter's graph, `reasons` its instances by kind.
    """

    model: str
    all: Counters
    peak: int | None
    microseconds: int | None
    nodes: Mapping[str, Counters]
    kinds: Mapping[str, Counters]
    reasons: Mapping[str, Mapping[str, int]]


@arguments(path=PATH)
def read_measured(path: str | Path) -> MeasuredRun:
    """Read a summary; HtpError where a file is none, or a figure is not a number."""
    content = read_json(path, REMEDY)
    data = content.inner("data")
    overall = [*_rows(data, "htp_overall_summary")]
    if content.text("type_code", "QHAS") != "QHAS" or not overall:
        raise fail(str(path), "is not a summary with overall figures", REMEDY)
    (first, *_) = overall
    nodes, kinds = dict[str, Counters](), dict[str, Counters]()
    reasons: dict[str, Counter[str]] = {}
    for row in _rows(data, "qnn_op_instances_nodes"):
        name = _node(row)
        nodes[name] = nodes.get(name, Counters()) + _counters(row, "num_htp_ops")
    for row in _rows(data, "htp_op_types"):
        kind = _kind(row.text("op"))
        kinds[kind] = kinds.get(kind, Counters()) + _counters(row, "instances")
    for row in _rows(data, "htp_op_instances"):
        reasons.setdefault(_node(row), Counter())[_kind(row.text("htp_op"))] += 1
    names = ("total_dram_read", "total_dram_write", "total_vtcm_read", "total_vtcm_write")
    counted = (_count(first, name) for name in (*names, "htp_nodes", "timeline_cycles"))
    peak, time = (
        None if first.fields.get(name) is None else _count(first, name)
        for name in ("peak_vtcm_alloc", "time_us")
    )
    model = content.fields.get("model_id", "")
    return MeasuredRun(str(model), Counters(*counted), peak, time, nodes, kinds, reasons)


def _rows(data: JsonObject, table: str) -> Iterator[JsonObject]:
    """Yield the rows of a table; an absent one has none."""
    values = data.inner(table).values("data") if table in data else []
    for number, value in enumerate(values, 1):
        where = f"{data.where.partition(': ')[0]}: {table}, row {number}"
        if not isinstance(value, dict):
            raise fail(where, f"is {str(value)[:40]}, not an object", REMEDY)
        yield JsonObject(where, value)


def _node(row: JsonObject) -> str:
    """Return the name of a node, which some versions follow by a number."""
    name = str(row.fields.get("qnn_op") or "").partition(":OpId_")[0]
    return name.partition(" (")[0].strip()


def _kind(op: str) -> str:
    return next((kind for part, kind in KINDS.items() if part in op), COMPUTES)


def _counters(row: JsonObject, instances: str) -> Counters:
    names = ("dram_read", "dram_write", "vtcm_read", "vtcm_write", instances, "cycles")
    return Counters(*(_count(row, name) for name in names))


def _count(row: JsonObject, name: str) -> int:
    """Return a figure, 0 where it is absent; some tools write it with commas."""
    value = row.fields.get(name)
    if isinstance(value, str) and value.replace(",", "").isdecimal() and len(value) < 25:
        return int(value.replace(",", ""))
    number = 0 if value is None else round(row.number(name))
    if number < 0:
        raise fail(row.where, f"'{name}' is {number}, less than 0", REMEDY)
    return number

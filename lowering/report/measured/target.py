"""The output target `measured-report`: a plan beside what a device counted, node by node.

Nodes have the same names on both sides but for signs that the converter replaces by `_`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.target import Target

from ....dialects.diagnostics import fail, listed
from ....dialects.locations import origins_of
from ....runtime.program.boundary import main_function
from ...packages.loading import packages_of
from ...packages.packages import Packages
from ...passes.traffic import traffic
from ..plan import ModulePlan, plan_of
from ..sources import sources
from ..text import table
from .summary import Counters, MeasuredRun, read_measured

_MOST = 40
"""Rows of the table of nodes; the others are summed up in one."""


@dataclass(frozen=True)
class NodeBeside:
    """A node on a device and in a plan; a side that does not have it is None.

    Each side has the bytes of main memory and the instances of ops, and its reason.
    """

    node: str
    device: Counters | None
    plan: Counters | None
    device_reason: str = ""
    plan_reason: str = ""

    @property
    def difference(self) -> int:
        """The bytes that the plan moves beyond those of the device."""
        return _moved(self.plan) - _moved(self.device)


@dataclass(frozen=True)
class PlanBeside:
    """A plan beside a run on a device; nodes whose bytes differ most come first."""

    run: MeasuredRun
    plan: ModulePlan
    all: Counters
    nodes: Sequence[NodeBeside]


def beside_device(module: ModuleOp, run: MeasuredRun, packages: Packages) -> PlanBeside:
    """Lay the plan of an allocated module beside a run; HtpError for a module of another level."""
    plan = plan_of(module, packages)
    body = list(main_function(module).body.block.ops)
    of, theirs = sources(body), {_plain(name): name for name in run.nodes}

    def node_of(op: Operation) -> str:
        """Choose among the nodes of a fused op the one to which the device counts most bytes."""
        names = [origin.node for origin in origins_of(op) if origin.node] or [of[op].node]
        known = [name for name in names if _plain(name) in theirs]
        return max(known, key=lambda n: _moved(run.nodes[theirs[_plain(n)]]), default=names[0])

    own: dict[str, Counters] = {}
    for each in plan.ops:
        node = node_of(body[each.position])
        own[node] = own.get(node, Counters()) + Counters(instances=1)
    reasons, by_node = dict[str, str](), {row.node: row.reason for row in plan.nodes}
    for move in sorted(traffic(module).transfers, key=lambda move: -move.bytes):
        node = node_of(move.op)
        own[node] = own.get(node, Counters()) + Counters(move.read, move.written)
        reasons.setdefault(node, by_node.get(of[move.op].node, ""))
    pairs = [(node, theirs.pop(_plain(node), None)) for node in own]
    rows = []
    for node, name in (*pairs, *((name, name) for name in theirs.values())):
        device = None if name is None else run.nodes[name]
        why = "" if name is None else _reason(run.reasons.get(name, {}))
        beside = device, own.get(node), why, reasons.get(node, "")
        rows.append(NodeBeside(node or "(no node)", *beside))
    rows.sort(key=lambda row: -abs(row.difference))
    return PlanBeside(run, plan, sum(own.values(), Counters()), rows)


def _plain(name: str) -> str:
    """Return a name as the converter writes it."""
    return re.sub(r"\W", "_", name).strip("_")


def _reason(kinds: Mapping[str, int]) -> str:
    counts = sorted(kinds.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{count} {kind}" for kind, count in counts)


def _moved(counters: Counters | None) -> int:
    return 0 if counters is None else counters.read + counters.written


def as_text(beside: PlanBeside) -> str:
    """Write the totals, the nodes by their difference, and the kinds of the device's ops."""
    shown, rest = beside.nodes[:_MOST], beside.nodes[_MOST:]
    head = ("node", "device", "plan", "difference", "tiles", "ops", "on the device", "in the plan")
    nodes = [head, *map(_node_row, shown)]
    if rest:
        more = f"{sum(row.difference for row in rest):,}"
        nodes.append((f"{len(rest)} further nodes", "", "", more, "", "", "", ""))
    kinds = [
        (kind, f"{c.instances:,}", f"{c.read:,}", f"{c.written:,}", f"{c.cycles:,}")
        for kind, c in sorted(beside.run.kinds.items(), key=lambda pair: -_moved(pair[1]))
    ]
    columns = ("ops of the device", "instances", "bytes read", "bytes written", "cycles")
    lines = [
        *table([("", "device", "this plan", "plan / device"), *_total_rows(beside)], {1, 2, 3}),
        "",
        *table(nodes, {1, 2, 3, 4, 5}),
        *(["", *table([columns, *kinds], {1, 2, 3, 4})] if kinds else []),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _total_rows(beside: PlanBeside) -> list[tuple[str, ...]]:
    """List what both sides count, then what the device alone does, where it was counted."""
    run, plan = beside.run.all, beside.all
    both = [
        ("bytes read from main memory", run.read, plan.read),
        ("bytes written to it", run.written, plan.written),
        ("bytes between main memory and the chip", _moved(run), _moved(plan)),
        ("TCM at the peak", beside.run.peak, beside.plan.totals.peak),
        ("tiles, ops that run", run.instances, plan.instances),
    ]
    rows = [
        (what, "-" if a is None else f"{a:,}", f"{b:,}", f"{b / a:.2f}" if a else "-")
        for what, a, b in both
    ]
    alone = (
        ("bytes read from TCM", run.tcm_read),
        ("bytes written to TCM", run.tcm_written),
        ("cycles", run.cycles),
        ("microseconds", beside.run.microseconds),
    )
    return [*rows, *((what, f"{a:,}", "-", "-") for what, a in alone if a)]


def _node_row(row: NodeBeside) -> tuple[str, ...]:
    device, plan = row.device, row.plan
    sides = ("-" if side is None else f"{_moved(side):,}" for side in (device, plan))
    counts = ("-" if side is None else f"{side.instances:,}" for side in (device, plan))
    return (row.node, *sides, f"{row.difference:+,}", *counts, row.device_reason, row.plan_reason)


def as_json(beside: PlanBeside) -> str:
    """Write the figures as one JSON object."""
    content = {
        "device": {**asdict(beside.run.all), "peak": beside.run.peak},
        "plan": {**asdict(beside.all), "peak": beside.plan.totals.peak},
        "microseconds": beside.run.microseconds,
        "nodes": [{**asdict(row), "difference": row.difference} for row in beside.nodes],
        "kinds": {kind: asdict(counters) for kind, counters in beside.run.kinds.items()},
    }
    return json.dumps(content, indent=1) + "\n"


TARGET = "measured-report"
_WRITERS = {"text": as_text, "json": as_json}


@dataclass(frozen=True)
class MeasuredReport(Target):
    """The plan of an allocated module beside the profiler's summary of a run on a device.

    `summary` is the profiler's file, `format` is `text` or `json`. HtpError for a file that is not
    a summary, and a module that is not allocated.
    Example: `htp-opt model.onnx -p htp-lower -t 'measured-report{summary="summary.json"}'`
    """

    name = TARGET

    summary: str = field(kw_only=True)
    format: str = "text"

    def __post_init__(self) -> None:
        if self.format not in _WRITERS:
            known = listed(self.format, tuple(_WRITERS))
            raise fail(TARGET, f"format '{self.format}' is not known", known)

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        run = read_measured(self.summary)
        output.write(_WRITERS[self.format](beside_device(module, run, packages_of(ctx))))

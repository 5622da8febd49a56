"""The first two tables of a memory report as rows: bytes by node, and TCM at the peak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..passes.traffic import TransferKind
from .by_node import NodeBytes, at_peak
from .plan import ModulePlan, OtherPlan

Rows = list[tuple[str, ...]]
PEAK_HEAD = ("in TCM at the peak", "bytes", "ops", "from")


def node_table(plan: ModulePlan, other: OtherPlan | None, most: int | None = None) -> Rows:
    """List the head and the rows of the bytes by node, of both plans, with their sum behind.

    Beyond `most` nodes the others are one row.
    """
    beside = {row.node: row for row in other.plan.nodes} if other and other.plan else {}
    own = {row.node: row for row in plan.nodes}
    gone = [NodeBytes(node, {}, 0, "moves nothing here") for node in beside if node not in own]
    rows = [*plan.nodes, *gone]
    kinds = [kind for kind in TransferKind if any(kind in row.parts for row in rows)]

    def cells(name: str, group: Sequence[NodeBytes], reason: str) -> tuple[str, ...]:
        parts = sum((Counter(row.parts) for row in group), Counter[TransferKind]())
        padding = sum(row.padding for row in group)
        others = sum(beside[row.node].bytes for row in group if row.node in beside)
        numbers = [parts.total(), *([others] * bool(beside)), *(parts[kind] for kind in kinds)]
        return (name, *(f"{number:,}" for number in (*numbers, padding)), reason)

    names = (other.name,) if beside and other else ()
    head = ("bytes by node", "this plan", *names, *(kind.value for kind in kinds), "of it padding")
    shown, rest = rows[:most], rows[len(rows[:most]) :]
    body = [cells(row.node, [row], row.reason) for row in shown]
    if rest:
        body.append(cells(f"{len(rest)} further nodes", rest, ""))
    return [(*head, "most of it"), *body, cells("all", rows, "")]


def peak_rows(plan: ModulePlan, most: int | None = None) -> Rows:
    """List the rows of what is in TCM at the peak; beyond `most` tensors the others are one."""
    there = at_peak(plan.residencies)
    rows = [
        (each.name, f"{each.bytes:,}", f"{each.first}-{each.last}", each.source.origins or "-")
        for each in there[:most]
    ]
    if rest := there[len(rows) :]:
        rows.append((f"{len(rest)} further tensors", f"{sum(r.bytes for r in rest):,}", "", ""))
    return [*rows, ("all", f"{sum(each.bytes for each in there):,}", "", "")]

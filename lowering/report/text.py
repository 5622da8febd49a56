"""The memory report as text: bytes by node, TCM at the peak, totals, spills, every tensor.

A page shows the same rows.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..passes.traffic import TransferKind
from .plan import ModulePlan, NodeBytes, OtherPlan, Totals, at_peak
from .residencies import TensorResidency

_MOST = 20
"""Rows of each of the first two tables; the others are summed up in one."""
HEAD = ("tensor", "bytes", "ops", "offset", "where", "from", "why there")


def as_text(plan: ModulePlan, beside: OtherPlan | None) -> str:
    """Format the report of a plan, with another one beside it.

    One line per tensor: its bytes, the first and last op, the offset, layout and memory, the
    nodes and places that it comes from, and the reason.
    """
    other = beside.plan if beside else None
    nodes = node_table(plan, beside, _MOST)
    head = ("", "this plan", *((beside.name,) if beside and other else ()), "bound")
    lines = [
        f"TCM {plan.tcm_bytes:,} bytes, {plan.steps} ops to run",
        "",
        *table(nodes, right=set(range(1, len(nodes[0]) - 1))),
        "",
        *table([PEAK_HEAD, *peak_rows(plan, _MOST)], right={1}),
        "",
        *table([head, *total_rows(plan, other)], right={1, 2, 3}),
    ]
    if beside and other is None:
        lines += ["", f"{beside.name}: {beside.fault}"]
    lines += [
        "",
        *_moves(plan),
        "",
        *table([HEAD, *map(tensor_row, plan.residencies)], right={1, 3}),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def total_rows(plan: ModulePlan, other: ModulePlan | None) -> list[tuple[str, ...]]:
    """List the rows of the totals table: figures of the plan, of the other plan, the bound."""
    plans = [plan.totals, *([other.totals] if other else [])]
    least = min(side.least for side in plans)
    return [
        (
            "bytes between DDR and the chip",
            *(f"{t.moved:,} ({_ratio(t.moved, least)})" for t in plans),
            f"{least:,}",
        ),
        *(
            (f"  {kind.value}", *(f"{t.parts.get(kind, 0):,}" for t in plans), "")
            for kind in TransferKind
            if any(kind in t.parts for t in plans)
        ),
        *(
            [("ops too large for TCM, run from DDR", *(str(t.too_large) for t in plans), "")]
            if any(t.too_large for t in plans)
            else []
        ),
        (
            "TCM at the peak",
            *(f"{t.peak:,} ({_ratio(t.peak, t.live)} live)" for t in plans),
            "",
        ),
        ("conversions", *map(_conversions, plans), ""),
        ("multiply-accumulates", *(f"{t.macs:,}" for t in plans), ""),
    ]


def _conversions(totals: Totals) -> str:
    least = totals.least_converted
    optimum = "" if least is None else f", optimum {least:,}"
    return f"{totals.conversions} of {totals.converted:,} bytes{optimum}"


def _ratio(value: int, bound: int) -> str:
    return f"{value / bound:.2f}x" if bound else "-"


def _moves(plan: ModulePlan) -> Iterator[str]:
    if not plan.moves:
        yield "nothing is spilled"
    for move in plan.moves:
        origins = move.source.origins
        yield f"{move.name}{f' of {origins}' if origins else ''}: {move.why}"


def tensor_row(tensor: TensorResidency) -> tuple[str, ...]:
    """Format the row of one tensor, in the columns of HEAD."""
    offset = "-" if tensor.offset is None else str(tensor.offset)
    why = f"in place in {tensor.inside}" if tensor.inside else tensor.why
    ops = f"{tensor.first}-{tensor.last}"
    source = tensor.source.origins or "-"
    return (tensor.name, str(tensor.bytes), ops, offset, tensor.where, source, why)


def table(rows: Sequence[Sequence[str]], right: set[int]) -> list[str]:
    """Align rows in columns; those of `right` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


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

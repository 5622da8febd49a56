"""The memory report as text: totals, spills, then every tensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .plan import Plan
from .tensors import Held
from .totals import Totals
from .traffic import Kind

HEAD = ("tensor", "bytes", "ops", "offset", "where", "node", "why there")


def as_text(plan: Plan, untiled: Plan | str | None) -> str:
    """The report of a plan; beside it the totals of the plan without tiling, or why there is none.

    One line per tensor: its bytes, the first and last op, the offset, layout and memory, the
    model's node, and the reason.
    """
    other = untiled if isinstance(untiled, Plan) else None
    lines = [f"TCM {plan.tcm_bytes:,} bytes, {plan.steps} ops to run", ""]
    head = ("", "this plan", *(("without tiling",) if other else ()), "bound")
    lines += table([head, *total_rows(plan, other)], right={1, 2, 3})
    if isinstance(untiled, str):
        lines += ["", f"without tiling: {untiled}"]
    lines += ["", *_moves(plan), "", *table([HEAD, *map(tensor_row, plan.held)], right={1, 3})]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def total_rows(plan: Plan, other: Plan | None) -> list[tuple[str, ...]]:
    """What the totals table says, row by row: the plan's figures, the other plan's, the bound."""
    plans = [plan.totals, *([other.totals] if other else [])]
    least = min(totals.least for totals in plans)
    return [
        (
            "bytes between DDR and the chip",
            *(f"{t.moved:,} ({_ratio(t.moved, least)})" for t in plans),
            f"{least:,}",
        ),
        *(
            (f"  {kind.value}", *(f"{t.parts.get(kind, 0):,}" for t in plans), "")
            for kind in Kind
            if any(kind in t.parts for t in plans)
        ),
        (
            "TCM at the peak",
            *(f"{t.peak:,} ({_ratio(t.peak, t.live)} live)" for t in plans),
            "",
        ),
        ("conversions", *map(_conversions, plans), ""),
        ("multiply-accumulates", *(f"{t.macs:,}" for t in plans), ""),
    ]


def _conversions(held: Totals) -> str:
    least = held.least_converted
    optimum = "" if least is None else f", optimum {least:,}"
    return f"{held.conversions} of {held.converted:,} bytes{optimum}"


def _ratio(value: int, bound: int) -> str:
    return f"{value / bound:.2f}x" if bound else "-"


def _moves(plan: Plan) -> Iterator[str]:
    if not plan.moves:
        yield "nothing is spilled"
    for move in plan.moves:
        yield f"{move.name}: {move.why}"


def tensor_row(held: Held) -> tuple[str, ...]:
    offset = "-" if held.offset is None else str(held.offset)
    why = f"in place in {held.inside}" if held.inside else held.why
    ops = f"{held.first}-{held.last}"
    return (held.name, str(held.bytes), ops, offset, held.where, held.node or "-", why)


def table(rows: Sequence[Sequence[str]], right: set[int]) -> list[str]:
    """Lines in columns; those of `right` are set to the right, the last one is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]

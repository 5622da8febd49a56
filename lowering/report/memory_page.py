"""The memory report as an HTML page: bytes by node, totals, two plans side by side, tensors."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ..passes.traffic import TransferKind
from .html import document, table
from .node_table import PEAK_HEAD, node_table, peak_rows
from .picture import picture
from .plan import ModulePlan, OtherPlan
from .text import HEAD, tensor_row, total_rows
from .timeline import height, timeline_of

_COLOURS = {
    TransferKind.COPY_IN: "#4c8bf5",
    TransferKind.COPY_OUT: "#7cc4a4",
    TransferKind.DIRECT: "#9aa5b8",
    TransferKind.SPILL: "#e0697e",
    TransferKind.FILL: "#f3a6b2",
    TransferKind.PARTS: "#c98f5a",
    TransferKind.CONVERSION: "#e8b44c",
    TransferKind.STATE: "#b28ddb",
}
_LEGEND = (
    "<p>Each block is one residency of a tensor in TCM: from the op that writes it to the last op "
    "that reads it, at its byte offset. Red edges are fills: tensors that come back. Pale blocks "
    "are parts in place in another tensor. Point at a block for its tensor, op and node.</p>"
)
_OPEN_UP_TO = 40
"""Rows; longer lists are folded."""


def memory_page(title: str, plan: ModulePlan, beside: OtherPlan | None) -> str:
    """Return the page of a plan beside another one, or the reason for its absence."""
    other = beside.plan if beside else None
    shown = {"this plan": plan, **({beside.name: other} if beside and other else {})}
    nodes, there = node_table(plan, beside), peak_rows(plan)
    head = ("", *shown, "bound")
    top = height(*shown.values())
    return document(
        title,
        [
            "<h2>Where the bytes go</h2>",
            *_folded(
                f"{len(nodes) - 2} nodes",
                table(nodes[0], nodes[1:], set(range(1, len(nodes[0]) - 1)), "nodes"),
                len(nodes),
            ),
            "<h2>In TCM at the peak</h2>",
            *_folded(f"{len(there) - 1} tensors", table(PEAK_HEAD, there, {1}), len(there)),
            "<h2>Totals</h2>",
            table(head, total_rows(plan, other), {1, 2, 3}),
            *(
                [f"<p>{escape(f'{beside.name}: {beside.fault}')}</p>"]
                if beside and not other
                else []
            ),
            "<h2>Bytes between main memory and the chip</h2>",
            *_bars(shown),
            "<h2>TCM over time</h2>",
            _LEGEND,
            "<div class='sides'>",
            *(_side(name, side, top) for name, side in shown.items()),
            "</div>",
            "<h2>Spills and fills</h2>",
            *_moves(plan),
            "<h2>Tensors</h2>",
            *_tensors(plan),
        ],
    )


def _bars(shown: dict[str, ModulePlan]) -> Iterator[str]:
    most = max((side.totals.moved for side in shown.values()), default=0) or 1
    for name, side in shown.items():
        yield f"<h3>{escape(name)}: {side.totals.moved:,}</h3><div class='bar'>"
        for kind, colour in _COLOURS.items():
            part = side.totals.parts.get(kind, 0)
            if part:
                yield (
                    f"<span title='{kind.value}: {part:,}' "
                    f"style='width:{100 * part / most:.2f}%;background:{colour}'></span>"
                )
        yield "</div>"
    keys = (
        f"<span><b style='background:{colour}'></b>{kind.value}</span>"
        for kind, colour in _COLOURS.items()
    )
    yield f"<p class='legend'>{' '.join(keys)}</p>"


def _side(name: str, plan: ModulePlan, top: int) -> str:
    drawn = picture(timeline_of(plan), plan.tcm_bytes, top, name)
    return f"<section><h3>{escape(name)}</h3>{drawn}</section>"


def _moves(plan: ModulePlan) -> Iterator[str]:
    if not plan.moves:
        yield "<p>Nothing is spilled.</p>"
        return
    rows = [(move.name, f"{move.bytes:,}", move.source.origins, move.why) for move in plan.moves]
    listing = table(("move", "bytes", "from", "reason"), rows, {1})
    yield from _folded(f"{len(rows)} moves", listing, len(rows))


def _tensors(plan: ModulePlan) -> Iterator[str]:
    rows = [tensor_row(tensor) for tensor in plan.residencies]
    search = "<input type='search' data-filter='tensors' placeholder='name, node or reason' "
    search += "aria-label='show only the tensors with this text'>"
    listing = search + table(HEAD, rows, {1, 3}, "tensors")
    yield from _folded(f"{len(rows)} tensors", listing, len(rows))


def _folded(summary: str, listing: str, size: int) -> Iterator[str]:
    opened = " open" if size <= _OPEN_UP_TO else ""
    yield f"<details{opened}><summary>{summary}</summary>{listing}</details>"

"""An HTML page of one lowering: facts, the TCM over time, the IR after each pass."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .html import document, table
from .picture import picture
from .timeline import Look, Timeline


def page(
    title: str,
    facts: Sequence[tuple[str, str]],
    tcm_bytes: int,
    line: Timeline,
    passes: Sequence[tuple[str, str]],
) -> str:
    """Return the page: facts as a table, the picture, the fills, the IR after each pass."""
    return document(
        title,
        [
            table((), facts, set()),
            "<h2>TCM over time</h2>",
            LEGEND,
            picture(line, tcm_bytes, title),
            *_fills(line),
            "<h2>IR after each pass</h2>",
            *(_pass_text(name, ir) for name, ir in passes),
        ],
    )


LEGEND = (
    "<p>Each block is one residency of a tensor in TCM: from the op that writes it to the last op "
    "that reads it, at its byte offset. Red edges are fills: tensors that come back. Pale blocks "
    "are parts in place in another tensor. Point at a block for its tensor, op and node.</p>"
)


def _fills(line: Timeline) -> list[str]:
    fills = [block.residency for block in line.blocks if block.look is Look.FILL]
    if not fills:
        return ["<p>Nothing had to leave TCM.</p>"]
    rows = [(str(fill.first), f"{fill.bytes:,}", fill.why) for fill in fills]
    return ["<h2>Fills</h2>", table(("op", "bytes", "reason"), rows, {1})]


def _pass_text(name: str, ir: str) -> str:
    lines = ir.count("\n")
    return (
        f"<details><summary>{escape(name)} ({lines} lines)</summary>"
        f"<pre>{escape(ir)}</pre></details>"
    )

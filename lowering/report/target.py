"""The output target `memory-report`: the place of every tensor, with reasons.

As an HTML page it has bytes by node, totals, two plans side by side, tensors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.target import Target

from ...dialects.diagnostics import HtpError, fail, listed
from ..packages.loading import packages_of
from ..passes.graph.convert import VendorIo
from ..passes.lower import Lower
from ..passes.traffic import TransferKind
from .html import document, table
from .plan import Block, ModulePlan, OtherPlan, Timeline, at_peak, height, plan_of, timeline_of
from .residencies import TensorResidency
from .text import HEAD, PEAK_HEAD, as_text, node_table, peak_rows, tensor_row, total_rows

Lines = list[str]


def _picture(line: Timeline, tcm_bytes: int, top: int, name: str) -> str:
    """Draw a figure: steps from left to right, offsets from bottom to top, a colour per tensor.

    One unit of the drawing is one step and one byte, up to the byte `top`; the page stretches it.
    """
    steps = max(len(line.steps), 1)
    label = f"TCM over time, {name}"
    return "\n".join(
        [
            "<figure class='tcm'><div class='offsets'>",
            *(f"<span>{top * quarter // 4 // 1024} KiB</span>" for quarter in range(4, -1, -1)),
            "</div><div class='scroll'>",
            f"<svg viewBox='0 0 {steps} {top}' preserveAspectRatio='none' role='img' "
            f"aria-label='{escape(label, quote=True)}'>",
            *(_quarter(top * quarter // 4, steps) for quarter in (1, 2, 3)),
            *(_rectangle(block, top, index) for index, block in enumerate(line.blocks)),
            f"<line class='peak' x1='0' x2='{steps}' y1='{top - line.peak}' "
            f"y2='{top - line.peak}'/>",
            "</svg></div>",
            f"<figcaption>{steps} ops from left to right; the dashed line is the peak, "
            f"{line.peak:,} bytes of {tcm_bytes:,}"
            "<span class='zoom'><button type='button' data-by='.5' aria-label='narrower'>&minus;"
            "</button><button type='button' data-by='2' aria-label='wider'>+</button></span>"
            "</figcaption>",
            f"<script type='application/json'>{_hover(line)}</script></figure>",
        ]
    )


def _quarter(y: int, steps: int) -> str:
    return f"<line class='grid' x1='0' x2='{steps}' y1='{y}' y2='{y}'/>"


def _rectangle(block: Block, top: int, index: int) -> str:
    # The colour comes from the tensor's name, so that it is the same on every page.
    seed = crc32(block.residency.name.encode())
    colour = f"hsl({seed % 360} 52% {50 + (seed >> 9) % 20}%)"
    return (
        f"<rect class='{block.look.value}' data-b='{index}' x='{block.first}' "
        f"y='{top - block.end}' width='{block.last - block.first + 1}' "
        f"height='{max(block.residency.bytes, 1)}' fill='{colour}'/>"
    )


def _hover(line: Timeline) -> str:
    """Return the tooltip texts of blocks and steps as JSON; `<` is escaped, so no tag ends it."""
    blocks = [_block_lines(block) for block in line.blocks]
    steps = [
        f"{op.position}: {op.name}" + (f" ({op.node})" if op.node else "") for op in line.steps
    ]
    return json.dumps({"blocks": blocks, "steps": steps}).replace("<", "\\u003c")


def _block_lines(block: Block) -> Lines:
    tensor = block.residency
    inside = [f"in place in {tensor.inside}"] if tensor.inside else []
    return [
        tensor.name,
        f"from {tensor.source.origins}" if tensor.source.origins else "no node of the model",
        f"{tensor.label}, {tensor.layout}",
        f"{tensor.bytes:,} bytes at {block.offset:,}, ops {tensor.first} to {tensor.last}",
        *(inside or [tensor.why]),
    ]


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
    drawn = _picture(timeline_of(plan), plan.tcm_bytes, top, name)
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


def as_json(plan: ModulePlan, other: OtherPlan | None) -> str:
    """Write a plan; beside it is the other plan's totals and bytes by node."""
    content = {
        "tcm_bytes": plan.tcm_bytes,
        **_figures(plan),
        "peak": [_tensor(each) for each in at_peak(plan.residencies)],
        "too_large": [asdict(row) for row in plan.too_large],
        "tensors": [_tensor(each) for each in plan.residencies],
    }
    if other:
        figures = _figures(other.plan) if other.plan else {"fault": other.fault}
        content["beside"] = {"name": other.name, **figures}
    return json.dumps(content, indent=1) + "\n"


def _figures(plan: ModulePlan) -> dict[str, Any]:
    totals = asdict(plan.totals)
    totals["parts"] = {kind.value: size for kind, size in plan.totals.parts.items()}
    nodes = [
        {
            "node": row.node,
            "bytes": row.bytes,
            "parts": {kind.value: size for kind, size in row.parts.items()},
            "padding": row.padding,
            "reason": row.reason,
        }
        for row in plan.nodes
    ]
    return {"totals": totals, "nodes": nodes}


def _tensor(tensor: TensorResidency) -> dict[str, Any]:
    return {
        "name": tensor.name,
        "node": tensor.node,
        "bytes": tensor.bytes,
        "first": tensor.first,
        "last": tensor.last,
        "memory": tensor.memory.value,
        "layout": tensor.layout,
        "offset": tensor.offset,
        "role": tensor.role.value,
        "inside": tensor.inside,
        "why": tensor.why,
    }


TARGET = "memory-report"
FORMATS = ("text", "html", "json")
IO_CHOICES = ("model", "vendor")
_BY_SUFFIX = {".html": "html", ".htm": "html", ".json": "json"}


@dataclass(frozen=True)
class MemoryReport(Target):
    """Bytes by node, tensors, offsets and reasons of an allocated module: `text`, `html`, `json`.

    With `io=vendor` the model gets the inputs and outputs that the vendor's converter makes, by
    qti-vendor-io in front of htp-lower. `beside` is the file of a tile plan that stands beside
    this one, in place of the plan without tiling. HtpError for another format.
    Example: `htp-opt model.onnx -p 'htp-lower{soc=SM8650}' -t memory-report -o report.html`
    """

    name = TARGET

    format: str = "text"
    io: str = "model"
    beside: str = ""

    def __post_init__(self) -> None:
        for name, choices in {"format": FORMATS, "io": IO_CHOICES}.items():
            value = getattr(self, name)
            if value not in choices:
                raise fail(TARGET, f"{name} '{value}' is not known", listed(value, choices))

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(self.report(ctx, module, None))

    def report(self, ctx: Context, module: ModuleOp, beside: OtherPlan | None) -> str:
        """Return the report's text, with another plan beside it."""
        plan = plan_of(module, packages_of(ctx))
        if self.format == "html":
            return memory_page("Memory report", plan, beside)
        return as_json(plan, beside) if self.format == "json" else as_text(plan, beside)

    def for_file(self, path: str | None) -> MemoryReport:
        """Return the same target, in the format that the suffix of a file name says."""
        return replace(self, format=_BY_SUFFIX.get(Path(path or "").suffix, self.format))


def with_io(target: MemoryReport, passes: Sequence[ModulePass]) -> tuple[ModulePass, ...]:
    """Put the pass that the report's `io` asks for in front of the first that lowers."""
    lowers = [isinstance(step, Lower) for step in passes]
    if target.io == "model":
        return tuple(passes)
    if not any(lowers):
        raise fail(TARGET, "io=vendor changes what htp-lower gets", "give -p htp-lower")
    at = lowers.index(True)
    return (*passes[:at], VendorIo(), *passes[at:])


def plan_beside(
    ctx: Context, module: ModuleOp, passes: Sequence[ModulePass], tiles: str
) -> OtherPlan | None:
    """Plan a module by the same passes with the tiles of a file, or with tiling off.

    None where no pass lowers, so that there is nothing to compare. The module is changed.
    """
    if not any(isinstance(step, Lower) and (step.tiling or tiles) for step in passes):
        return None
    name = tiles or "without tiling"
    try:
        for step in passes:
            if isinstance(step, Lower):
                step = replace(step, tiling=bool(tiles), tiles=tiles)
            step.apply(ctx, module)
        return OtherPlan(name, plan_of(module, packages_of(ctx)))
    except HtpError as error:
        faults = (f"{fault.where}: {fault.problem}" for fault in error.faults)
        return OtherPlan(name, None, "; ".join(faults))

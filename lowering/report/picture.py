"""The TCM over time as SVG, with the tooltip texts beside it as JSON."""

from __future__ import annotations

import json
from html import escape
from zlib import crc32

from .timeline import Block, Timeline

Lines = list[str]


def picture(line: Timeline, tcm_bytes: int, top: int, name: str) -> str:
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

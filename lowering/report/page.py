"""One HTML page without outside parts: the TCM over time and the IR after every pass."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from zlib import crc32

from .timeline import Block, Timeline

_WIDTH, _HEIGHT, _MARGIN = 1120, 420, 70

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1240px; color: #1c2330 }
h1, h2 { font-weight: 600 } h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem }
svg { width: 100%; background: #f7f8fa; border: 1px solid #d8dde6 }
svg rect.block { stroke: #fff; stroke-width: .4 }
svg rect.block:hover { stroke: #000; stroke-width: 1.5 }
svg rect.fill { stroke: #b00020; stroke-width: 1.2 }
svg text { font-size: 12px; fill: #44506a }
table { border-collapse: collapse } td, th { padding: .2rem .9rem .2rem 0; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
pre { background: #f7f8fa; border: 1px solid #d8dde6; padding: .8rem; overflow: auto;
      font-size: 12px; max-height: 70vh }
details { margin: .4rem 0 } summary { cursor: pointer }
"""


def page(
    title: str,
    facts: Sequence[tuple[str, str]],
    tcm_bytes: int,
    line: Timeline,
    passes: Sequence[tuple[str, str]],
) -> str:
    """The page's text: facts as a table, the picture, the spills, the IR after each pass."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        _table(facts),
        "<h2>TCM over time</h2>",
        "<p>Each block is one stay of a tensor in TCM: from the op that writes it to the last that "
        "reads it, at its byte offset. One colour per tensor; red edges are fills after a spill. "
        "Hover for the tensor.</p>",
        picture(line, tcm_bytes),
        _spills(line),
        "<h2>IR after each pass</h2>",
        *(_pass_text(name, ir) for name, ir in passes),
        "</body></html>",
    ]
    return "\n".join(parts)


def picture(line: Timeline, tcm_bytes: int) -> str:
    """The blocks as SVG: steps from left to right, offsets from bottom to top."""
    steps = max(len(line.steps), 1)
    across = (_WIDTH - _MARGIN - 10) / steps
    up = (_HEIGHT - 50) / max(tcm_bytes, 1)
    floor = _HEIGHT - 30
    marks = [
        f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='TCM over time'>",
        *_offset_axis(tcm_bytes, floor, up),
        *_step_axis(steps, floor, across),
        *(_rectangle(block, floor, across, up) for block in line.blocks),
        "</svg>",
    ]
    return "\n".join(marks)


def _offset_axis(tcm_bytes: int, floor: float, up: float) -> list[str]:
    marks: list[str] = []
    for quarter in range(5):
        offset = tcm_bytes * quarter // 4
        y = floor - offset * up
        marks.append(
            f"<line x1='{_MARGIN}' x2='{_WIDTH - 10}' y1='{y:.1f}' y2='{y:.1f}' stroke='#d8dde6'/>"
            f"<text x='{_MARGIN - 8}' y='{y + 4:.1f}' text-anchor='end'>{offset // 1024} KiB</text>"
        )
    return marks


def _step_axis(steps: int, floor: float, across: float) -> list[str]:
    every = max(1, steps // 12)
    return [
        f"<text x='{_MARGIN + step * across:.1f}' y='{floor + 18}'>{step}</text>"
        for step in range(0, steps, every)
    ] + [f"<text x='{_WIDTH - 10}' y='{floor + 18}' text-anchor='end'>op</text>"]


def _rectangle(block: Block, floor: float, across: float, up: float) -> str:
    x = _MARGIN + block.first * across
    width = max((block.last - block.first + 1) * across, 1)
    height = max(block.bytes * up, 1)
    y = floor - block.offset * up - height
    hover = (
        f"{block.tensor}\n{block.label}\n{block.bytes} bytes at {block.offset}, "
        f"ops {block.first} to {block.last}" + (f"\n{block.reason}" if block.reason else "")
    )
    return (
        f"<rect class='block{' fill' if block.reason else ''}' x='{x:.1f}' y='{y:.1f}' "
        f"width='{width:.1f}' height='{height:.1f}' fill='{_colour(block.tensor)}'>"
        f"<title>{escape(hover)}</title></rect>"
    )


def _colour(name: str) -> str:
    hue = crc32(name.encode()) % 360
    return f"hsl({hue} 55% {55 + crc32(name[::-1].encode()) % 18}%)"


def _table(facts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts
    )
    return f"<table>{rows}</table>"


def _spills(line: Timeline) -> str:
    filled = [block for block in line.blocks if block.reason]
    if not filled:
        return "<p>Nothing had to be spilled.</p>"
    rows = "".join(
        f"<tr><td class='number'>{block.first}</td><td class='number'>{block.bytes}</td>"
        f"<td>{escape(block.reason)}</td></tr>"
        for block in filled
    )
    head = "<tr><th>op</th><th>bytes</th><th>reason</th></tr>"
    return f"<h2>Fills after a spill</h2><table>{head}{rows}</table>"


def _pass_text(name: str, ir: str) -> str:
    lines = ir.count("\n")
    return (
        f"<details><summary>{escape(name)} ({lines} lines)</summary>"
        f"<pre>{escape(ir)}</pre></details>"
    )

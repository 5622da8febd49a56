"""The plot of a sweep as SVG: bytes moved over TCM sizes, or sound graphs by rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from .cases import Lowering
from .outcome import Row, Status
from .panel import HEIGHT, WIDTH, Panel, PanelPoint

_BAR = 18
"""Height of a bar with its gap, in units of the drawing."""
_LABEL = 320
"""Width of the names of rules, in units of the drawing."""
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #1c2330 } .paper { fill: #fff }
.title { font-weight: 600; font-size: 14px } .faint { fill: #5b6678 } .edge { stroke: #d8dde6 }
.series { fill: none; stroke-width: 2 } .bar { fill: #2f6fbb } .bar.fault { fill: #b00020 }
@media (prefers-color-scheme: dark) { text { fill: #e4e8ef } .paper { fill: #14181f }
  .faint { fill: #98a3b5 } .edge { stroke: #333c4a } .bar { fill: #6aa5ec }
  .bar.fault { fill: #ff6b81 } }
"""


def plot(rows: Sequence[Row]) -> str:
    """Draw the rows that have figures; those of one kind, the kind of the first row."""
    if rows and isinstance(rows[0].case, Lowering):
        return _lowerings(rows)
    return _rules(rows)


def _lowerings(rows: Sequence[Row]) -> str:
    """Draw a panel for each model, with a line for each SoC and its options."""
    models: dict[str, dict[str, list[PanelPoint]]] = {}
    for row in rows:
        if isinstance(row.case, Lowering) and row.outcome.status is Status.OK:
            name = f"{row.case.soc} {row.case.options}".strip()
            moved = float(row.outcome.figures["moved_bytes"])
            series = models.setdefault(row.case.model, {}).setdefault(name, [])
            series.append(PanelPoint(row.case.tcm_bytes, moved))
    panels = [Panel(model, series) for model, series in models.items()]
    heights = [HEIGHT + 18 * len(panel.series) for panel in panels]
    tops = [sum(heights[:number]) for number in range(len(heights))]
    drawn = (
        f"<g transform='translate(0 {top})'>{panel.draw()}</g>"
        for top, panel in zip(tops, panels, strict=True)
    )
    return _document(WIDTH, sum(heights), drawn)


def _rules(rows: Sequence[Row]) -> str:
    """Draw a bar for each rule: the graphs that it was sound on, of all seeds together."""
    sums: dict[str, tuple[int, bool]] = {}
    for row in rows:
        name = str(row.cells()["rule"])
        graphs, fault = sums.get(name, (0, False))
        graphs += int(row.outcome.figures.get("sound_cases", 0))
        sums[name] = graphs, fault or row.outcome.status is Status.FAULT
    most = max((graphs for graphs, _ in sums.values()), default=0) or 1
    return _document(WIDTH, _BAR * len(sums) + 40, _bars(sums, most))


def _bars(sums: dict[str, tuple[int, bool]], most: int) -> Iterator[str]:
    yield "<text class='title' x='10' y='20'>Graphs that each rule was sound on</text>"
    for number, (name, (graphs, fault)) in enumerate(sums.items()):
        y, width = 34 + _BAR * number, (WIDTH - _LABEL - 120) * graphs / most
        short = name if len(name) <= 48 else f"{name[:47]}…"
        kind = "bar fault" if fault else "bar"
        box = f"x='{_LABEL + 8}' y='{y}' width='{max(width, 2):.1f}' height='13'"
        yield (
            f"<text x='{_LABEL}' y='{y + 11}' text-anchor='end'>{escape(short)}"
            f"<title>{escape(name)}</title></text>"
            f"<rect class='{kind}' {box}/>"
            f"<text class='faint' x='{_LABEL + 14 + width:.1f}' y='{y + 11}'>{graphs:,}"
            f"{', fails' if fault else ''}</text>"
        )


def _document(width: int, height: int, parts: Iterable[str]) -> str:
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
            f"width='{width}' height='{height}' role='img' aria-label='Sweep'>",
            f"<style>{_STYLE}</style><rect class='paper' width='{width}' height='{height}'/>",
            *parts,
            "</svg>\n",
        ]
    )

"""The plot of a sweep as SVG: bytes moved over TCM sizes, or sound graphs by rule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import log2
from typing import NamedTuple

from .cases import Lowering, Row, Status

WIDTH, HEIGHT = 860, 330
"""Size of a panel without its legend, in units of the drawing."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 90, 830, 40, 270
_COLOURS = ("#2f6fbb", "#c8641e", "#2b9348", "#8a4fbf", "#b5315f", "#6f7d8c")
"""Colours of the series in turn, readable on light and dark paper."""
_UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


class PanelPoint(NamedTuple):
    """A TCM size and the bytes moved with it."""

    tcm: int
    moved: float


@dataclass(frozen=True)
class Panel:
    """A title and the points of each series by name; sizes are on a scale of powers of two."""

    title: str
    series: Mapping[str, Sequence[PanelPoint]]

    def draw(self) -> str:
        """Return the elements of the drawing."""
        parts = [f"<text class='title' x='10' y='22'>{escape(self.title)}: bytes moved</text>"]
        parts += [*self._grid()]
        for number, (name, points) in enumerate(self.series.items()):
            colour = _COLOURS[number % len(_COLOURS)]
            ends = [(self._x(point.tcm), self._y(point.moved)) for point in sorted(points)]
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in ends)
            parts.append(f"<polyline class='series' stroke='{colour}' points='{line}'/>")
            parts += [f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4' fill='{colour}'/>" for x, y in ends]
            y = HEIGHT - 10 + 18 * number
            parts.append(f"<circle cx='{_LEFT}' cy='{y - 4}' r='4' fill='{colour}'/>")
            parts.append(f"<text x='{_LEFT + 12}' y='{y}'>{escape(name)}</text>")
        return "\n".join(parts)

    @property
    def _points(self) -> list[PanelPoint]:
        return [point for points in self.series.values() for point in points]

    def _x(self, tcm: int) -> float:
        sizes = [log2(point.tcm) for point in self._points]
        low, high = min(sizes), max(sizes)
        share = (log2(tcm) - low) / (high - low) if high > low else 0.5
        return _LEFT + 20 + (_RIGHT - _LEFT - 40) * share

    def _y(self, moved: float) -> float:
        most = max(point.moved for point in self._points) or 1.0
        return _BOTTOM - (_BOTTOM - _TOP) * moved / (most * 1.05)

    def _grid(self) -> Iterator[str]:
        most = max(point.moved for point in self._points)
        for quarter in range(5):
            value = most * quarter / 4
            y = self._y(value)
            yield f"<line class='edge' x1='{_LEFT}' x2='{_RIGHT}' y1='{y:.1f}' y2='{y:.1f}'/>"
            place = f"x='{_LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'"
            yield f"<text class='faint' {place}>{bytes_text(value)}</text>"
        for tcm in sorted({point.tcm for point in self._points}):
            place = f"x='{self._x(tcm):.1f}' y='{_BOTTOM + 18}'"
            yield f"<text class='faint' {place} text-anchor='middle'>{bytes_text(tcm)}</text>"
        middle = (_LEFT + _RIGHT) // 2
        yield f"<text x='{middle}' y='{_BOTTOM + 36}' text-anchor='middle'>TCM</text>"


def bytes_text(number: float) -> str:
    """Write a number of bytes in the largest binary unit that it has one of."""
    size, unit = next(((s, u) for s, u in _UNITS if number >= s), _UNITS[-1])
    count = number / size
    return f"{count:.0f} {unit}" if count >= 100 else f"{count:.3g} {unit}"


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
        if isinstance(row.case, Lowering) and "moved_bytes" in row.outcome.figures:
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
        graphs += row.outcome.figures.get("sound_cases", 0)
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

"""A panel of a plot: bytes moved over TCM sizes, a line per series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import log2
from typing import NamedTuple

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

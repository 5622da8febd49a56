"""Plots of sweeps."""

import re
from xml.etree import ElementTree

import pytest
from htp_mlir.lowering.sweep import Outcome, Row, Status, lowerings
from htp_mlir.lowering.sweep.plot import bytes_text, plot


def rows(*moved: int) -> list[Row]:
    """Lowerings with TCM sizes from 16 KiB up, that moved so many bytes; none for a fault."""
    cases = lowerings(["relu.mlir"], tcm_bytes=[16384 << n for n in range(4)])
    outcomes = [
        Outcome(Status.OK, {"moved_bytes": n}) if n else Outcome(Status.FAULT) for n in moved
    ]
    return [Row(case, outcome) for case, outcome in zip(cases, outcomes, strict=False)]


def test_fewer_bytes_are_drawn_lower() -> None:
    drawn = plot(rows(4000, 0, 1000))
    ElementTree.fromstring(drawn)
    (points,) = re.findall(r"points='([^']+)'", drawn)
    (x0, y0), (x1, y1) = (map(float, point.split(",")) for point in points.split())
    assert x0 < x1
    assert y0 < y1
    assert ">16 KiB<" in drawn
    assert ">64 KiB<" in drawn


@pytest.mark.parametrize("moved", [(), (0,), (5,)])
def test_a_plot_of_little_is_a_picture_too(moved: tuple[int, ...]) -> None:
    ElementTree.fromstring(plot(rows(*moved)))


def test_names_are_escaped() -> None:
    (row,) = rows(5)
    object.__setattr__(row.case, "model", "a<b.onnx")
    assert "a&lt;b.onnx" in plot([row])


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (1010 << 10, "1010 KiB")]
)
def test_bytes_are_written_short(number: int, text: str) -> None:
    assert bytes_text(number) == text

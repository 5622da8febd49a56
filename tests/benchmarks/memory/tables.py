"""The parts of the memory benchmark as markdown."""

from collections.abc import Sequence

import numpy as np
from means import geometric_mean
from report import table

from .figures import Figures

ABOUT = {
    "u8": "In u8, inputs and outputs in f32, counted as they are:",
    "device": "Graphs that a device's counters are known of, without what f32 inputs and outputs "
    "take beyond one byte an element:",
    "vgg": "The example of fused convolutions, f32:",
}
HEAD = (
    "case",
    "TCM MiB",
    "bound MB",
    "reference MB",
    "ours MB",
    "ours / reference",
    "lowering CPU s",
)
DEVICE_HEAD = (
    *("case", "device MB", "reference MB", "ours MB"),
    *("ours / device", "ours / reference", "lowering CPU s"),
)
WORST = 10
"""Drawn networks that are listed one by one."""


def part_section(part: str, figures: Sequence[Figures]) -> str:
    """The table of a part, and what is wrong with its cases."""
    if part in ("random", "tiny"):
        text = _drawn(part, figures)
    elif part == "device":
        text = f"{ABOUT[part]}\n\n{table(DEVICE_HEAD, [_device(row) for row in figures])}"
    else:
        text = f"{ABOUT[part]}\n\n{table(HEAD, [_cells(row) for row in figures])}"
    faults = [f"- {row.title}, TCM {row.tcm}: {row.fault}" for row in figures if row.fault]
    return "\n\n".join([text, *(["Faults:\n\n" + "\n".join(faults)] if faults else [])])


def _cells(row: Figures) -> list[str]:
    size = f"{row.tcm / (1 << 20):.3g}"
    megabytes = [_mega(n) for n in (row.bound, row.reference, row.ours)]
    return [row.title, size, *megabytes, _ratio(row.ours, row.reference), f"{row.seconds:.1f}"]


def _device(row: Figures) -> list[str]:
    quantised = row.boundary if row.title.endswith("u8") else 0
    reference, ours = (None if n is None else n - quantised for n in (row.reference, row.ours))
    ratios = _ratio(ours, row.device), _ratio(ours, reference)
    bytes_ = [_mega(n) for n in (row.device, reference, ours)]
    return [row.title, *bytes_, *ratios, f"{row.seconds:.1f}"]


def _mega(count: int | None) -> str:
    return "-" if count is None else f"{count / 1e6:.2f}"


def _ratio(ours: int | None, other: int | None) -> str:
    return f"**{ours / other:.2f}**" if ours and other else "-"


def _drawn(part: str, figures: Sequence[Figures]) -> str:
    """A distribution over all, by family, and the worst one by one."""
    other = "the optimum" if part == "tiny" else "the reference"
    head = ("networks", "drawn", "compared", "geometric mean", "median", "90 %", "99 %", "worst")
    families = sorted({_family(row) for row in figures}) if part == "random" else []
    rows = [_spread("all", figures)]
    rows += [_spread(name, [f for f in figures if _family(f) == name]) for name in families]
    worst = sorted((f for f in figures if f.ratio), key=lambda f: -(f.ratio or 0))[:WORST]
    seeds = _seeds(figures)
    return "\n\n".join(
        [
            f"Drawn at random, {seeds}: our bytes as a multiple of those of {other}:",
            table(head, rows),
            "The worst:",
            table(HEAD, [_cells(row) for row in worst]),
        ]
    )


def _family(row: Figures) -> str:
    return row.title.split(", ")[1]


def _seeds(figures: Sequence[Figures]) -> str:
    numbers = sorted(int(row.title.split(",")[0].removeprefix("seed ")) for row in figures)
    return f"{len(numbers)} of the seeds {numbers[0]} to {numbers[-1]}"


def _spread(name: str, figures: Sequence[Figures]) -> list[str]:
    ratios = [row.ratio for row in figures if row.ratio]
    if not ratios:
        return [name, str(len(figures)), "0", *["-"] * 5]
    worst = max((row for row in figures if row.ratio), key=lambda row: row.ratio or 0)
    spread = [geometric_mean(ratios), *np.quantile(ratios, [0.5, 0.9, 0.99])]
    seed = worst.title.split(",")[0]
    counts = [str(len(figures)), str(len(ratios))]
    return [name, *counts, *(f"{value:.2f}" for value in spread), f"{max(ratios):.2f} ({seed})"]

"""Reads the published packing instances of tests/data/packing."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval

DATA = Path(__file__).parents[1] / "data" / "packing"
MINIMALLOC_CAPACITY = 1 << 20


def minimalloc() -> dict[str, list[LiveInterval]]:
    """The eleven instances by letter; alignment 1."""
    files = sorted((DATA / "minimalloc").glob("*.csv"))
    return {file.name[0]: _read_csv(file) for file in files}


def _read_csv(file: Path) -> list[LiveInterval]:
    with file.open(newline="") as lines:
        return [
            LiveInterval(row["id"], int(row["size"]), int(row["lower"]), int(row["upper"]) - 1)
            for row in csv.DictReader(lines)
        ]


@dataclass(frozen=True)
class Trace:
    """A model's allocations, their alignment, and the peak that Glow's allocator reaches."""

    model: str
    alignment: int
    lifetimes: tuple[LiveInterval, ...]
    glow_peak: int


def glow() -> Iterator[Trace]:
    """The 79 traces; a tensor is alive from its ALLOC to the step before its FREE."""
    text = (DATA / "glow" / "MemoryAllocatorTestModels.txt").read_text()
    for section in text.split("\nMODEL ")[1:]:
        yield _trace([line.split() for line in section.splitlines() if line.strip()])


def _trace(lines: list[list[str]]) -> Trace:
    (model, *_), *commands = lines
    values = {command: int(value) for command, value, *_ in commands if command in ("ALIGN", "MEM")}
    starts: dict[str, tuple[int, int]] = {}
    lives: list[LiveInterval] = []
    for step, (command, name, *size) in enumerate(commands):
        if command == "ALLOC":
            starts[name] = (int(size[0]), step)
        elif command == "FREE":
            lives.append(LiveInterval(name, *starts.pop(name), step - 1))
    return Trace(model, values["ALIGN"], tuple(lives), values["MEM"])

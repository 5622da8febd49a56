"""The memory benchmark's results as markdown."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from means import geometric_mean
from report import processor, put_in_front, table

if TYPE_CHECKING:
    from bench_memory import Row

HEADING = """# Memory benchmark

What `make bench-memory` printed, newest first.

DDR bytes are read off the allocated IR: every op reads its operands that lie in main memory and
writes its results that do; a Reshape, a slice or join in place and the wait for a copy move
nothing, a slice reads what it gives, and the recurrent weights of an LSTM in main memory are read
at every step. The *bound* is every input, every used constant and every output once, and states in
and out. *Naive* runs each fused op alone, from main memory and back, each tensor once; a
convolution or matrix product that is larger than the TCM runs in the loops over tiles (rows, output
channels, input channels; divisors of the dims) with the fewest bytes, and recurrent weights stay in
TCM where they fit beside the data of one step. The peak is the end of the highest tensor beside the
largest sum of live bytes. Conversions are the bytes that changes of layout write beside the fewest
possible for the same ops. Lowering is processor time, from the graph to the allocated level;
planning is the part of it in which tiles, places, order and offsets are chosen. Every plan's
allocation was verified, and the plan run at full size; the error is the largest difference from the
graph level's outputs, relative to the output's scale.

*Reference* is the plan of a planner of `tests/benchmarks/reference`, which shares no code with the
project's: dynamic programming over segments of the op order and the tensors that stay in TCM,
strips of rows and stripes of columns inside a segment, all loop nests of single products. It is
held to the same ops: croutons, tiles of whole crouton rows, windows copied together into tensors
of their own, nothing in place; it weighs a kernel call as 16 KiB. A second program replays its
plans element by element and counts the same bytes. It is no bound: it takes the ops in their given
order, keeps a tensor whole or not at all, and halos of stripes are fetched or made twice. *Drawn*
networks are of eight families; dtype, extents, channels and the TCM follow from the seed. Of *tiny*
programs the reference is the optimum over all orders of whole tiles. Parts other than the rows are
planned and their allocation is verified, but they are not run.
"""
PACKAGES = ("htp-mlir", "numpy", "xdsl")
HEAD = (
    *("model", "TCM MiB", "bound MB", "naive / bound", "ours / bound"),
    *("reference / bound", "ours / reference", "peak / live"),
    *("conversions MB / optimum", "planning CPU s", "lowering CPU s", "ops", "GMAC", "error"),
)


def head() -> str:
    """Date and versions of one run."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return f"## {now}\n\nPython {platform.python_version()}, {versions}; {processor()}\n"


def section(rows: Sequence[Row]) -> str:
    """The tables of the rows."""
    sizes = sorted({row.mib for row in rows})
    faults = [f"- {row.title}, {row.mib} MiB: {_line(row.fault)}" for row in rows if row.fault]
    parts = [
        table(HEAD, [_cells(row) for row in rows]),
        "Geometric means over the models that have a plan:",
        table(
            (
                "TCM MiB",
                "naive / bound",
                "ours / bound",
                "ours / reference",
                "worse than naive",
                "longest planning CPU s",
                "longest lowering CPU s",
            ),
            [_means(size, [row for row in rows if row.mib == size]) for size in sizes],
        ),
        *(["Faults:\n\n" + "\n".join(faults)] if faults else []),
    ]
    return "\n\n".join(parts) + "\n"


def save(path: Path, text: str) -> None:
    """Put a section in front of the older ones of a page."""
    put_in_front(path, text, HEADING)


def _cells(row: Row) -> list[str]:
    bounds = [row.title, str(row.mib), f"{row.least / 1e6:.2f}", f"{row.naive / row.least:.2f}"]
    figures = row.figures
    if figures is None:
        return [*bounds, "no plan", *_beside(row), "-", "-", *_times(row), "-", "-", "-"]
    return [
        *bounds,
        f"**{row.ours:.2f}**",
        *_beside(row),
        f"{figures.peak / figures.live:.2f}" if figures.live else "-",
        f"{figures.converted / 1e6:.2f} / {row.optimum / 1e6:.2f}",
        *_times(row),
        str(row.ops),
        f"{figures.macs / 1e9:.2f}",
        f"{row.error:.0e}" + (" WRONG" if row.fault else ""),
    ]


def _beside(row: Row) -> list[str]:
    """The reference beside the bound, and ours beside the reference."""
    if row.reference is None:
        return ["no plan", "-"]
    ours = f"{row.ours * row.least / row.reference:.2f}" if row.figures else "-"
    return [f"{row.reference / row.least:.2f}", ours]


def _times(row: Row) -> list[str]:
    return [f"{row.planning:.1f}", f"{row.seconds:.1f}"]


def _means(size: int, rows: Sequence[Row]) -> list[str]:
    planned = [row for row in rows if row.figures]
    worse = [row.title for row in planned if row.ours * row.least > row.naive]
    return [
        str(size),
        f"{geometric_mean([row.naive / row.least for row in planned]):.2f}",
        f"**{geometric_mean([row.ours for row in planned]):.2f}**",
        f"{geometric_mean(_ratios(planned)):.2f}",
        "; ".join(worse) or "none",
        f"{max((row.planning for row in rows), default=0):.1f}",
        f"{max((row.seconds for row in rows), default=0):.1f}",
    ]


def _ratios(rows: Sequence[Row]) -> list[float]:
    return [row.ours * row.least / row.reference for row in rows if row.reference]


def _line(text: str) -> str:
    return " ".join(text.split())

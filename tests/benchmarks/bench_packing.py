"""How well offsets pack: the published MiniMalloc instances and Glow traces.

`make bench-packing` prints the tables; `--save FILE` puts them before the older ones in a file.
"""

import platform
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter

from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval
from htp_mlir.lowering.planner.allocation.offsets import Packing, pack, pack_tightly
from htp_mlir.runtime.memory_plan import PlanRow, verify
from report import run_benchmark

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.packing import MINIMALLOC_CAPACITY, glow, minimalloc  # isort: skip

EFFORT = 5_000_000
HEADING = """# Packing benchmark

What `make bench-packing` printed, newest first. `greedy` is the best peak of the quick orders,
`peak` what was found within 1,048,576 bytes, `least` the lowest peak found and, where it is the
bound, proved to be the best. Every packing is checked by the plan verifier. Seconds are wall time,
for the packing within 1,048,576 bytes, after one that loads the compiled search.
"""


def checked(lives: Sequence[LiveInterval], packing: Packing, alignment: int) -> Packing:
    """The packing; ValueError with the first fault where the verifier finds one."""
    rows = [
        PlanRow(life.name, life.bytes, life.start, life.end, offset)
        for life, offset in zip(lives, packing.offsets, strict=True)
    ]
    faults = verify(rows, packing.peak, alignment)
    if faults:
        raise ValueError(faults[0])
    return packing


def instances() -> Iterator[str]:
    """A table row for each MiniMalloc instance."""
    for letter, lives in minimalloc().items():
        start = perf_counter()
        packing = pack(lives, MINIMALLOC_CAPACITY, 1, EFFORT)
        seconds = perf_counter() - start
        peak = f"{checked(lives, packing, 1).peak:,}" if packing else "none"
        greedy = pack_tightly(lives, 1, effort=0)
        least = checked(lives, pack_tightly(lives, 1), 1)
        mark = " (best)" if least.optimal else ""
        yield (
            f"| {letter} | {len(lives)} | {greedy.bound:,} | {greedy.peak:,} | {peak} | "
            f"{seconds:.2f} | {min(least.peak, packing.peak if packing else least.peak):,}{mark} |"
        )


def traces() -> Iterator[str]:
    """Lines about Glow's traces."""
    runs = list(glow())
    start = perf_counter()
    packed = [checked(t.lifetimes, pack_tightly(t.lifetimes, t.alignment), 1) for t in runs]
    seconds = perf_counter() - start
    best = sum(packing.optimal for packing in packed)
    below = sum(p.peak < t.glow_peak for t, p in zip(runs, packed, strict=True))
    above = sum(p.peak > t.glow_peak for t, p in zip(runs, packed, strict=True))
    yield f"Glow traces at their lower bound, so best: {best} of {len(runs)}, {seconds:.1f} s in"
    yield f"all; {below} lie below the peak that Glow's own allocator reaches, {above} above."


def report() -> str:
    """The section of this run."""
    pack_tightly([LiveInterval("a", 1, 0, 0)], 1)
    pack(minimalloc()["D"], MINIMALLOC_CAPACITY, 1, EFFORT)
    lines = [f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC", "", versions(), ""]
    lines += ["| instance | tensors | bound | greedy | peak | seconds | least |"]
    lines += ["|---|---|---|---|---|---|---|", *instances(), "", *traces(), ""]
    return "\n".join(lines)


def versions() -> str:
    """What ran: the interpreter, and numba where the search is compiled."""
    try:
        numba = f"numba {version('numba')}"
    except PackageNotFoundError:
        numba = "without numba"
    return f"Python {platform.python_version()}, {numba}."


if __name__ == "__main__":
    run_benchmark("packing", report, HEADING)

"""Small networks at many sizes of the TCM: `make bench-sizes`.

Prints a markdown table, a row per network: the sizes at which more than 1 % more or less moves than
was planned, and those at which 5 % more moves than with less TCM. A size at which an op has
to run from main memory is left out. Exit status 1 where a size is listed.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.checks.check_level import too_large
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import traffic

from memory.figures import UNBOUNDED
from tests.support.small_networks import SMALL, Small

FIRST, STEP, LAST = 40, 1.13, 2048
"""KiB of the smallest TCM, the factor between two, and KiB of the largest."""


@dataclass(frozen=True)
class Sized:
    """Bytes planned and moved at so many KiB of TCM."""

    kib: int
    planned: int
    moved: int

    def __str__(self) -> str:
        return f"{self.kib} ({self.planned / 1e6:.3f}, {self.moved / 1e6:.3f})"


def sizes() -> Iterator[int]:
    """KiB of each TCM, from small to large."""
    kib = float(FIRST)
    while kib <= LAST:
        yield int(kib)
        kib *= STEP


def measured(build: Small) -> list[Sized]:
    """Figures by size, up to one at which no more moves than with all the room there is."""
    least = traffic(lower(build().module, tcm_bytes=UNBOUNDED)).bytes
    figures: list[Sized] = []
    for kib in sizes():
        with collecting_plans() as plans:
            lowered = lower(build().module, tcm_bytes=kib << 10)
        if too_large(lowered, installed()):
            continue
        planned = sum(plan.bytes for plan in plans.values())
        figures.append(Sized(kib, planned, traffic(lowered).bytes))
        if figures[-1].moved <= least:
            break
    return figures


def unlike(figures: list[Sized]) -> list[Sized]:
    """List the sizes at which not moves what is planned."""
    return [size for size in figures if abs(size.moved / size.planned - 1) > 0.01]


def worse(figures: list[Sized]) -> list[tuple[Sized, Sized]]:
    """List pairs of sizes of which the larger moves more."""
    pairs = []
    for index, size in enumerate(figures[1:], 1):
        best = min(figures[:index], key=lambda one: one.moved)
        if size.moved > 1.05 * best.moved:
            pairs.append((best, size))
    return pairs


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(SMALL), metavar="NAME")
    print("| network | sizes | KiB (MB planned, moved) unlike | more TCM moves more |")
    print("| --- | --- | --- | --- |")
    is_clean = True
    for name in parser.parse_args().names:
        figures = measured(SMALL[name])
        others = ", ".join(map(str, unlike(figures)))
        more = ", ".join(f"{less} to {size}" for less, size in worse(figures))
        print(f"| {name} | {len(figures)} | {others} | {more} |", flush=True)
        is_clean &= not (others or more)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())

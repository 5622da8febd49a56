"""What plans move between DDR and TCM: `python tests/benchmarks/bench_memory.py`.

For each model and TCM size: bytes beside the bound, for an op-by-op plan and for ours, and beside
those of a reference planner; the peak of TCM beside the largest sum of live bytes; conversions
beside their optimum; the processor time of planning and of all of lowering. Every plan's allocation
is verified and the plan is run; its numbers are compared with the graph's. The parts `u8`,
`device`, `vgg`, `random` and `tiny` compare bytes alone: `--only random --count 40 --resume FILE`
draws 42 networks and goes on where a run before it stopped. Prints markdown. Exit status 1 where a
plan is wrong or does not fit.
"""

import argparse
import gc
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.allocation.allocate import Allocate
from htp_mlir.lowering.passes.allocation.certificate import certificate
from htp_mlir.lowering.passes.allocation.fetches import Prefetch
from htp_mlir.lowering.passes.allocation.schedule import Schedule
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.passes.placement.assign_places import AssignPlaces, RealisePlaces
from htp_mlir.lowering.passes.placement.choose_places import least_conversion_bytes
from htp_mlir.lowering.passes.placement.in_place import InPlace
from htp_mlir.lowering.passes.placement.properties import placer
from htp_mlir.lowering.passes.tiling.plan_tiles import PlanTiles
from htp_mlir.lowering.passes.traffic import least_traffic
from htp_mlir.lowering.report.plan import Totals, totals
from htp_mlir.lowering.report.residencies import residencies
from htp_mlir.runtime import Session
from htp_mlir.runtime.memory_plan import verify
from memory.cases import PARTS, cases
from memory.figures import UNBOUNDED, Case, Figures, measured, reference_bytes
from memory.store import Store
from memory.tables import part_section
from memory_tables import head, save, section
from models import MODELS, Model
from naive import naive_bytes
from numpy.typing import NDArray
from reference.sizes import Rules
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

MIB = 1 << 20
SIZES = (1, 2, 4, 8)
TOLERANCE = 1e-4
"""Largest error, relative to an output's scale, at which f32 plans still agree."""
PLANNING = (PlanTiles, AssignPlaces, RealisePlaces, InPlace, Schedule, Allocate, Prefetch)
"""The passes that decide on tiles, places, order and offsets."""
LIMIT = 300
"""Seconds for a plan, ours or the reference's, unless `--limit` says otherwise."""

Arrays = dict[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Row:
    """A plan's figures; `fault` says what is wrong with it, if anything."""

    title: str
    mib: int
    least: int
    naive: float
    figures: Totals | None = None
    optimum: int = 0
    planning: float = 0.0
    seconds: float = 0.0
    ops: int = 0
    error: float = 0.0
    fault: str = ""
    reference: int | None = None

    @property
    def ours(self) -> float:
        """Bytes moved, as a multiple of the bound; not a number where there is no plan."""
        return self.figures.moved / self.least if self.figures else float("nan")


@dataclass(frozen=True)
class Given:
    """A model, what it gives for one inference, and its bounds."""

    title: str
    module: ModuleOp
    fused: ModuleOp
    feeds: Arrays
    wanted: Arrays


class _Clock:
    """Processor time of lowering and of the passes that plan memory, verifying included.

    Asks for the best conversions on the way, beside the time.
    """

    def __init__(self, tcm_bytes: int) -> None:
        self.optimum = 0
        self.planning = 0.0
        self._placer = placer(tcm_bytes, installed())
        self._start = self._last = time.process_time()

    def seconds(self) -> float:
        """The time of lowering so far."""
        return time.process_time() - self._start

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        """Behind the choice of places: the ops are those that conversions stand between."""
        ended = time.process_time()
        if isinstance(step, PLANNING):
            self.planning += ended - self._last
        if isinstance(step, AssignPlaces):
            self.optimum = least_conversion_bytes(module, self._placer)
        self._last = time.process_time()
        self._start += self._last - ended


def main() -> int:
    """Plan, verify and run what was asked for; print, or also save, the tables."""
    options = _options()
    names = options.only or [*MODELS, *PARTS]
    models = [MODELS[name] for name in names if name in MODELS]
    rows = [row for model in models for row in _rows(model, options)]
    texts = [head(), *([section(rows)] if rows else [])]
    faults = [row.fault for row in rows]
    store = Store(options.resume)
    for part in (name for name in names if name in PARTS):
        figures = [_figures(case, store, options) for case in _cases(part, options)]
        texts.append(part_section(part, figures))
        faults += [row.fault for row in figures]
    text = "\n\n".join(text.rstrip() for text in texts) + "\n"
    print(text)
    if options.save is not None:
        save(options.save, text)
    return int(any(faults))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [*MODELS, *PARTS]
    parser.add_argument("--only", action="append", choices=names, help="may be given often")
    parser.add_argument("--mib", type=int, nargs="+", default=SIZES, help="TCM sizes of the rows")
    parser.add_argument("--count", type=int, help="networks to draw: 300, or 40 tiny ones")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for a plan")
    text = "the reference's price of a kernel call in bytes; 0 for the fewest bytes"
    parser.add_argument("--call", type=int, default=Rules().call, help=text)
    parser.add_argument("--resume", type=Path, metavar="FILE", help="results to go on with")
    parser.add_argument("--save", type=Path, metavar="FILE", help="put the tables into a page too")
    return parser.parse_args()


def _cases(part: str, options: argparse.Namespace) -> Iterator[Case]:
    count = options.count or {"tiny": 40}.get(part, 300)
    return cases(part, count, options.first)


def _figures(case: Case, store: Store, options: argparse.Namespace) -> Figures:
    """Figures of a case, from the results of a run before where it is there."""
    if case.key not in store.figures:
        print(f"{case.key} ...", file=sys.stderr, flush=True)
        store.add(measured(case, options.limit, options.call))
        gc.collect()
    return store.figures[case.key]


def _rows(model: Model, options: argparse.Namespace) -> Iterator[Row]:
    module = model.full()
    fused = lower(module, tcm_bytes=UNBOUNDED, level="native")
    session = Session(module)
    feeds = _feeds(session)
    task = Given(model.title, module, fused, feeds, _run(session, feeds))
    del session
    for mib in sorted(options.mib, reverse=True):
        reference = reference_bytes(fused, mib * MIB, options.limit, Rules(call=options.call))
        yield replace(_row(task, mib), reference=reference)
        gc.collect()


def _row(task: Given, mib: int) -> Row:
    print(f"{task.title}, {mib} MiB ...", file=sys.stderr, flush=True)
    bounds = (task.title, mib, least_traffic(task.fused), naive_bytes(task.fused, mib * MIB))
    clock = _Clock(mib * MIB)
    try:
        lowered = lower(task.module, tcm_bytes=mib * MIB, watch=clock.after)
    except HtpError as error:
        return Row(*bounds, seconds=clock.seconds(), planning=clock.planning, fault=str(error))
    times = clock.planning, clock.seconds()
    figures = totals(lowered, residencies(lowered, installed()))
    error, fault = _checked(lowered, task, mib * MIB)
    ops = sum(1 for _ in lowered.walk())
    return Row(*bounds, figures, clock.optimum, *times, ops, error, fault)


def _checked(lowered: ModuleOp, task: Given, tcm_bytes: int) -> tuple[float, str]:
    """The largest relative error of a run, and what is wrong with the plan."""
    broken = verify(certificate(lowered), tcm_bytes, TCM_ALIGNMENT)
    if broken:
        return float("nan"), f"the allocation is wrong: {broken[0]}"
    try:
        outputs = _run(Session(lowered), task.feeds)
    except HtpError as error:
        return float("nan"), str(error)
    error = max(_error(outputs[name], wanted) for name, wanted in task.wanted.items())
    return error, "" if error <= TOLERANCE else f"its numbers are off by {error:.1e}"


def _feeds(session: Session) -> Arrays:
    """One inference's inputs: normally distributed floats, zeros for the rest."""
    random = np.random.default_rng(0)
    return {
        name: random.standard_normal(spec.shape).astype(spec.dtype.storage)
        if spec.dtype.is_float
        else np.zeros(spec.shape, spec.dtype.storage)
        for name, spec in session.inputs.items()
    }


def _run(session: Session, feeds: Arrays) -> Arrays:
    return {name: array for name, array in session.run(feeds).items() if array is not None}


def _error(output: NDArray[np.generic], wanted: NDArray[np.generic]) -> float:
    scale = float(np.abs(wanted).max()) or 1.0
    return float(np.abs(output.astype("f8") - wanted.astype("f8")).max()) / scale


if __name__ == "__main__":
    sys.exit(main())

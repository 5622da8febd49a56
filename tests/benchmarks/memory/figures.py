"""Figures of one case: what our plan moves beside the bound, the reference and a device."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.allocation.certificate import certificate
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.passes.traffic import least_traffic
from htp_mlir.lowering.report.plan import totals
from htp_mlir.lowering.report.residencies import residencies
from htp_mlir.runtime.memory_plan import verify
from htp_mlir.runtime.program.boundary import inputs_of, main_function, outputs_of
from reference.reading import read_graph
from reference.search import NoPlan, best_plan
from reference.sizes import Rules
from reference.tiny import optimum
from xdsl.dialects.builtin import ModuleOp

UNBOUNDED = 1 << 40
"""A TCM in which nothing needs a tile."""


@dataclass(frozen=True)
class Case:
    """A model for a TCM; `device` are the bytes that a device moved, of u8 inputs and outputs."""

    part: str
    title: str
    tcm: int
    module: Callable[[], ModuleOp]
    device: int | None = None
    is_tiny: bool = False

    @property
    def key(self) -> str:
        """The case's name in a file of results."""
        return f"{self.part}: {self.title} @ {self.tcm}"


@dataclass(frozen=True)
class Figures:
    """Bytes of one case. `reference` is the optimum of a tiny program; None where there is none.

    `boundary` is what inputs and outputs take beyond one byte an element, and `parts` are our bytes
    by purpose.
    """

    key: str
    part: str
    title: str
    tcm: int
    bound: int
    reference: int | None
    ours: int | None
    seconds: float
    reference_seconds: float
    boundary: int = 0
    device: int | None = None
    fault: str = ""
    parts: dict[str, int] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """Our bytes as a multiple of the reference's."""
        return self.ours / self.reference if self.ours and self.reference else None


def measured(case: Case, limit: float, call: int) -> Figures:
    """Plan a case by the reference and by ours, each in at most `limit` seconds.

    `call` is the reference's price of a kernel call in bytes.
    """
    module = case.module()
    fused = lower(module, tcm_bytes=UNBOUNDED, level="native")
    bound, start = least_traffic(fused), time.process_time()
    reference = reference_bytes(fused, case.tcm, limit, Rules(call=call), case.is_tiny)
    between = time.process_time()
    ours, parts, fault = _ours(module, case.tcm, limit)
    ended = time.process_time()
    return Figures(
        case.key,
        case.part,
        case.title,
        case.tcm,
        bound,
        reference,
        ours,
        round(ended - between, 2),
        round(between - start, 2),
        _boundary(module),
        case.device,
        fault,
        parts,
    )


def reference_bytes(
    fused: ModuleOp, tcm: int, limit: float, rules: Rules, is_tiny: bool = False
) -> int | None:
    """Bytes of the reference plan, of a tiny program the optimum; None where there is no plan."""
    try:
        with time_limit(limit):
            graph = read_graph(fused)
            if is_tiny:
                return optimum(graph, tcm, rules)
            return best_plan(graph, tcm, rules).bytes
    except (NoPlan, TimeoutError):
        return None


def _ours(module: ModuleOp, tcm: int, limit: float) -> tuple[int | None, dict[str, int], str]:
    """Bytes, bytes by purpose, and what is wrong with the plan."""
    try:
        with time_limit(limit):
            lowered = lower(module, tcm_bytes=tcm)
    except HtpError as error:
        return None, {}, " ".join(str(error).split())
    except TimeoutError:
        return None, {}, f"lowering took more than {limit:.0f} s"
    figures = totals(lowered, residencies(lowered, installed()))
    broken = verify(certificate(lowered), tcm, TCM_ALIGNMENT)
    fault = f"the allocation is wrong: {broken[0]}" if broken else ""
    return figures.moved, {kind.value: n for kind, n in figures.parts.items()}, fault


def _boundary(module: ModuleOp) -> int:
    function = main_function(module)
    values = [*inputs_of(function).values(), *outputs_of(function).values()]
    specs = [spec_of(value) for value in values]
    return sum(spec.elements * (spec.dtype.itemsize - 1) for spec in specs)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the body after so many seconds of processor time."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

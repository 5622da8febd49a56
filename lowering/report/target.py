"""The output target `memory-report`: the place of every tensor, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.target import Target

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.suggestions import listed
from ..packages.loading import packages_of
from ..passes.graph.vendor_io import VendorIo
from ..passes.lower import Lower
from .as_json import as_json
from .memory_page import memory_page
from .plan import OtherPlan, plan_of
from .text import as_text

TARGET = "memory-report"
FORMATS = ("text", "html", "json")
IO_CHOICES = ("model", "vendor")
_BY_SUFFIX = {".html": "html", ".htm": "html", ".json": "json"}


@dataclass(frozen=True)
class MemoryReport(Target):
    """Bytes by node, tensors, offsets and reasons of an allocated module: `text`, `html`, `json`.

    With `io=vendor` the model gets the inputs and outputs that the vendor's converter makes, by
    qti-vendor-io in front of htp-lower. `beside` is the file of a tile plan that stands beside
    this one, in place of the plan without tiling. HtpError for another format.
    Example: `htp-opt model.onnx -p 'htp-lower{soc=SM8650}' -t memory-report -o report.html`
    """

    name = TARGET

    format: str = "text"
    io: str = "model"
    beside: str = ""

    def __post_init__(self) -> None:
        for name, choices in {"format": FORMATS, "io": IO_CHOICES}.items():
            value = getattr(self, name)
            if value not in choices:
                raise fail(TARGET, f"{name} '{value}' is not known", listed(value, choices))

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(self.report(ctx, module, None))

    def report(self, ctx: Context, module: ModuleOp, beside: OtherPlan | None) -> str:
        """Return the report's text, with another plan beside it."""
        plan = plan_of(module, packages_of(ctx))
        if self.format == "html":
            return memory_page("Memory report", plan, beside)
        return as_json(plan, beside) if self.format == "json" else as_text(plan, beside)

    def for_file(self, path: str | None) -> MemoryReport:
        """Return the same target, in the format that the suffix of a file name says."""
        return replace(self, format=_BY_SUFFIX.get(Path(path or "").suffix, self.format))


def with_io(target: MemoryReport, passes: Sequence[ModulePass]) -> tuple[ModulePass, ...]:
    """Put the pass that the report's `io` asks for in front of the first that lowers."""
    lowers = [isinstance(step, Lower) for step in passes]
    if target.io == "model":
        return tuple(passes)
    if not any(lowers):
        raise fail(TARGET, "io=vendor changes what htp-lower gets", "give -p htp-lower")
    at = lowers.index(True)
    return (*passes[:at], VendorIo(), *passes[at:])


def plan_beside(
    ctx: Context, module: ModuleOp, passes: Sequence[ModulePass], tiles: str
) -> OtherPlan | None:
    """Plan a module by the same passes with the tiles of a file, or with tiling off.

    None where no pass lowers, so that there is nothing to compare. The module is changed.
    """
    if not any(isinstance(step, Lower) and (step.tiling or tiles) for step in passes):
        return None
    name = tiles or "without tiling"
    try:
        for step in passes:
            if isinstance(step, Lower):
                step = replace(step, tiling=bool(tiles), tiles=tiles)
            step.apply(ctx, module)
        return OtherPlan(name, plan_of(module, packages_of(ctx)))
    except HtpError as error:
        faults = (f"{fault.where}: {fault.problem}" for fault in error.faults)
        return OtherPlan(name, None, "; ".join(faults))

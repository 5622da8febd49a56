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
from ..passes.lower import Lower
from .as_json import as_json
from .memory_page import memory_page
from .plan import OtherPlan, plan_of
from .text import as_text

TARGET = "memory-report"
FORMATS = ("text", "html", "json")
_BY_SUFFIX = {".html": "html", ".htm": "html", ".json": "json"}


@dataclass(frozen=True)
class MemoryReport(Target):
    """Bytes by node, tensors, offsets and reasons of an allocated module: `text`, `html`, `json`.

    HtpError for another format.
    Example: `htp-opt model.onnx -p 'htp-lower{soc=SM8650}' -t memory-report -o report.html`
    """

    name = TARGET

    format: str = "text"

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            known = listed(self.format, FORMATS)
            raise fail(TARGET, f"format '{self.format}' is not known", known)

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


def plan_without_tiling(
    ctx: Context, module: ModuleOp, passes: Sequence[ModulePass]
) -> OtherPlan | None:
    """Plan a module by the same passes with tiling off.

    None where no pass lowers, so that there is nothing to compare. The module is changed.
    """
    if not any(isinstance(step, Lower) and step.tiling for step in passes):
        return None
    name = "without tiling"
    try:
        for step in passes:
            untiled = replace(step, tiling=False) if isinstance(step, Lower) else step
            untiled.apply(ctx, module)
        return OtherPlan(name, plan_of(module, packages_of(ctx)))
    except HtpError as error:
        faults = (f"{fault.where}: {fault.problem}" for fault in error.faults)
        return OtherPlan(name, None, "; ".join(faults))

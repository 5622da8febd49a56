"""The output target `memory-report`: the place of every tensor, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.target import Target

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.suggestions import listed
from ..packages.loading import packages_of
from ..passes.lower import Lower
from .memory_page import memory_page
from .plan import ModulePlan, plan_of
from .text import as_text

TARGET = "memory-report"
FORMATS = ("text", "html")
_HTML = (".html", ".htm")


@dataclass(frozen=True)
class MemoryReport(Target):
    """Tensors, lifetimes, offsets and reasons of an allocated module, as `text` or `html`.

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

    def report(self, ctx: Context, module: ModuleOp, untiled: ModulePlan | str | None) -> str:
        """Return the report's text, with the plan `untiled` beside it."""
        plan = plan_of(module, packages_of(ctx))
        if self.format == "html":
            return memory_page("Memory report", plan, untiled)
        return as_text(plan, untiled)

    def for_file(self, path: str | None) -> MemoryReport:
        """Return the same target, in HTML for a file name with an HTML suffix."""
        return replace(self, format="html") if path and path.endswith(_HTML) else self


def plan_without_tiling(
    ctx: Context, module: ModuleOp, passes: Sequence[ModulePass]
) -> ModulePlan | str | None:
    """Plan a module by the same passes with tiling off; a text is the fault that stops them.

    None where no pass lowers, so that there is nothing to compare. The module is changed.
    """
    if not any(isinstance(step, Lower) and step.tiling for step in passes):
        return None
    try:
        for step in passes:
            untiled = replace(step, tiling=False) if isinstance(step, Lower) else step
            untiled.apply(ctx, module)
        return plan_of(module, packages_of(ctx))
    except HtpError as error:
        return "; ".join(f"{fault.where}: {fault.problem}" for fault in error.faults)

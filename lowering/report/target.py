"""The output target `memory-report`: the place of every tensor, with reasons."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.target import Target

from ...dialects.diagnostics import HtpError, fail
from ...dialects.suggestions import listed
from ..packages.loading import packages_of
from ..passes.graph.vendor_io import VendorIo
from ..passes.lower import Lower
from .by_node import at_peak
from .memory_page import memory_page
from .plan import ModulePlan, OtherPlan, plan_of
from .residencies import TensorResidency
from .text import as_text


def as_json(plan: ModulePlan, other: OtherPlan | None) -> str:
    """Write a plan; beside it is the other plan's totals and bytes by node."""
    content = {
        "tcm_bytes": plan.tcm_bytes,
        **_figures(plan),
        "peak": [_tensor(each) for each in at_peak(plan.residencies)],
        "too_large": [asdict(row) for row in plan.too_large],
        "tensors": [_tensor(each) for each in plan.residencies],
    }
    if other:
        figures = _figures(other.plan) if other.plan else {"fault": other.fault}
        content["beside"] = {"name": other.name, **figures}
    return json.dumps(content, indent=1) + "\n"


def _figures(plan: ModulePlan) -> dict[str, Any]:
    totals = asdict(plan.totals)
    totals["parts"] = {kind.value: size for kind, size in plan.totals.parts.items()}
    nodes = [
        {
            "node": row.node,
            "bytes": row.bytes,
            "parts": {kind.value: size for kind, size in row.parts.items()},
            "padding": row.padding,
            "reason": row.reason,
        }
        for row in plan.nodes
    ]
    return {"totals": totals, "nodes": nodes}


def _tensor(tensor: TensorResidency) -> dict[str, Any]:
    return {
        "name": tensor.name,
        "node": tensor.node,
        "bytes": tensor.bytes,
        "first": tensor.first,
        "last": tensor.last,
        "memory": tensor.memory.value,
        "layout": tensor.layout,
        "offset": tensor.offset,
        "role": tensor.role.value,
        "inside": tensor.inside,
        "why": tensor.why,
    }


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

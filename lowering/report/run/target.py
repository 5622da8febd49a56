"""The output target `report`: one page about a whole lowering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ....dialects.faults.arguments import MODULE, TEXT, a, arguments
from ....runtime.program.placing import declared_tcm
from ....runtime.tools.choices import kernel_choices
from ...levels import bodies, runs
from ...packages.loading import installed, packages_of
from ...packages.packages import Packages
from ..plan import plan_of
from .page import page
from .recorder import Recorder

TARGET = "report"


@dataclass(frozen=True)
class RunReport(Target):
    """A page: passes with what they changed, rules, kernels, memory, times, totals.

    It is one file that needs no network. `htp-opt` records the passes of the run.
    Example: `htp-opt model.onnx -p 'htp-lower{soc=SM8650}' -t report -o report.html`
    """

    name = TARGET

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(run_page("Lowering", Recorder(), module, packages_of(ctx)))


@arguments(title=TEXT, recorder=a("a recorder", Recorder), module=MODULE)
def run_page(
    title: str, recorder: Recorder, module: ModuleOp, packages: Packages | None = None
) -> str:
    """Return the page of a recorded run that ended with `module`, as text of an HTML file.

    `packages` are the op packages in use, without them the installed ones. Of a run that a fault or
    Ctrl-C ended, kernels and memory are not looked at.
    """
    if recorder.ending:
        return page(title, recorder, module, (), None)
    packages = packages or installed()
    recorder.looks_at(module)
    ops = [op for block in bodies(module) for op in block.ops if runs(op)]
    choices = list(zip(ops, kernel_choices(module, packages.kernels), strict=True))
    plan = None if declared_tcm(module) is None else plan_of(module, packages)
    return page(title, recorder, module, choices, plan)

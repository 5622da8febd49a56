"""The report of a finding: two lines, two small modules, and the command that runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ...dialects.dense import Array
from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.op_faults import title, whereabouts
from ...dialects.locations import origins_of
from ...dialects.text.printer import ModulePrinter
from ...runtime.files.arrays import write_npz
from ...runtime.files.atomic import write_bytes
from ...runtime.probe.compare import best_difference
from ...runtime.program.boundary import main_function, outputs_of
from ...runtime.program.steps import KernelStep
from .check import FirstChange
from .cut import RESULT, CutModules, cut_around
from .runs import Inputs, traces

_BEFORE, _AFTER, _INPUTS = "before.mlir", "after.mlir", "inputs.npz"


@dataclass(frozen=True)
class Reporter:
    """Writes to a folder; `flags` are those of the run that also `htp compare` needs."""

    folder: Path
    flags: Sequence[str] = ()

    def error(self, finding: FirstChange, inputs: Inputs) -> HtpError:
        """Write the modules, and make the error."""
        where = f"pass {finding.passes}"
        if finding.group:
            where += f", group {finding.group}"
        if firing := finding.firing:
            where += f", firing {firing.number} at {firing.root} of rule {firing.rule}"
            if firing.others:
                where += f" (or before it, where the module cannot run: {', '.join(firing.others)})"
        elif finding.unsure:
            where += f" (or before it, where the module cannot run: {', '.join(finding.unsure)})"
        bad = finding.deviation
        problem = f"output '{bad.output}' differs {bad.difference}"
        if culprit := finding.culprit:
            op = culprit.value.owner
            name = _op_name(op, finding) if isinstance(op, Operation) else "an input"
            problem = f"{name} differs {culprit.difference}"
            if len(inputs.feeds) > 1:
                problem += f", at inference {culprit.step}"
            problem += f"; output '{bad.output}' then by {bad.difference.error:.3g}"
        return fail(where, problem, f"repeat it: {self._write(finding, inputs)}")

    def _write(self, finding: FirstChange, inputs: Inputs) -> str:
        """Write the modules around the op, else whole ones; return the command."""
        small = _small(finding, inputs)
        if small is not None:
            return self._files(small.before, small.after, small.inputs, "")
        change, steps = finding.change, inputs.feeds
        names = list(steps[0])
        stacked = {name: np.stack([feeds[name] for feeds in steps]) for name in names}
        return self._files(change.before, change.after, stacked, " --stream")

    def _files(
        self, before: ModuleOp, after: ModuleOp, arrays: Mapping[str, Array], flag: str
    ) -> str:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise fail(str(self.folder), error.strerror or str(error), "name a folder") from error
        for name, module in ((_BEFORE, before), (_AFTER, after)):
            stream = StringIO()
            ModulePrinter(stream, print_debuginfo=True).print_op(module)
            write_bytes(self.folder / name, f"{stream.getvalue()}\n".encode())
        flags = list(self.flags)
        if arrays:
            write_npz(self.folder / _INPUTS, arrays)
            flags.insert(0, f"-i {self.folder / _INPUTS}{flag}")
        words = "".join(f" {each}" for each in flags)
        return f"htp compare {self.folder / _AFTER} {self.folder / _BEFORE}{words}"


def _small(finding: FirstChange, inputs: Inputs) -> CutModules | None:
    """Cut the modules down to the op; None where that would not show the difference."""
    if finding.culprit is None:
        return None
    cut = cut_around(finding.culprit)
    if cut is None:
        return None
    try:
        for module in (cut.before, cut.after):
            module.verify()
        once = Inputs([cut.inputs], inputs.library, inputs.tolerance)
        new, old = (_result(module, once) for module in (cut.after, cut.before))
    except (HtpError, VerifyException):
        return None
    shown = best_difference(new.array, old.array, inputs.allowed(new.tolerance, old.tolerance))
    return cut if shown is not None and shown.is_fault else None


class _Result(NamedTuple):
    """The result of a small module, and its tolerance."""

    array: Array
    tolerance: float


def _result(module: ModuleOp, once: Inputs) -> _Result:
    """Run a small module; its result may have any place."""
    value = outputs_of(main_function(module))[RESULT]
    traced = next(traces(module, once))
    return _Result(traced.values[value], traced.tolerances[value])


def _op_name(op: Operation, finding: FirstChange) -> str:
    """Name an op by its place and node, else by its number, and a native one by its kernel."""
    steps = finding.culprit.new.program.steps if finding.culprit else []
    kernels = (s.kernel.name for s in steps if s.op is op and isinstance(s, KernelStep))
    kernel = next(kernels, "")
    name = title(op) if origins_of(op) else whereabouts(op)
    return name + (f" (kernel {kernel})" if kernel else "")

"""The report of a finding: two lines, two small modules, and the command that runs them.

A small module holds the ops around the difference, with the real values that they read. From the
first value that differs the cut goes back, before and after the change, up to values that agree.
Where such a value has one type in both and no place, it becomes an argument; else a constant with
what it was. The value that differs is the result.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.op_faults import title, whereabouts
from ...dialects.htp.ops.const import const
from ...dialects.htp.ops.state import StateReadOp
from ...dialects.locations import names_attr, origins_of
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.const import const as graph_const
from ...dialects.spec_of import Array, spec_of
from ...dialects.text.printer import ModulePrinter
from ...runtime.files.arrays import write_npz
from ...runtime.files.atomic import write_bytes
from ...runtime.functions.quantize import quantize
from ...runtime.probe.compare import best_difference
from ...runtime.program.boundary import main_function, outputs_of
from ...runtime.program.program import KernelStep
from .check import FirstChange
from .runs import Culprit, Inputs, traces

RESULT = "value"
"""The name of the output of a small module."""


@dataclass(frozen=True)
class CutModules:
    """The two modules, and the values of their arguments."""

    before: ModuleOp
    after: ModuleOp
    inputs: Mapping[str, Array] = field(default_factory=dict)


def cut_around(culprit: Culprit) -> CutModules | None:
    """Cut both modules down to what computes the value that differs; None for a state's."""
    if any(not _computes(value) for value in (culprit.value, culprit.before)):
        return None
    old_of = culprit.pairs
    after_ops, after_edge = _slice(culprit.value, old_of.keys())
    before_ops, before_edge = _slice(culprit.before, set(old_of.values()))
    new_of = {before: value for value, before in old_of.items()}
    shared = [
        value
        for value in old_of
        if (value in after_edge or old_of[value] in before_edge)
        and value.type == old_of[value].type
        and spec_of(value).place is None
    ]
    names = {value: f"in{index}" for index, value in enumerate(shared)}
    arguments = {name: _stored(value, culprit.new.values[value]) for value, name in names.items()}
    after = _module(after_ops, after_edge, names, culprit.value, culprit.new.values)
    before = _module(
        before_ops,
        before_edge,
        {old_of[value]: name for value, name in names.items()},
        culprit.before,
        {**culprit.old.values, **{b: culprit.old.values[b] for b in new_of}},
    )
    return CutModules(before, after, arguments)


def _slice(result: SSAValue, known: Collection[SSAValue]) -> tuple[list[Operation], set[SSAValue]]:
    """Return the ops that compute a value from known ones, in order, and the known ones."""
    ops: set[Operation] = set()
    edge: set[SSAValue] = set()
    work = [result]
    while work:
        value = work.pop()
        op = value.owner
        if not _computes(value) or (value in known and value is not result):
            edge.add(value)
        elif isinstance(op, Operation) and op not in ops:
            ops.add(op)
            work += op.operands
    block = result.owner.parent if isinstance(result.owner, Operation) else result.owner
    return [op for op in block.ops if op in ops] if isinstance(block, Block) else [], edge


def _computes(value: SSAValue) -> bool:
    """Tell whether an op computes a value from its operands alone, and no argument or state is."""
    return isinstance(value.owner, Operation) and not isinstance(value.owner, StateReadOp)


def _module(
    ops: Collection[Operation],
    edge: Collection[SSAValue],
    names: Mapping[SSAValue, str],
    result: SSAValue,
    values: Mapping[SSAValue, Array],
) -> ModuleOp:
    """Make a module of copies of ops."""
    block = Block(arg_types=[value.type for value in names])
    mapped: dict[SSAValue, SSAValue] = dict(zip(names, block.args, strict=True))
    is_graph = any(isinstance(op, GraphOp) for op in ops)
    for op in ops:
        for value in dict.fromkeys(op.operands):
            if value in edge and value not in mapped:
                make = graph_const if is_graph else const
                constant = make(_stored(value, values[value]), spec_of(value))
                block.add_op(constant)
                mapped[value] = constant.out
        block.add_op(op.clone(mapped))
    block.add_op(ReturnOp(mapped[result]))
    function = FuncOp(
        "main",
        ([arg.type for arg in block.args], [result.type]),
        Region(block),
        arg_attrs=names_attr(names.values()),
        res_attrs=names_attr([RESULT]),
    )
    return ModuleOp([function])


def _stored(value: SSAValue, array: Array) -> Array:
    """Return the stored values of a tensor whose real ones are kept."""
    spec = spec_of(value)
    if spec.quant is None:
        stored: Array = array.astype(spec.dtype.storage)
        return stored
    q = spec.quant
    return quantize(array, q.scales, q.zero_points, spec.dtype.storage, q.axis)


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
            return self._files(small.before, small.after, small.inputs)
        change, steps = finding.change, inputs.feeds
        names = list(steps[0])
        stacked = {name: np.stack([feeds[name] for feeds in steps]) for name in names}
        return self._files(change.before, change.after, stacked)

    def _files(self, before: ModuleOp, after: ModuleOp, arrays: Mapping[str, Array]) -> str:
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
            flags.insert(0, f"-i {self.folder / _INPUTS}")
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

"""The pass that names the kernel of every op that runs."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.faults.op_faults import fail_at, fault_at
from ....dialects.htp.base import NativeOp
from ....runtime.kernel.library import KernelRegistry
from ...levels import bodies, note_graph, runs
from ...packages.loading import packages_of
from .scratch import chosen


@dataclass(frozen=True)
class SelectKernels(ModulePass):
    """Give each native op that runs the property `kernel`: the cheapest that takes its tensors.

    Raises HtpError with every op that no kernel takes.
    """

    name = "htp-select-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_graph(op, self.name)
        select_kernels(op, packages_of(ctx).kernels)


def select_kernels(module: ModuleOp, kernels: KernelRegistry) -> None:
    """Name the kernels from one registry; on an error the module stays as it was."""
    faults: list[Fault] = []
    named: list[tuple[NativeOp, str]] = []
    for op in (op for block in bodies(module) for op in block.ops if runs(op)):
        try:
            name = chosen(op, kernels).name
            # An op with scratch has its kernel already, and it must be this one.
            if op.scratch is not None and op.kernel is not None and op.kernel.data != name:
                why = f"its scratch is that of kernel {op.kernel.data}, the cheapest is {name}"
                raise fail_at(op, why, "allocate again")
            named.append((op, name))
        except HtpError as error:
            # One fault for an op: the first reason stands for all.
            first = error.faults[0]
            more = f" (and {len(error.faults) - 1} more)" if len(error.faults) > 1 else ""
            faults.append(fault_at(op, first.problem + more, first.remedy))
    if faults:
        raise HtpError(*faults)
    for op, name in named:
        op.properties["kernel"] = StringAttr(name)

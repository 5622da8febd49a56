"""The pass that names the kernel of every op that runs, and the scratch that kernels take.

The kernel of an op does not depend on offsets: the one chosen here is the one chosen afterwards.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.faults.op_faults import fail_at, fault_at, relocated
from ....dialects.htp.base import NativeOp
from ....dialects.locations import source_name
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import Memory, TensorSpec
from ....runtime.kernel.kernel import Kernel, Operand
from ....runtime.kernel.library import KernelRegistry
from ...levels import bodies, note_graph, runs
from ...packages.loading import packages_of
from ..placement.placement import described


@dataclass(frozen=True)
class ScratchNeed:
    """The kernel of an op and its scratch tensors, by their order in the kernel."""

    kernel: str
    names: tuple[str, ...]
    specs: tuple[TensorSpec, ...]

    @property
    def in_tcm(self) -> tuple[int, ...]:
        """The positions of the tensors that take TCM."""
        return tuple(i for i, spec in enumerate(self.specs) if spec.memory is Memory.TCM)

    @property
    def tcm_bytes(self) -> tuple[int, ...]:
        """The bytes that each of these takes."""
        return tuple(self.specs[i].nbytes for i in self.in_tcm)


def scratch_of(op: Operation, kernels: KernelRegistry) -> ScratchNeed | None:
    """Return the scratch of the kernel that an op gets, if it has any; HtpError for a failed hook.

    An op that no kernel takes has no scratch: the selection of kernels says why.
    """
    if not runs(op) or not kernels.has_scratch(op.name):
        return None
    try:
        kernel = chosen(op, kernels)
    except HtpError:
        return None
    if not kernel.scratch:
        return None
    names = tuple(scratch.name for scratch in kernel.scratch)
    try:
        specs = kernel.scratch_specs(*_tensors(op), source_name(op))
    except HtpError as error:
        raise relocated(error, op, source_name(op)) from error
    return ScratchNeed(kernel.name, names, specs)


def chosen(op: NativeOp, kernels: KernelRegistry) -> Kernel:
    """Choose the kernel of an op for the places of its tensors; HtpError where none takes them."""
    return kernels.select(op.name, *_tensors(op))


def _tensors(op: Operation) -> tuple[list[TensorSpec], list[Operand]]:
    """An op's results and operands as kernels are asked about them."""
    return [spec_of(result) for result in op.results], [described(v) for v in op.operands]


def write_scratch(op: Operation, need: ScratchNeed) -> None:
    """Write an op's kernel and its scratch, which has no offsets yet."""
    op.properties["kernel"] = StringAttr(need.kernel)
    op.properties["scratch"] = ArrayAttr(map(type_of, need.specs))


def set_scratch_offset(op: NativeOp, position: int, offset: int) -> None:
    """Give one scratch tensor of an op its offset in TCM."""
    specs = list(op.scratch_specs())
    place = specs[position].place
    if place is None:
        raise ValueError(f"scratch {position} of {op.name} has no place")
    specs[position] = specs[position].with_place(place.at(offset))
    op.properties["scratch"] = ArrayAttr(map(type_of, specs))


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

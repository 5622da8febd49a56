"""The choice of a kernel for an op, with the misfit of each other kernel."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.faults.op_faults import title
from ...dialects.htp import CopyWaitOp, NativeOp, ReshapeOp, ShapeType
from ...dialects.htp.in_place import is_in_place
from ...dialects.spec_of import spec_of
from ..kernel.kernel import Cost, Kernel, Operand
from ..kernel.library import KernelRegistry
from ..tensors.tensors import ShapeParam


@dataclass(frozen=True)
class KernelVerdict:
    """One kernel of an op: its cost for the op's tensors, or why it does not take them.

    `lacks` says why it does not run, if it does not, and `ends` where it may end.
    """

    kernel: str
    cost: float | None
    misfit: str | None
    lacks: str = ""
    ends: str = ""

    @property
    def idle(self) -> str:
        """The reason for which the kernel does not run, behind what else is said of it."""
        return f"; it {self.lacks or self.ends}" if self.lacks or self.ends else ""


@dataclass(frozen=True)
class KernelChoice:
    """One op: the name of its kernel, if any takes it, and a verdict on each of its kernels.

    `named` says that the IR names another kernel than the cheapest.
    """

    op: str
    taken: str | None
    named: bool
    verdicts: tuple[KernelVerdict, ...]

    def lines(self) -> list[str]:
        """Write the choice: the op and its kernel, then the reasons against the others.

        Kernels that are one function for several sets of classes share a line where they do not
        fit.
        """
        costs = {verdict.kernel: verdict.cost for verdict in self.verdicts}
        others = [verdict for verdict in self.verdicts if verdict.kernel != self.taken]
        cost = costs.get(self.taken or "")
        idle = next((v.idle for v in self.verdicts if v.kernel == self.taken), "")
        also = " and runs" * (not idle and any(v.idle and v.cost is not None for v in others))
        why = "the IR names it" if self.named else f"the cheapest that fits{also}"
        first = f"{self.op}: {_taken(self.taken, cost, why)}{idle}"
        fitting = [f"  {_fits(v, cost, self.named)}" for v in others if v.cost is not None]
        return [first, *fitting, *(f"  {line}" for line in _misfits(others))]


def kernel_choices(module: ModuleOp, kernels: KernelRegistry) -> Iterator[KernelChoice]:
    """List the choice for every native op that runs, for its tensors in the module."""
    for function in (op for op in module.body.block.ops if isinstance(op, FuncOp)):
        for block in function.body.blocks:
            for index, op in enumerate(block.ops):
                # Others compute and move nothing: they only place a tensor.
                placed = isinstance(op, ReshapeOp | CopyWaitOp) or is_in_place(op)
                if isinstance(op, NativeOp) and not placed:
                    yield _choice(op, f"{title(op)} (op {index})", kernels)


def print_choices(module: ModuleOp, kernels: KernelRegistry) -> None:
    """Write the choices to stderr."""
    for choice in kernel_choices(module, kernels):
        print(*choice.lines(), sep="\n", file=sys.stderr)


def _choice(op: NativeOp, label: str, kernels: KernelRegistry) -> KernelChoice:
    outputs = [spec_of(result) for result in op.results]
    operands: list[Operand] = [
        ShapeParam(value.type.get_shape()) if isinstance(value.type, ShapeType) else spec_of(value)
        for value in op.operands
    ]

    def verdict(kernel: Kernel) -> KernelVerdict:
        misfit = kernel.misfit(outputs, operands)
        return KernelVerdict(
            kernel.name,
            None if misfit else kernel.price(outputs, operands),
            misfit,
            kernel.lacks,
            kernel.ends,
        )

    verdicts = tuple(map(verdict, kernels.kernels(op.name)))
    fitting = any(verdict.misfit is None for verdict in verdicts)
    cheapest = kernels.select(op.name, outputs, operands).name if fitting else None
    taken = cheapest if op.kernel is None else op.kernel.data
    return KernelChoice(label, taken, taken != cheapest, verdicts)


def cost_text(cost: float) -> str:
    """Write a cost by its name, else as a number."""
    names = {named.value: named.name for named in Cost}
    return names.get(cost, f"{cost:g}")


def _taken(kernel: str | None, cost: float | None, why: str) -> str:
    if kernel is None:
        return "no kernel takes it"
    price = ", but it does not take these tensors" if cost is None else f", cost {cost_text(cost)}"
    return f"{kernel}, {why}{price}"


def _fits(verdict: KernelVerdict, least: float | None, named: bool) -> str:
    later = verdict.cost == least and not named and not verdict.idle
    more = " too, and is declared later" if later else ""
    return f"{verdict.kernel}: fits, cost {cost_text(verdict.cost or 0.0)}{more}{verdict.idle}"


def _misfits(verdicts: Iterable[KernelVerdict]) -> Iterator[str]:
    functions: dict[str, list[KernelVerdict]] = {}
    for verdict in verdicts:
        if verdict.misfit is not None:
            functions.setdefault(verdict.kernel.partition(".")[0], []).append(verdict)
    for first, *more in functions.values():
        also = f", and for {len(more)} further sets of classes likewise" if more else ""
        yield f"{first.kernel}: does not fit, {first.misfit}{also}{first.idle}"

"""The kernels of native ops and the evaluators of graph ops, which programs run.

Evaluators take and give stored values in arrays of the tensor's shape and storage type. Operands
come in the order of the op's definition, None for an absent optional one; those of a variadic
operand stand one after the other. Operands may be views of memory: they are not to be written.
HtpError, ValueError, IndexError or ArithmeticError fails the run and names the op; every state is
then as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import SSAValue

from ...dialects.faults.arguments import a
from ...dialects.qti_aisw.base import GraphOp
from ..functions.support.arrays import Array
from .kernel import Kernel
from .registry import KernelRegistry

Inputs = Sequence[Array | None]
Evaluator = Callable[[GraphOp, Inputs], Sequence[Array]]
"""From operand values to result values, for an op without state."""


@dataclass(frozen=True)
class StatefulEvaluator:
    """An op whose results depend on earlier inferences.

    `names` are its states' roles (`content`, `h`). `initial_state` gives the values before the
    first inference and after a reset; their shapes and dtypes depend on the op alone. `step` gives
    the results, or None while they are not ready, and the new states. Whether the operand `reset`
    is true is the session's to look at.
    """

    names: tuple[str, ...]
    initial_state: Callable[[GraphOp, Inputs], Sequence[Array]]
    step: Callable[
        [GraphOp, Inputs, Sequence[Array]], tuple[Sequence[Array] | None, Sequence[Array]]
    ]


def graph_operands(op: GraphOp) -> list[tuple[str, SSAValue | None]]:
    """List name and value of each operand: None for an absent one, an entry per variadic value."""
    slots: list[tuple[str, SSAValue | None]] = []
    for name, _ in op.get_irdl_definition().operands:
        values = getattr(op, name)
        if values is None or isinstance(values, SSAValue):
            slots.append((name, values))
        else:
            slots += [(name, value) for value in values]
    return slots


@dataclass(frozen=True)
class Library:
    """Kernels by op (`htp.Add`), evaluators by the mnemonic of the graph op (`Conv2d`)."""

    kernels: KernelRegistry
    graph: Mapping[str, Evaluator]
    stateful: Mapping[str, StatefulEvaluator]

    def extended(self, *sets: Iterable[Kernel], cpp: Iterable[str] = ()) -> Library:
        """Add the kernels of user packages; without any, return the library itself.

        `cpp` are the packages that are written in C++.
        """
        return replace(self, kernels=self.kernels.extended(sets, cpp)) if sets else self


LIBRARY = a("a library", Library, remedy="give that of packages: .library")
"""The kind of an argument that is a library."""

"""Graph ops at run time: what the session asks of the functions that evaluate them.

Values are stored values in arrays of the tensor's shape and storage type, for operands and
results alike. Operands come in the order of the op's definition, None for an absent optional one;
those of a variadic operand stand one after the other. Operands may be views of memory: they are
not to be written. HtpError, ValueError, IndexError or ArithmeticError fails the run and names the
op; every state is then as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ..functions.support.arrays import Array

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

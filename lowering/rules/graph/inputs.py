"""The inputs of an op as rules see them: of a graph op its operands, then its params as constants.

So a graph op has the inputs that a native op has, and one language of rules serves both levels.
Equal params of two ops are one value: one tag in a match asks for equal params.

Example: the inputs of `qti_aisw.Softmax(%x) {axis = 1 : i64}` are `%x`, a constant 1 for `axis` and
a constant 1.0 for `beta`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.qti_aisw import CustomOp, GraphOp
from .param_constants import param_constant

TO = "to"
"""The param that is the element type of the result."""
_IMPLIED = ("operandSegmentSizes", TO)
"""Properties that follow from an op's operands and results: no inputs."""


def inputs_of(op: Operation) -> Sequence[SSAValue]:
    """Return the operands of an op and, of a graph op, its params behind them.

    A graph op with an absent operand before a present one has none: no rule can name them.
    """
    if not isinstance(op, GraphOp) or isinstance(op, CustomOp):
        return op.operands
    present = [bool(getattr(op, name)) for name, _ in op.get_irdl_definition().operands]
    if present != sorted(present, reverse=True):
        return ()
    params = (name for name in params_of(type(op)) if name in op.properties)
    return (*op.operands, *(param_constant(name, op.properties[name]) for name in params))


def params_of(op_class: type[GraphOp]) -> tuple[str, ...]:
    """Return the names of the params of a graph op, in the order of its declaration."""
    return tuple(name for name in op_class.get_irdl_definition().properties if name not in _IMPLIED)

"""The fault of an op that has no conversion."""

from __future__ import annotations

from ...aten.refused import REFUSED
from ...aten.registry import of_op
from ...onnx.support.faults import NodeFault


def refusal(op: str) -> NodeFault:
    """Return the fault of an op without a conversion: why there is none, and what to do."""
    stated = of_op(REFUSED, op)
    if stated is not None:
        return NodeFault(f"the op has no conversion: {stated.reason}", stated.remedy)
    remedy = f'give it one: @CONVERSIONS.conversion("{op}"), or keep it: --fallback, fallback=True'
    return NodeFault("the op has no conversion", remedy)

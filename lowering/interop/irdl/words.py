"""The constraints of native operands that IRDL cannot say, in words for a comment."""

from __future__ import annotations

from ....dialects.htp.constraints import Constraint, ParamConstraint, ShapeConstraint
from ....dialects.value.kinds import Kind


def in_words(constraint: Constraint) -> str:
    """Return what is declared of an operand; empty where nothing is."""
    match constraint:
        case ShapeConstraint(plane=plane):
            return "1xHxWx1, all >= 1" if plane else ""
        case ParamConstraint(count, least, most, once):
            numbers = "" if count is None else f"{count} number{'s' * (count != 1)}"
            bounds = f"integers >= {least}" if most is None else f"integers from {least} to {most}"
            parts = (numbers, "" if least is None else bounds, "each once" * once)
            return ", ".join(filter(None, parts))
        case _ if constraint.like:
            return f"the dtype of {constraint.like}, or both quantised"
        case _ if constraint.kin:
            return f"a number; float exactly where {constraint.kin} is"
        case _:
            return "" if constraint.kind is Kind.ANY else constraint.kind.value[0]

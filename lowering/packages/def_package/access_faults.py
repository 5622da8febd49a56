"""Faults of the access map of a declaration: what it reads that the op does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....dialects.htp.access import RESULT, Access, Number
from ....dialects.htp.constraints import Constraint, ParamConstraint


def access_faults(access: Access, operands: Mapping[str, Constraint]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a map among an op's operands, and the remedy.

    Operands have four indices each, letters that run inside have an extent, and numbers are dims
    of an operand or elements of a param that says how many it has.
    """
    for name, indices in access.operands.items():
        if name not in operands:
            known = ", ".join(operands) or "none"
            yield f"has no operand '{name}' for a result", f"it has {known}"
        elif len(indices) != len(RESULT):
            yield f"reads '{name}' by {len(indices)} indices", "write one for each of the four dims"
    for letter in access.summed:
        if letter not in access.extents and not access.holders(letter):
            problem = f"does not say how far '{letter}' runs"
            yield problem, f"make '{letter}' alone an index of an operand"
        elif fault := _number_fault(access.extent(letter), operands):
            yield fault
    for index in (index for indices in access.operands.values() for index in indices):
        for number in (index.by, index.spacing, index.start, index.before, index.after):
            if number is not None and (fault := _number_fault(number, operands)):
                yield fault


def _number_fault(number: Number, operands: Mapping[str, Constraint]) -> tuple[str, str] | None:
    name, place = number.operand, number.place
    constraint = operands.get(name)
    if constraint is None:
        return f"has no operand '{name}' for a number", f"it has {', '.join(operands)}"
    is_param = isinstance(constraint, ParamConstraint)
    count = constraint.count or 0 if isinstance(constraint, ParamConstraint) else len(RESULT)
    if place < count:
        return None
    remedy = "say how many numbers it has" if is_param else f"it has {count} dims"
    return f"has no {name}.{place} for a result", remedy

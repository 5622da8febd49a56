"""Operands and results of any number, as IRDL can have them.

IRDL wants all members of a variadic operand to be of one type, and ours may differ. So a variadic
one is written as many variadic ones, each of which takes a run of equal types.

Example: parts of the types A, A, B are runs of 2 and 1, behind one operand the segment sizes are
1, 2, 1, 0, 0, ...
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import OperandDef, OptionalDef, ResultDef, VariadicDef

from ....dialects.diagnostics import fail

MOST_RUNS = 32
"""Runs of equal types that an operand or result of any number may have."""


def is_variadic(definition: OperandDef | ResultDef) -> bool:
    """Tell whether any number of values may stand there."""
    return isinstance(definition, VariadicDef) and not isinstance(definition, OptionalDef)


def segments(op: Operation, single: int, values: Iterable[SSAValue]) -> list[int]:
    """Return the segment sizes of values, the first `single` of which stand alone.

    HtpError where the others are of more runs than IRDL was told.
    """
    types = [value.type for value in values][single:]
    runs = [len(list(run)) for _, run in groupby(types)]
    if len(runs) > MOST_RUNS:
        problem = f"{len(runs)} values in a row are of different types"
        raise fail(op.name, problem, f"the definitions in IRDL take {MOST_RUNS}; join some before")
    return [*[1] * single, *runs, *[0] * (MOST_RUNS - len(runs))]

"""Operands and results of any number, as IRDL can have them.

IRDL wants all members of a variadic operand to be of one type, and ours may differ. So a variadic
one is written as many variadic ones, each of which takes a run of equal types.

Example: of parts of the types A, A, B behind an axis the segment sizes are 1, 2, 1, 0, 0, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import fail
from .body import Member

MOST_RUNS = 32
"""Runs of equal types that an operand or result of any number may have."""
SEGMENTS, RESULT_SEGMENTS = "operandSegmentSizes", "resultSegmentSizes"
"""The attributes that say how many values stand in each place; mlir-opt asks for them by itself."""
_MANY = "variadic"


def in_runs(members: Sequence[Member]) -> Iterator[Member]:
    """Yield the operands or results of an op, runs in place of one of any number."""
    for member in members:
        if member.often == _MANY:
            for number in range(MOST_RUNS):
                yield replace(member, name=f"{member.name}{number}")
        else:
            yield member


def segments(
    op: Operation, members: Sequence[Member], values: Sequence[SSAValue]
) -> list[int] | None:
    """Return the segment sizes of values; None where none of the members is of any number.

    One that is stands behind all others. HtpError where its values are of too many runs.
    """
    if not members or members[-1].often != _MANY:
        return None
    single = len(members) - 1
    runs = [len(list(run)) for _, run in groupby(value.type for value in values[single:])]
    if len(runs) > MOST_RUNS:
        problem = f"{len(runs)} values in a row are of different types"
        raise fail(op.name, problem, f"the definitions in IRDL take {MOST_RUNS}; join some before")
    return [*[1] * single, *runs, *[0] * (MOST_RUNS - len(runs))]

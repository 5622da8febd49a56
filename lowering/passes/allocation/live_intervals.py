"""Live intervals of values in the IR, where values may be views of the bytes of others.

One walk over the ops in order: each use extends the interval of the value, and of every value whose
bytes it is a view of. Cost: O(uses * depth of views).

Example: `a = Neg(x); b = Reshape(a); c = Relu(b)`: b is a view of a, so its use by the third op
extends both: a lives from 0 to 2, b from 1 to 2.
"""

from collections.abc import Iterable, Mapping

from xdsl.ir import Operation, SSAValue

from ....dialects.htp import NativeOp
from ....dialects.htp.views import views


def wholes(ops: Iterable[Operation]) -> Mapping[SSAValue, SSAValue]:
    """Map each value that is a view to the value whose bytes it is a part of.

    Parts that are joined in place are views of the result; slices in place, Reshapes and the
    results of waits are views of their input.
    """
    return {share.part: share.whole for op in ops for share in views(op)}


def root(value: SSAValue, inside: Mapping[SSAValue, SSAValue]) -> SSAValue:
    """Follow a view to the value with bytes of its own; that is itself where it has them."""
    while value in inside:
        value = inside[value]
    return value


def spans(
    ops: Iterable[Operation], inside: Mapping[SSAValue, SSAValue]
) -> Mapping[SSAValue, tuple[int, int]]:
    """Find the positions of the first and last op that uses a value or a view of it.

    What an op overwrites ends in front of it.
    """
    ends: dict[SSAValue, tuple[int, int]] = {}
    for index, op in enumerate(ops):
        overwritten = op.overwritten if isinstance(op, NativeOp) else None
        for used in (*op.operands, *op.results):
            end = index - (used is overwritten)
            value: SSAValue | None = used
            while value is not None:
                first, last = ends.get(value, (index, end))
                ends[value] = first, max(last, end)
                value = inside.get(value)
    return ends

"""Live intervals of values in the IR, where values may be views of the bytes of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.ir import Operation, SSAValue

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
    """Find the positions of the first and last op that uses a value or a view of it."""
    ends: dict[SSAValue, tuple[int, int]] = {}
    for index, op in enumerate(ops):
        for used in (*op.operands, *op.results):
            value: SSAValue | None = used
            while value is not None:
                ends[value] = (ends.get(value, (index, index))[0], index)
                value = inside.get(value)
    return ends

"""Copies that rules place by hand become what their ops want of their tensors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.diagnostics import fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import CopyOp, FormatOp, MoveOp
from ....dialects.htp.ops.movement import ReshapeOp
from ....dialects.value.place import FLAT_DDR, Memory, Place
from ...levels import bodies
from .noted_places import note_places, noted_places

BY_HAND = "htp.by_hand"
"""Of an op: the place that rules gave each operand, then each result; unit where they gave none, or
led back to flat main memory."""


@dataclass(frozen=True)
class AbsorbCopies(ModulePass):
    """Native level to native level: conversions and copies that rules placed by hand go, and the
    ops that they stood at get the attribute `htp.by_hand` with the places that they led to.

    Placement heeds it where an op's tensor properties say nothing.
    """

    name = "htp-absorb-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in bodies(op):
            copies = [inner for inner in block.ops if isinstance(inner, CopyOp)]
            if copies:
                for inner in block.ops:
                    if isinstance(inner, NativeOp) and not isinstance(inner, CopyOp | ReshapeOp):
                        _mark(inner)
            for copy in copies:
                copy.results[0].replace_all_uses_with(copy.operands[0])
            for copy in reversed(copies):
                block.erase_op(copy)


def by_hand(op: Operation) -> tuple[Place | None, ...]:
    """The places that rules gave an op's operands, then its results."""
    return noted_places(op, BY_HAND, len(op.operands) + len(op.results))


def _mark(op: NativeOp) -> None:
    given = (_given(operand) for operand in op.operands)
    places = (
        *(None if place == FLAT_DDR else place for place in given),
        *(_taken(op, result) for result in op.results),
    )
    note_places(op, BY_HAND, places)


def _given(value: SSAValue) -> Place | None:
    """Where the copies before an operand lead; None where there are none."""
    copy = value.owner
    if isinstance(copy, MoveOp):
        return copy.TARGET
    if isinstance(copy, FormatOp):
        before = _given(copy.operands[0])
        return Place(copy.LAYOUT, before.memory if before else Memory.DDR)
    return None


def _taken(op: NativeOp, result: SSAValue) -> Place | None:
    """Where the copies behind a result take it from; HtpError where they do not agree."""
    found = list(dict.fromkeys(_sources(result)))
    if len(found) > 1:
        places = " and ".join(sorted(f"{p.layout.value} in {p.memory.value}" for p in found))
        raise fail(
            op.name, f"rules copy its result from {places}", "htp-package migrate says which"
        )
    return found[0] if found else None


def _sources(result: SSAValue) -> Iterator[Place]:
    for use in result.uses:
        if isinstance(use.operation, MoveOp) and use.operation.SOURCE.memory is Memory.TCM:
            yield use.operation.SOURCE

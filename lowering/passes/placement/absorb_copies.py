"""The pass that turns copies placed by rules into placement constraints of their ops."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import BY_HAND
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import CopyOp, FormatOp, MoveOp
from ....dialects.htp.ops.movement import ReshapeOp
from ....dialects.op_faults import fail_at
from ....dialects.value.place import FLAT_DDR, Memory, Place
from ...levels import bodies
from .noted_places import note_places, noted_places
from .open_chains import mark_chains


@dataclass(frozen=True)
class AbsorbCopies(ModulePass):
    """Native level to native level, without the conversions and copies that rules placed.

    The ops beside them get the attribute `htp.by_hand` with the places that the copies led to. It
    is a placement constraint where an op's tensor properties say nothing.
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
            mark_chains(block)


def by_hand(op: Operation) -> tuple[Place | None, ...]:
    """Read the places that rules gave an op's operands, then its results."""
    return noted_places(op, BY_HAND, len(op.operands) + len(op.results))


def _mark(op: NativeOp) -> None:
    before = (_place_before(operand) for operand in op.operands)
    places = (
        *(None if place == FLAT_DDR else place for place in before),
        *(_place_behind(op, result) for result in op.results),
    )
    note_places(op, BY_HAND, places)


def _place_before(value: SSAValue) -> Place | None:
    """The place to which the copies before an operand lead; None without copies."""
    copy = value.owner
    if isinstance(copy, MoveOp):
        return copy.TARGET
    if isinstance(copy, FormatOp):
        before = _place_before(copy.operands[0])
        return Place(copy.LAYOUT, before.memory if before else Memory.DDR)
    return None


def _place_behind(op: NativeOp, result: SSAValue) -> Place | None:
    """The place from which the copies behind a result take it; HtpError where they differ."""
    copies = (use.operation for use in result.uses)
    sources = (copy.SOURCE for copy in copies if isinstance(copy, MoveOp))
    places = list(dict.fromkeys(place for place in sources if place.memory is Memory.TCM))
    if len(places) > 1:
        texts = " and ".join(sorted(f"{p.layout.value} in {p.memory.value}" for p in places))
        raise fail_at(op, f"rules copy its result from {texts}", "htp-package migrate says which")
    return places[0] if places else None

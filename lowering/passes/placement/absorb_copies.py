"""The pass that turns copies placed by rules into placement constraints of their ops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import BY_HAND
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import CopyOp, FormatOp, MoveOp
from ....dialects.htp.ops.movement import ReshapeOp
from ....dialects.op_faults import fail_at
from ....dialects.value.place import FLAT_DDR, Memory, Place
from ...levels import bodies
from ...rules.graph.names import DEFAULT_PACKAGE
from .noted_places import note_places, noted_places


@dataclass(frozen=True)
class AbsorbCopies(ModulePass):
    """Native level to native level, without the conversions and copies that rules placed.

    The ops beside them get the attribute `htp.by_hand` with the places that the copies led to. It
    is a placement constraint where an op's tensor properties say nothing. Ops of packages between
    two such ops get it too, if no copy is left on the way: it leaves their tensors open.
    """

    name = "htp-absorb-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in bodies(op):
            copies = [inner for inner in block.ops if isinstance(inner, CopyOp)]
            if copies:
                ops = [
                    inner
                    for inner in block.ops
                    if isinstance(inner, NativeOp) and not isinstance(inner, CopyOp | ReshapeOp)
                ]
                chained = _from_copies(ops) & _to_copies(ops)
                for inner in ops:
                    _mark(inner, inner in chained)
            for copy in copies:
                copy.results[0].replace_all_uses_with(copy.operands[0])
            for copy in reversed(copies):
                block.erase_op(copy)


def by_hand(op: Operation) -> tuple[Place | None, ...]:
    """Read the places that rules gave an op's operands, then its results."""
    return noted_places(op, BY_HAND, len(op.operands) + len(op.results))


def _from_copies(ops: Sequence[NativeOp]) -> set[Operation]:
    """Return the ops with copies beside them, and those of packages that take their results."""
    reached: set[Operation] = set()
    for op in ops:
        direct = _is_of_package(op) and any(value.owner in reached for value in op.operands)
        if direct or _has_copies(op):
            reached.add(op)
    return reached


def _to_copies(ops: Sequence[NativeOp]) -> set[Operation]:
    """Return the ops with copies beside them, and those of packages whose results they take."""
    reached: set[Operation] = set()
    for op in reversed(ops):
        users = (use.operation for result in op.results for use in result.uses)
        direct = _is_of_package(op) and any(user in reached for user in users)
        if direct or _has_copies(op):
            reached.add(op)
    return reached


def _has_copies(op: NativeOp) -> bool:
    users = (use.operation for result in op.results for use in result.uses)
    neighbours = (*(value.owner for value in op.operands), *users)
    return any(isinstance(neighbour, CopyOp) for neighbour in neighbours)


def _is_of_package(op: NativeOp) -> bool:
    return not op.name.startswith(f"{DEFAULT_PACKAGE}.")


def _mark(op: NativeOp, chained: bool) -> None:
    before = (_place_before(operand) for operand in op.operands)
    places = (
        *(None if place == FLAT_DDR else place for place in before),
        *(_place_behind(op, result) for result in op.results),
    )
    note_places(op, BY_HAND, places)
    if chained and _is_of_package(op) and BY_HAND not in op.attributes:
        op.attributes[BY_HAND] = ArrayAttr([UnitAttr()] * len(places))


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

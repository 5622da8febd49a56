"""Slices and joins in main memory without copies: parts are read and written where they belong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.htp.base import NativeOp, native
from ....dialects.htp.in_place import IN_PLACE, Share, shares
from ....dialects.htp.ops.const import shape
from ....dialects.htp.ops.movement import ConcatOp, ReshapeOp
from ....dialects.htp.ops.slices import SliceShapeOp
from ....dialects.value.layout import RANK
from ....dialects.value.place import Memory
from ....dialects.value.spec import spec_of
from ...levels import bodies


@dataclass(frozen=True)
class InPlace(ModulePass):
    """Placed level to placed level: Concats and Slices in main memory that move no bytes say so.

    A Concat is in place where its parts are runs of bytes of its result and can be written there
    by the ops that make them; a part that cannot is copied there by a Slice_shape of all of it.
    A Slice_shape is in place where it takes a run of bytes of its input.
    """

    name = "htp-in-place"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in bodies(op):
            in_place(block)


def in_place(block: Block) -> None:
    """Mark the Concats of one function, then the slices that are no parts of these."""
    written: set[SSAValue] = set()
    for op in list(block.ops):
        if isinstance(op, ConcatOp) and _joins_runs(op):
            written |= _mark_concat(op, written)
    for op in block.ops:
        if isinstance(op, SliceShapeOp) and op.results[0] not in written and _all_runs(shares(op)):
            op.attributes[IN_PLACE] = UnitAttr()


def _joins_runs(op: ConcatOp) -> bool:
    return len(op.operands) > 2 and _all_runs(shares(op))


def _all_runs(held: Sequence[Share]) -> bool:
    return all(
        spec_of(share.whole).memory is Memory.DDR and share.delta is not None for share in held
    )


def _mark_concat(op: ConcatOp, written: set[SSAValue]) -> set[SSAValue]:
    """Mark a Concat one of whose parts can be written in place; the parts that then are."""
    axis, *parts = op.operands
    direct = set(_writable(parts, written))
    if not direct:
        return set()
    placed = [part if part in direct else _copied(part, op) for part in parts]
    if len(set(placed)) < len(placed):
        placed = _without_repeats(placed, op)
    op.operands = [axis, *placed]
    op.attributes[IN_PLACE] = UnitAttr()
    return set(placed)


def _writable(parts: Sequence[SSAValue], written: set[SSAValue]) -> Iterator[SSAValue]:
    """The parts that kernels make and that lie in no other Concat: they can be written anywhere."""
    for part in parts:
        if part not in written and _has_own_bytes(part.owner):
            yield part


def _has_own_bytes(maker: Operation | Block) -> bool:
    if not isinstance(maker, NativeOp) or isinstance(maker, ReshapeOp):
        return False
    return IN_PLACE not in maker.attributes


def _without_repeats(parts: Sequence[SSAValue], op: ConcatOp) -> list[SSAValue]:
    """The parts with a copy for every repetition."""
    seen: set[SSAValue] = set()
    distinct: list[SSAValue] = []
    for part in parts:
        distinct.append(_copied(part, op) if part in seen else part)
        seen.add(part)
    return distinct


def _copied(part: SSAValue, before: Operation) -> SSAValue:
    """All of a tensor once more, made in front of an op."""
    spec = spec_of(part)
    bounds = [shape((0,) * RANK), shape(spec.shape)]
    copy = native(SliceShapeOp, [part, *(bound.out for bound in bounds)], spec)
    block = before.parent
    if block is not None:
        block.insert_ops_before([*bounds, copy], before)
    return copy.results[0]

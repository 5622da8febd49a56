"""What ops move: data that is copied or can stay in place, operands that are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.ir import Operation

from ....dialects.htp.base import NativeOp
from ....dialects.htp.in_place import shares
from ....dialects.htp.ops.movement import ConcatOp, ReshapeOp
from ....dialects.htp.ops.rnn import GruOp, LstmOp
from ....dialects.htp.ops.slices import SlicePadShapeOp, SliceShapeOp
from ....dialects.value.place import CROUTON_DDR, FLAT_DDR, LayoutKind, Place
from ....dialects.value.region import byte_offset
from ....dialects.value.spec import TensorSpec, spec_of
from ...planner.placement.layouts import Move
from .placement import forms_of


def move_of(op: Operation) -> Move | None:
    """The bytes that an op's result takes from each of its tensors; None for ops that compute."""
    read = _MOVERS.get(op.name)
    return read(op) if read else None


def passes_of(op: Operation) -> tuple[int, ...]:
    """How often an op goes over each of its tensors: recurrent weights are read at every step."""
    again = _EVERY_STEP.get(op.name)
    if again is None or not isinstance(op, NativeOp):
        return ()
    steps = spec_of(op.operands[0]).shape[1]
    return tuple(steps if op.operand_name(at) == again else 1 for at in range(len(op.operands)))


def _slice(op: Operation) -> Move:
    return Move((_bytes(op),), joins=False, in_place=frozenset(_in_place(op)))


def _slice_pad(op: Operation) -> Move:
    return Move((_bytes(op), 0), joins=False, in_place=frozenset())


def _reshape(op: Operation) -> Move:
    return Move((_bytes(op),), joins=False, in_place=frozenset([LayoutKind.FLAT]))


def _concat(op: Operation) -> Move:
    parts = [spec_of(part).with_place(FLAT_DDR).nbytes for part in op.operands[1:]]
    return Move((0, *parts), joins=True, in_place=frozenset(_in_place(op)))


def _bytes(op: Operation) -> int:
    return spec_of(op.results[0]).with_place(FLAT_DDR).nbytes


def _in_place(op: Operation) -> Iterator[LayoutKind]:
    """The layouts in which every part is a run of bytes of the whole."""
    for place in (FLAT_DDR, CROUTON_DDR):
        if all(
            _is_run(place, spec_of(share.whole), share.start, spec_of(share.part).shape)
            for share in shares(op)
        ):
            yield place.layout


def _is_run(place: Place, whole: TensorSpec, start: Sequence[int], size: Sequence[int]) -> bool:
    if place.layout not in forms_of(whole):
        return False
    return byte_offset(whole.with_place(place), start, size) is not None


_MOVERS: dict[str, Callable[[Operation], Move]] = {
    SliceShapeOp.name: _slice,
    SlicePadShapeOp.name: _slice_pad,
    ConcatOp.name: _concat,
    ReshapeOp.name: _reshape,
}

_EVERY_STEP = {LstmOp.name: "R", GruOp.name: "R"}
"""Operands that are read at each step of a sequence, which is dim 1 of the first operand."""

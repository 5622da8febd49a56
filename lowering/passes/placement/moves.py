"""Data that ops move: copied or left in place, and operands that are read again."""

from xdsl.ir import Operation

from ....dialects.htp import ConcatOp, NativeOp, ReshapeOp, SliceShapeOp
from ....dialects.htp.in_place import LINE_BY_LINE, Share, shares
from ....dialects.htp.ops.rnn import RecurrentOp
from ....dialects.spec_of import spec_of
from ....dialects.value import CROUTON_DDR, FLAT_DDR, LayoutKind, Place, byte_offset
from ...levels import is_tensor
from ...planner.placement.layouts import Move
from .in_place import is_read_by_lines
from .placement import forms_of

SELECTED = {"htp.Slice_shape": 0, "htp.StridedSlice": 0, "htp.Gather": 0}
"""Operands of which an op reads no more bytes than its results have."""


def move_of(op: Operation) -> Move | None:
    """List the bytes that an op's result takes from each of its tensors; None if it computes."""
    if not isinstance(op, NativeOp) or op.ACCESS is None or not op.ACCESS.moves:
        return None
    access, joins = op.ACCESS, bool(op.ACCESS.joined)
    taken = tuple(
        spec_of(value if joins else op.results[0]).with_place(FLAT_DDR).nbytes
        if op.operand_name(at) in access.operands
        else 0
        for at, value in enumerate(op.operands)
        if is_tensor(value)
    )
    blocks = shares(op) if isinstance(op, ConcatOp) else ()
    scattered = frozenset(at for at, block in enumerate(blocks, 1) if _is_scattered(block))
    return Move(taken, joins, _in_place(op), scattered)


def _is_scattered(part: Share) -> bool:
    """Tell whether a part that is made in DDR has to be copied into a join.

    One that is joined itself goes there in parts, and what is made line by line is made there.
    """
    maker = part.part.owner
    is_joined = isinstance(maker, ConcatOp) and part.part.has_one_use()
    by_lines = isinstance(maker, Operation) and maker.name in LINE_BY_LINE
    return not (is_joined or by_lines or _is_run(FLAT_DDR, part))


def _in_place(op: Operation) -> frozenset[LayoutKind]:
    """The layouts in which every part can be written into the whole, or read there.

    It is a run of bytes of that; copies from TCM can write any block of a flat one, and some ops
    read one.
    """
    if isinstance(op, ReshapeOp):
        return frozenset([LayoutKind.FLAT])
    blocks = shares(op)
    places = (FLAT_DDR, CROUTON_DDR) if blocks else ()
    runs = {p.layout for p in places if all(_is_run(p, block) for block in blocks)}
    in_blocks = isinstance(op, ConcatOp) or (isinstance(op, SliceShapeOp) and is_read_by_lines(op))
    return frozenset(runs | {LayoutKind.FLAT} if in_blocks else runs)


def _is_run(place: Place, block: Share) -> bool:
    whole = spec_of(block.whole)
    if place.layout not in forms_of(whole):
        return False
    return byte_offset(whole.with_place(place), block.start, spec_of(block.part).shape) is not None


def passes_of(op: Operation) -> tuple[int, ...]:
    """Count how often an op goes over each of its operands; empty where that is once.

    The recurrent weights R are read at every step of the sequence.
    """
    if not isinstance(op, RecurrentOp):
        return ()
    steps = op.dims("X")[1]
    return tuple(steps if name == "R" else 1 for name in op.OPERANDS)

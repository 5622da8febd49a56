"""The pass that marks slices and joins in DDR as in place: parts share the bytes of the whole."""

from collections.abc import Container
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import IN_PLACE
from ....dialects.htp import ConcatOp, ReshapeOp, SliceShapeOp
from ....dialects.htp.base import NativeOp, native
from ....dialects.htp.in_place import LINE_BY_LINE, Share, shares
from ....dialects.htp.ops.const import shape
from ....dialects.locations import location_of_copy
from ....dialects.spec_of import spec_of
from ....dialects.value import RANK, Memory
from ...levels import bodies, note_graph


@dataclass(frozen=True)
class InPlace(ModulePass):
    """Placed level to placed level: Concats and Slices in DDR that move no bytes say so.

    A Concat is in place where a part of it can be written there by the op that makes it: any op
    writes a run of bytes of the result, through Reshapes as well; copies from TCM, slices,
    paddings, Transposes and changes of type a block of a flat one. A part that cannot is copied
    there by a Slice_shape of all of it.
    A Slice_shape is in place where it takes a run of bytes of its input, or where only copies to
    TCM, Transposes and changes of type read the block that it takes.
    """

    name = "htp-in-place"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_graph(op, self.name, placed=True)
        for block in bodies(op):
            in_place(block)


def in_place(block: Block) -> None:
    """Mark the Concats of one function, then the slices that are not among their parts."""
    written: dict[SSAValue, Share] = {}
    for op in list(block.ops):
        if isinstance(op, ConcatOp) and len(op.operands) > 2 and _is_of_blocks(op):
            written |= _mark_concat(op, written)
    for op in block.ops:
        if not isinstance(op, SliceShapeOp) or op.results[0] in written:
            continue
        (share,) = shares(op)
        around = written.get(share.whole)
        is_run = _in_ddr(share.whole) and share.delta is not None
        # A run of the bytes of a block, whose lines are apart, is none of the whole.
        if is_read_by_lines(op) or (is_run and not (around and around.strided)):
            op.attributes[IN_PLACE] = UnitAttr()
            written[op.results[0]] = share


def _in_ddr(value: SSAValue) -> bool:
    return spec_of(value).memory is Memory.DDR


def is_read_by_lines(op: SliceShapeOp) -> bool:
    """Tell whether a slice is a block of a tensor in DDR, for ops that read it line by line."""
    return _is_read_by_lines(op.results[0]) and all(share.strided for share in shares(op))


def _is_read_by_lines(value: SSAValue, but: Operation | None = None) -> bool:
    """Tell whether all ops that read a tensor, but one, do so line by line."""
    return all(use.operation.name in LINE_BY_LINE or use.operation is but for use in value.uses)


def _is_of_blocks(op: ConcatOp) -> bool:
    """Tell whether every part is a block of the whole, in DDR."""
    each = shares(op)
    return all(_in_ddr(one.whole) and (one.strided or one.delta is not None) for one in each)


def _by_lines(maker: Operation | Block) -> bool:
    """Tell whether an op writes line by line; a join in place does if what makes its parts does."""
    if isinstance(maker, ConcatOp):
        return IN_PLACE in maker.attributes and all(_by_lines(o.owner) for o in maker.operands[1:])
    return isinstance(maker, Operation) and maker.name in LINE_BY_LINE


def _mark_concat(op: ConcatOp, written: Container[SSAValue]) -> dict[SSAValue, Share]:
    """Mark a Concat of which a part can be written in place; the parts that then are."""
    axis, *parts = op.operands
    each = (one for one in shares(op) if one.part not in written)
    direct = {one.part for one in each if _is_writable(one, op)}
    if not direct:
        return {}
    # A part that cannot be written there, or is there already, is copied.
    placed: dict[SSAValue, None] = {}
    for part in parts:
        copied = part not in direct or part in placed
        placed[_copied(part, op) if copied else part] = None
    op.operands = [axis, *placed]
    op.attributes[IN_PLACE] = UnitAttr()
    return {share.part: share for share in shares(op)}


def _is_writable(share: Share, join: ConcatOp) -> bool:
    """Tell whether the op that makes a part may write it in place: it has bytes of its own.

    So has a join in place that no other one reads: its own parts go where it does. A part of
    several runs of bytes is written and read line by line. A run is written through views.
    """
    maker = (_beneath(share.part) if share.delta is not None else share.part).owner
    if not isinstance(maker, NativeOp) or isinstance(maker, ReshapeOp):
        return False
    is_run, is_own = share.delta is not None, IN_PLACE not in maker.attributes
    by_lines = _by_lines(maker) and _is_read_by_lines(share.part, join)
    joined = isinstance(maker, ConcatOp) and (share.part.has_one_use() or by_lines)
    return (is_own or joined) and (is_run or by_lines)


def _beneath(part: SSAValue) -> SSAValue:
    """Find the tensor in DDR that Reshapes alone read, the last of which gives the part."""
    while isinstance(view := part.owner, ReshapeOp) and _in_ddr(view.in_):
        if not (part.has_one_use() and view.in_.has_one_use()):
            break
        part = view.in_
    return part


def _copied(part: SSAValue, before: Operation) -> SSAValue:
    """A copy of all of a tensor, in front of an op."""
    spec = spec_of(part)
    bounds = [shape((0,) * RANK), shape(spec.shape)]
    copy = native(SliceShapeOp, [part, *(bound.out for bound in bounds)], spec)
    for op in (*bounds, copy):
        op.location = location_of_copy(part, before)
    block = before.parent
    if block is not None:
        block.insert_ops_before([*bounds, copy], before)
    return copy.results[0]

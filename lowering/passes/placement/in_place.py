"""The pass that marks slices and joins in DDR as in place: parts share the bytes of the whole."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import IN_PLACE
from ....dialects.htp import ConcatOp, ReshapeOp, SliceShapeOp
from ....dialects.htp.base import NativeOp, native
from ....dialects.htp.in_place import LINE_BY_LINE, shares
from ....dialects.htp.ops.const import shape
from ....dialects.locations import location_of_copy
from ....dialects.spec_of import spec_of
from ....dialects.value import RANK, Memory
from ...levels import bodies


@dataclass(frozen=True)
class InPlace(ModulePass):
    """Placed level to placed level: Concats and Slices in DDR that move no bytes say so.

    A Concat is in place where its parts are runs of bytes of its result and can be written there
    by the ops that make them; a part that cannot is copied there by a Slice_shape of all of it.
    Where they are blocks of a flat result, copies from TCM, Transposes and changes of type can
    write them there.
    A Slice_shape is in place where it takes a run of bytes of its input, or where only copies to
    TCM, Transposes and changes of type read the block that it takes.
    """

    name = "htp-in-place"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in bodies(op):
            in_place(block)


def in_place(block: Block) -> None:
    """Mark the Concats of one function, then the slices that are not among their parts."""
    written: set[SSAValue] = set()
    for op in list(block.ops):
        if isinstance(op, ConcatOp) and len(op.operands) > 2 and (_all_runs(op) or _all_blocks(op)):
            written |= _mark_concat(op, written)
    for op in block.ops:
        if not isinstance(op, SliceShapeOp) or op.results[0] in written:
            continue
        if _all_runs(op) or is_read_by_lines(op):
            op.attributes[IN_PLACE] = UnitAttr()


def _all_runs(op: ConcatOp | SliceShapeOp) -> bool:
    """Tell whether every part is a run of bytes of the whole, in DDR."""
    return all(_in_ddr(share.whole) and share.delta is not None for share in shares(op))


def _in_ddr(value: SSAValue) -> bool:
    return spec_of(value).memory is Memory.DDR


def is_read_by_lines(op: SliceShapeOp) -> bool:
    """Tell whether a slice is a block of a tensor in DDR, for ops that read it line by line."""
    by_lines = all(use.operation.name in LINE_BY_LINE for use in op.results[0].uses)
    return by_lines and all(share.strided for share in shares(op))


def _all_blocks(op: ConcatOp) -> bool:
    """Tell whether every part is made for this join alone, by ops that write line by line.

    A join in place of such parts is one, too: blocks of it are blocks of the whole.
    """

    def by_lines(maker: Operation | Block) -> bool:
        if isinstance(maker, ConcatOp):
            return IN_PLACE in maker.attributes and _all_blocks(maker)
        return isinstance(maker, Operation) and maker.name in LINE_BY_LINE

    return all(
        _in_ddr(share.whole)
        and by_lines(share.part.owner)
        and share.part.has_one_use()
        and (share.strided or share.delta is not None)
        for share in shares(op)
    )


def _mark_concat(op: ConcatOp, written: set[SSAValue]) -> set[SSAValue]:
    """Mark a Concat of which a part can be written in place; the parts that then are."""
    axis, *parts = op.operands
    direct = {part for part in parts if part not in written and _writable(part)}
    if not direct:
        return set()
    # A part that cannot be written there, or is there already, is copied.
    placed: dict[SSAValue, None] = {}
    for part in parts:
        copied = part not in direct or part in placed
        placed[_copied(part, op) if copied else part] = None
    op.operands = [axis, *placed]
    op.attributes[IN_PLACE] = UnitAttr()
    return set(placed)


def _writable(part: SSAValue) -> bool:
    """Tell whether the op that makes a part may write it anywhere: it has bytes of its own.

    So has a join in place that only this one reads: its own parts go where it does.
    """
    maker = part.owner
    if not isinstance(maker, NativeOp) or isinstance(maker, ReshapeOp):
        return False
    joined = isinstance(maker, ConcatOp) and part.has_one_use()
    return IN_PLACE not in maker.attributes or joined


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

"""The pass that gives every tensor in TCM its offset, with spills and fills where needed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.attributes import IN_PLACE, OVERWRITES, REASON, TCM_BYTES
from ....dialects.diagnostics import HtpError, fail
from ....dialects.faults.op_faults import fail_at
from ....dialects.htp import ConcatOp, ConstOp, CopyWaitOp, FillOp, RelocateOp, SpillOp
from ....dialects.htp.base import native
from ....dialects.htp.ops.copies import OP_LABEL, CopyOp, ReasonedOp
from ....dialects.locations import location_of_copy
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import FLAT_DDR, round_up
from ...levels import bodies, is_tensor
from ...planner.allocation.actions import Action, Alloc, Fill, Relocate, Residency, RunStep, Spill
from ...planner.allocation.residency import by_intervals, least_moved, without_spills
from ...planner.allocation.steps import DoesNotFit, check_fit
from ...rules.graph.graph import OpTables
from .does_not_fit import does_not_fit, smallest_tile, tensors_in_tcm
from .select_kernels import scratch_of, set_scratch_offset, write_scratch
from .tcm import NO_TABLES, ddr_source, ddr_spec, joins, slices, stated
from .tcm_program import TcmPass, TcmProgram, tcm_program

Allocated = tuple[TcmProgram, tuple[Action, ...]]
"""A program and the actions that run it."""


@dataclass(frozen=True)
class Allocate(TcmPass):
    """Placed level in execution order to offsets.

    The module then says in `htp.tcm_bytes` how much TCM it needs to run. Slices and joins in TCM
    are in place where that is possible, which `in_place` says. Where not everything fits, tensors
    leave TCM (htp.Spill) and come back (htp.Fill). Where free bytes are scattered, tensors move
    within TCM (htp.Relocate). Each of these carries a reason. Ops whose kernel has scratch name
    both. Raises HtpError where the tensors of one op alone do not fit.
    """

    name = "htp-allocate"

    def run(self, module: ModuleOp, tables: OpTables) -> None:
        for inner in (inner for block in bodies(module) for inner in block.ops):
            places = [spec_of(result).place for result in inner.results if is_tensor(result)]
            if any(place and place.offset is not None for place in places):
                problem = "is allocated already: its result has an offset in TCM"
                remedy = "run htp-lower with other tcm-bytes on what it was made from"
                raise fail_at(inner, problem, remedy)
        for block in bodies(module):
            allocate_block(block, self.tcm_bytes, self.alignment, tables)
        module.attributes[TCM_BYTES] = IntegerAttr(self.tcm_bytes, 64)


def allocate_block(
    block: Block, tcm_bytes: int, alignment: int, tables: OpTables = NO_TABLES
) -> None:
    """Allocate one function's tensors; the block stays as it was where that fails."""
    needs = {op: need for op in block.ops if (need := scratch_of(op, tables.kernels))}
    numbered = [*block.ops]
    program, actions = _plan(block, tcm_bytes, alignment, tables)
    for op, need in needs.items():
        write_scratch(op, need)
    for op in program.views.ops:
        if not isinstance(op, CopyWaitOp):
            op.attributes[IN_PLACE] = UnitAttr()
    writer = _Writer(program)
    for action in actions:
        writer.do(action)
    # Views that were made again elsewhere, and copies of what is read in DDR each time.
    for op in reversed(list(block.ops)):
        goes = isinstance(op, CopyOp) or program.views.can_follow(op)
        if goes and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)
    _renumber(block, numbered)


def _renumber(block: Block, before: Sequence[Operation]) -> None:
    """Let the reasons of new moves number the ops as they stand now, moves left out.

    `before` are the ops that they number so far. One that is gone keeps its bare name.
    """
    known = {*before}
    moves = [op for op in block.ops if isinstance(op, ReasonedOp) and op not in known]
    now = {op: at for at, op in enumerate(op for op in block.ops if REASON not in op.attributes)}

    def renumbered(label: re.Match[str]) -> str:
        at = now.get(before[int(label[2])])
        return label[1] if at is None else f"{label[1]}@{at}"

    for move in moves:
        move.attributes[REASON] = StringAttr(OP_LABEL.sub(renumbered, move.reason))


def _plan(block: Block, tcm_bytes: int, alignment: int, tables: OpTables) -> Allocated:
    """The program that moves the fewest bytes, and its actions.

    Slices and joins are in place where all fits. Where tensors leave TCM, it is one of up to three:
    with slices and joins in place, with joins alone, and with what the IR says.
    """
    least = stated(block)
    some = least.joined(joins(block, alignment))
    views = (some.joined(slices(block, some)), some, least)
    # Where these do the same, there is one program.
    different = {v.ops: v for v in views}.values()
    programs = [tcm_program(block, same, tables) for same in different]
    actions = without_spills(programs[0].steps, tcm_bytes, alignment)
    if actions is not None:
        return programs[0], actions
    stated_alone = programs[-1]
    try:
        check_fit(stated_alone.steps, tcm_bytes, alignment)
    except DoesNotFit as error:
        raise _does_not_fit(stated_alone, error, alignment) from error
    # The one that may move the least comes first.
    for program in sorted(
        programs, key=lambda each: least_moved(each.pinned(), tcm_bytes, alignment)
    ):
        actions = by_intervals(program.pinned(), tcm_bytes, alignment, program.ties())
        if actions is not None and program.keeps_parts(actions):
            return program, actions
    remedy = "run htp-prefetch after htp-allocate, or take the attribute in_place off"
    raise fail("htp-allocate", "what is marked as in place cannot stay in TCM", remedy)


@dataclass
class _Writer:
    """A writer of the planner's actions into the IR."""

    program: TcmProgram
    saved: dict[str, SSAValue] = field(default_factory=dict)
    values: dict[Residency, SSAValue] = field(default_factory=dict)
    moves: list[Operation] = field(default_factory=list)

    def do(self, action: Action) -> None:
        match action:
            case Alloc(new, offset) if new.name in self.program.scratch:
                set_scratch_offset(*self.program.scratch[new.name], offset)
            case Alloc(new, offset, onto):
                self.values[new] = _set_offset(self.program.values[new.name], offset)
                if onto is not None:
                    op, position = self.program.over[new.name][onto.name]
                    op.attributes[OVERWRITES] = IntegerAttr(position, 64)
                for part in self.program.parts.get(new.name, ()):
                    _set_offset(part.value, offset + part.delta)
            case Spill(old, reason):
                source = self.values[old]
                spill = native(SpillOp, [source], ddr_spec(source))
                self.saved[old.name] = self.move(spill, reason)
            case Fill(back, offset, reason):
                spec = spec_of(self.values[Residency(back.name, 0)])
                spec = spec.with_place((spec.place or FLAT_DDR).at(offset))
                fill = native(FillOp, [self.in_ddr(back.name)], spec)
                self.values[back] = self.move(fill, reason)
            case Relocate(moved, offset, reason):
                source = self.values[Residency(moved.name, moved.number - 1)]
                spec = spec_of(source)
                spec = spec.with_place((spec.place or FLAT_DDR).at(offset))
                self.values[moved] = self.move(native(RelocateOp, [source], spec), reason)
            case RunStep(step, reads, saved):
                self.run(self.program.ops[step], reads, saved)

    def in_ddr(self, name: str) -> SSAValue:
        """Return the value with a buffer's contents in DDR."""
        source = self.saved.get(name) or ddr_source(self.values[Residency(name, 0)])
        if source is None:
            raise ValueError(f"{name} is read after it left TCM but was never saved")
        return source

    def move(self, op: Operation, reason: str) -> SSAValue:
        op.attributes[REASON] = StringAttr(reason)
        self.moves.append(op)
        return op.results[0]

    def run(self, op: Operation, reads: tuple[Residency, ...], saved: tuple[str, ...]) -> None:
        """Put the moves in front of the op, and the values that they made into its operands.

        Of what is `saved` the op reads its part in DDR.
        """
        block = op.parent
        if block is None:
            raise ValueError(f"{op.name} is in no block")
        for move in self.moves:
            self.make_before(op, move.operands[0])
            move.location = location_of_copy(move.operands[0], op)
        block.insert_ops_before(self.moves, op)
        self.moves = []
        moved = {read.name: self.values[read] for read in reads if read.number}
        moved |= {name: self.in_ddr(name) for name in saved}
        back = {self.values[Residency(name, 0)]: value for name, value in moved.items()}
        if back:
            op.operands = [self.viewed(operand, back, op) for operand in op.operands]

    def make_before(self, op: Operation, value: SSAValue) -> None:
        """Move a value's join, if it stands behind an op, in front of it, with its constants.

        The parts are written by then, each in its place.
        """
        maker, block = value.owner, op.parent
        if block is None or not isinstance(maker, ConcatOp | ConstOp):
            return
        if op.is_before_in_block(maker):
            for operand in maker.operands:
                self.make_before(op, operand)
            block.detach_op(maker)
            block.insert_op_before(maker, op)

    def viewed(
        self, value: SSAValue, back: dict[SSAValue, SSAValue], reader: Operation
    ) -> SSAValue:
        """Return what `value` is by now: one that came `back`, or its view in front of `reader`."""
        maker = value.owner
        if value not in back and self.program.views.can_follow(maker):
            whole = maker.operands[0]
            now = self.viewed(whole, back, reader)
            if now is not whole:
                view = maker.clone({whole: now})
                Rewriter.insert_op(view, InsertPoint.before(reader))
                offset = _offset(now) + _offset(value) - _offset(whole)
                back[value] = _set_offset(view.results[0], offset)
        return back.get(value, value)


def _offset(value: SSAValue) -> int:
    place = spec_of(value).place
    if place is None or place.offset is None:
        raise ValueError(f"{value} is a view of a tensor without an offset")
    return place.offset


def _set_offset(value: SSAValue, offset: int) -> SSAValue:
    spec = spec_of(value)
    place = (spec.place or FLAT_DDR).at(offset)
    return Rewriter.replace_value_with_new_type(value, type_of(spec.with_place(place)))


def _does_not_fit(program: TcmProgram, error: DoesNotFit, alignment: int) -> HtpError:
    """The error for an op, with its bytes and those of its smallest tile, both with scratch."""
    op = program.ops[error.index]
    names, need = tensors_in_tcm(op), scratch_of(op, program.tables.kernels)
    inside = {v: name for v, name in names.items() if program.buffer_of(v) in error.buffers}
    sizes = [(name, round_up(spec_of(value).nbytes, alignment)) for value, name in inside.items()]
    scratch: list[tuple[str, int]] = []
    if need is not None:
        sizes_of = (round_up(size, alignment) for size in need.tcm_bytes)
        own = (f"scratch '{need.names[i]}'" for i in need.in_tcm)
        scratch = [*zip(own, sizes_of, strict=True)]
    tile = smallest_tile(op, inside, program.tables, alignment)
    return does_not_fit(op, error.needed, error.capacity, tile, [*sizes, *scratch])

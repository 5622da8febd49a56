"""Give every tensor in TCM its byte offset, with spills and fills where they do not all fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.diagnostics import HtpError, fail
from ....dialects.htp.base import native
from ....dialects.htp.in_place import IN_PLACE
from ....dialects.htp.ops.copies import FillOp, SpillOp
from ....dialects.htp.ops.transfers import CopyWaitOp
from ....dialects.value.layout import round_up
from ....dialects.value.place import FLAT_DDR, Memory
from ....dialects.value.spec import spec_of, type_of
from ....runtime.program.placing import TCM_BYTES
from ...levels import bodies
from ...packages.loading import packages_of
from ...planner.allocation.allocation import allocate, without_spills
from ...planner.allocation.spill import Action, Alloc, DoesNotFit, Fill, Run, Spill, Stay
from ...rules.language.properties import TensorProperties
from ...soc import MIB, check_tcm_options
from .does_not_fit import does_not_fit, smallest_tile, tensors_in_tcm
from .scratch import (
    ScratchNeed,
    ScratchOf,
    no_scratch,
    scratch_by,
    set_scratch_offset,
    write_scratch,
)
from .tcm import TCM_ALIGNMENT, home_of
from .tcm_program import TcmProgram, tcm_program
from .tcm_views import joins, slices, stated

NO_PROPERTIES: Mapping[str, TensorProperties] = MappingProxyType({})


@dataclass(frozen=True)
class Allocate(ModulePass):
    """Placed level in execution order to offsets.

    The module then says in `htp.tcm_bytes` how much TCM it needs to find where it runs.
    Slices and joins in TCM are in place where that can be, which `in_place` says. Where not
    everything fits, tensors leave TCM (htp.Spill) and come back (htp.Fill); each of
    these carries a reason. Ops whose kernel has scratch name both. Raises HtpError where the
    tensors of one op alone do not fit.
    """

    name = "htp-allocate"

    tcm_bytes: int = 8 * MIB
    alignment: int = TCM_ALIGNMENT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes, self.alignment)
        packages = packages_of(ctx)
        scratch = scratch_by(packages.kernels)
        for block in bodies(op):
            allocate_block(block, self.tcm_bytes, self.alignment, scratch, packages.properties)
        op.attributes[TCM_BYTES] = IntegerAttr(self.tcm_bytes, 64)


def allocate_block(
    block: Block,
    tcm_bytes: int,
    alignment: int,
    scratch: ScratchOf = no_scratch,
    properties: Mapping[str, TensorProperties] = NO_PROPERTIES,
) -> None:
    """Allocate one function's tensors; the block stays as it was where that fails.

    The properties only serve to say which tile of an op that does not fit would.
    """
    needs = {op: need for op in block.ops if (need := scratch(op))}
    program, actions = _plan(block, needs, tcm_bytes, alignment, properties)
    for op, need in needs.items():
        write_scratch(op, need)
    for op in program.views.ops:
        if not isinstance(op, CopyWaitOp):
            op.attributes[IN_PLACE] = UnitAttr()
    writer = _Writer(program)
    for action in actions:
        writer.do(action)


def _plan(
    block: Block,
    needs: Mapping[Operation, ScratchNeed],
    tcm_bytes: int,
    alignment: int,
    properties: Mapping[str, TensorProperties],
) -> tuple[TcmProgram, tuple[Action, ...]]:
    """The program with the views, and its actions, that move the fewest bytes.

    Where all fits, slices and joins are in place; else what leaves TCM decides.
    """
    least = stated(block)
    some = least.joined(joins(block, alignment))
    programs = [
        tcm_program(block, needs, views)
        for views in (some.joined(slices(block, alignment, some)), some, least)
    ]
    actions = without_spills(programs[0].steps, tcm_bytes, alignment)
    if actions is not None:
        return programs[0], actions
    found: list[tuple[TcmProgram, tuple[Action, ...]]] = []
    for program in programs:
        try:
            actions = allocate(program.pinned(), tcm_bytes, alignment)
        except DoesNotFit as error:
            if program is programs[-1] and not found:
                op = program.ops[error.index]
                raise _does_not_fit(op, needs.get(op), error, alignment, properties) from error
        else:
            if program.keeps_parts(actions):
                found.append((program, actions))
    if not found:
        remedy = "run htp-prefetch after htp-allocate, or take the attribute in_place off"
        raise fail("htp-allocate", "what is marked as in place cannot stay in TCM", remedy)
    return min(found, key=lambda plan: plan[0].moved(plan[1]))


@dataclass
class _Writer:
    """Writes the planner's actions into the IR."""

    program: TcmProgram
    homes: dict[str, SSAValue] = field(default_factory=dict)
    stays: dict[Stay, SSAValue] = field(default_factory=dict)
    moves: list[Operation] = field(default_factory=list)

    def do(self, action: Action) -> None:
        match action:
            case Alloc(stay, offset) if stay.name in self.program.scratch:
                set_scratch_offset(*self.program.scratch[stay.name], offset)
            case Alloc(stay, offset):
                self.stays[stay] = _set_offset(self.program.values[stay.name], offset)
                for part in self.program.parts.get(stay.name, ()):
                    _set_offset(part.value, offset + part.delta)
            case Spill(stay, reason):
                source = self.stays[stay]
                home = replace(spec_of(source).place or FLAT_DDR, memory=Memory.DDR, offset=None)
                spill = native(SpillOp, [source], spec_of(source).with_place(home))
                self.homes[stay.name] = self.move(spill, reason)
            case Fill(stay, offset, reason):
                self.stays[stay] = self.fill(stay, offset, reason)
            case Run(step, reads, saved):
                self.run(self.program.ops[step], reads, saved)

    def fill(self, stay: Stay, offset: int, reason: str) -> SSAValue:
        original = self.stays[Stay(stay.name, 0)]
        place = (spec_of(original).place or FLAT_DDR).at(offset)
        spec = spec_of(original).with_place(place)
        return self.move(native(FillOp, [self.home(stay.name)], spec), reason)

    def home(self, name: str) -> SSAValue:
        """Where a block lies in main memory."""
        source = self.homes.get(name) or home_of(self.stays[Stay(name, 0)])
        if source is None:
            raise ValueError(f"{name} is read after it left TCM but was never saved")
        return source

    def move(self, op: Operation, reason: str) -> SSAValue:
        op.attributes["reason"] = StringAttr(reason)
        self.moves.append(op)
        return op.results[0]

    def run(self, op: Operation, reads: tuple[Stay, ...], saved: tuple[str, ...]) -> None:
        """Put the moves in front of the op, and the stays that they made into its operands.

        Of what is `saved` the op reads its part in main memory.
        """
        block = op.parent
        if block is None:
            raise ValueError(f"{op.name} lies in no block")
        block.insert_ops_before(self.moves, op)
        self.moves = []
        back = {self.stays[Stay(stay.name, 0)]: self.stays[stay] for stay in reads if stay.number}
        back |= {self.stays[Stay(name, 0)]: self.home(name) for name in saved}
        if back:
            op.operands = [back.get(operand, operand) for operand in op.operands]


def _set_offset(value: SSAValue, offset: int) -> SSAValue:
    spec = spec_of(value)
    place = (spec.place or FLAT_DDR).at(offset)
    return Rewriter.replace_value_with_new_type(value, type_of(spec.with_place(place)))


def _does_not_fit(
    op: Operation,
    need: ScratchNeed | None,
    error: DoesNotFit,
    alignment: int,
    properties: Mapping[str, TensorProperties],
) -> HtpError:
    """What the op and its smallest tile take; its scratch comes on top of both."""
    sizes = [
        (name, round_up(spec_of(value).nbytes, alignment))
        for value, name in tensors_in_tcm(op).items()
    ]
    scratch = [] if need is None else _scratch_sizes(need, alignment)
    tile = smallest_tile(op, properties, alignment)
    tile = replace(tile, sizes=[*tile.sizes, *scratch])
    return does_not_fit(op, error.needed, error.capacity, tile, [*sizes, *scratch])


def _scratch_sizes(need: ScratchNeed, alignment: int) -> list[tuple[str, int]]:
    return [
        (f"scratch '{need.names[i]}'", round_up(need.specs[i].nbytes, alignment))
        for i in need.in_tcm
    ]

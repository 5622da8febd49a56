"""The pass that decides on a place for every tensor: each result gets its `#htp.place`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.attributes import DEFAULT_PLACEMENT, OPERAND_PLACES, PLANNED_LAYOUT
from ....dialects.faults.op_faults import fail_at
from ....dialects.htp import NATIVE_OPS, ConstOp, NativeOp, StateReadOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import FLAT_DDR
from ...levels import bodies, is_boundary, note_graph
from ...packages.loading import packages_of
from ...planner.placement.places import Placement, default_placement
from ...soc import MIB, check_tcm_options
from ..checks.check_level import check_chunk_fits, refuse_guests
from .choose_places import choose_places
from .conversions import note_least
from .noted_places import note_places
from .placement import Placer, place_of
from .properties import placer
from .reference import check_reference

_OWN = {op.name for op in NATIVE_OPS.values()}
"""The ops of which the project knows all cuts; those of packages their writers cut, by rules."""


@dataclass(frozen=True)
class AssignPlaces(ModulePass):
    """Native level to decided places; htp-realise-places makes them real.

    Constants and states are flat in DDR, and so are the tensors of an op without tensor
    properties. What an op leaves open gets the layout that converts the fewest bytes over the whole
    function, then the memory that moves the fewest; a result goes to TCM only where it takes at
    most half of it and the op's other tensors leave room. An op whose properties no kernel serves
    runs on its reference kernel, from flat DDR, where `allow-reference` is true; else it is
    an error that says how to fix it. An op that does not fit the TCM gets the mark `htp.home`, a
    package's only where `allow-reference` is true: all of its tensors are flat in DDR, whatever its
    properties say, if a kernel takes it there. Where the TCM holds not even a chunk, that is an
    error without `allow-reference`. The function then says in
    `htp.least_conversion_bytes` how few bytes conversions of layouts can write, and an op that
    reads operands elsewhere than they are made says in `htp.operand_places` where.
    """

    name = "htp-assign-places"

    tcm_bytes: int = 8 * MIB
    allow_reference: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes)
        note_graph(op, self.name)
        _refuse_copies(op)
        refuse_guests(op)
        packages = packages_of(ctx)
        by = placer(self.tcm_bytes, packages)
        if not self.allow_reference:
            check_reference(op, by)
        assign_places(op, by, self.allow_reference)
        if not self.allow_reference:
            check_chunk_fits(op, packages.tables, self.tcm_bytes)


def _refuse_copies(module: ModuleOp) -> None:
    """Raise HtpError at a copy: it ties its tensors to places that are yet to be chosen."""
    for block in bodies(module):
        for op in block.ops:
            if isinstance(op, CopyOp):
                raise fail_at(
                    op,
                    "moves a tensor between places before these are chosen",
                    "run htp-absorb-copies before htp-assign-places",
                )


def assign_places(module: ModuleOp, by: Placer, allow_reference: bool = False) -> None:
    """Give every result inside the functions a place; boundary values and shapes get none.

    An op that is to find an operand in another place notes that.
    """
    for block in bodies(module):
        placements, converted = _choose_fitting(block, by, allow_reference)
        note_least(block, converted)
        for op in list(block.ops):
            if isinstance(op, NativeOp):
                _assign(op, placements[op][len(op.operands) :])
            elif isinstance(op, (ConstOp, StateReadOp)):
                _assign(op, (FLAT_DDR,))
            if op in placements:
                here = map(place_of, op.operands)
                pairs = zip(placements[op], here, strict=False)
                note_places(op, OPERAND_PLACES, [p if p != at else None for p, at in pairs])


def _choose_fitting(
    block: Block, by: Placer, allow_reference: bool
) -> tuple[dict[Operation, Placement], int]:
    """Choose places, again where ops do not fit the TCM in theirs: these run from main memory.

    One that has the layout of its tile plan may first fit in the other.
    """
    while True:
        placements, converted = choose_places(block, by)
        large = [
            op
            for op, placement in placements.items()
            if isinstance(op, NativeOp) and by.need(op, placements) > by.budget.op
            if allow_reference or op.name in _OWN
            if DEFAULT_PLACEMENT not in op.attributes
            if by.price(op, default_placement(by.slots(op))) is not None
        ]
        if not large:
            return placements, converted
        for op in large:
            if op.attributes.pop(PLANNED_LAYOUT, None) is None:
                op.attributes[DEFAULT_PLACEMENT] = UnitAttr()


def _assign(op: Operation, places: Placement) -> None:
    for value, place in zip(op.results, places, strict=True):
        if place and not is_boundary(value):
            Rewriter.replace_value_with_new_type(value, type_of(spec_of(value).with_place(place)))

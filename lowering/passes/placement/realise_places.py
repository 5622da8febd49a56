"""The pass that makes decided places real, by conversions and copies."""

from collections.abc import Collection
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import OPERAND_PLACES
from ....dialects.faults.op_faults import fail_at
from ....dialects.htp import NATIVE_OPS, ConstOp
from ....dialects.htp.base import NativeOp, native
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.locations import location_of_copy
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import FLAT_DDR, Memory, Place
from ...levels import bodies, note_graph, operand_label
from ...packages.loading import packages_of
from ...planner.placement.places import TcmBudget
from ...planner.placement.route import RouteStep, route
from ...soc import MIB, check_tcm_options
from .noted_places import noted_places
from .placement import Placer, forms_of, place_of, texts
from .properties import placer


@dataclass(frozen=True)
class RealisePlaces(ModulePass):
    """Decided places to the placed level: every op finds its operands where it reads them.

    Those are the places that htp-assign-places noted on it, and where nothing is noted those where
    the operands are made; HtpError for an op whose tensor properties want another.

    They get there by `*_from_vtcm`, `ForceFormat_*` and `*_to_vtcm`, each at most once per tensor
    and place, in the order that moves the fewest bytes: layouts change in TCM where both forms fit
    there. Constants change their layout at compile time, unless that pads them.
    """

    name = "htp-realise-places"

    tcm_bytes: int = 8 * MIB

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes)
        note_graph(op, self.name)
        by = placer(self.tcm_bytes, packages_of(ctx))
        realise_places(op, by.budget)
        check_properties(op, by)


def realise_places(module: ModuleOp, budget: TcmBudget) -> None:
    """Insert the conversions and copies in front of the first op that needs each."""
    for block in bodies(module):
        realiser = _Realiser(budget)
        for op in list(block.ops):
            if OPERAND_PLACES in op.attributes:
                realiser.serve(op)
        # Constants whose every user took another layout have no use left.
        for op in list(block.ops):
            if isinstance(op, ConstOp) and op.out.first_use is None:
                block.erase_op(op)


@dataclass
class _Realiser:
    """The copies of one function's tensors, by place, as far as they have been made."""

    budget: TcmBudget
    copies: dict[SSAValue, dict[Place, SSAValue]] = field(default_factory=dict)

    def serve(self, op: Operation) -> None:
        """Bring an op's operands to the places that are noted on it, and drop the note."""
        wanted = noted_places(op, OPERAND_PLACES, len(op.operands))
        op.operands = [
            self.bring(value, place, op) if place else value
            for value, place in zip(op.operands, wanted, strict=True)
        ]
        del op.attributes[OPERAND_PLACES]

    def bring(self, value: SSAValue, end: Place, user: Operation) -> SSAValue:
        """Return a value in another place, after conversions that are not there yet."""
        copies = self.copies.setdefault(value, {place_of(value) or FLAT_DDR: value})
        # A constant can be there in any layout, made at compile time.
        ready = {Place(end.layout, Memory.DDR)} if isinstance(value.owner, ConstOp) else set()
        steps = _route({*copies, *ready}, end, value, user, self.budget)
        first = steps[0].start if steps else end
        if first not in copies:
            copies[first] = _converted(value.owner, first)
        for step in steps:
            source = copies[step.start]
            copy = native(NATIVE_OPS[step.op], [source], spec_of(value).with_place(step.result))
            copy.location = location_of_copy(source, user)
            copies[step.result] = _insert(copy, user)
        return copies[end]


def _converted(op: Operation | Block, place: Place) -> SSAValue:
    """Make a constant in another layout: its data stays in the order of the dims."""
    if not isinstance(op, ConstOp):
        raise TypeError(f"{op} is no constant")
    clone = ConstOp.create(
        result_types=[type_of(spec_of(op.out).with_place(place))],
        properties=op.properties,
        attributes=op.attributes,
        location=op.location,
    )
    return _insert(clone, op)


def _route(
    starts: Collection[Place], end: Place, value: SSAValue, user: Operation, budget: TcmBudget
) -> tuple[RouteStep, ...]:
    forms = forms_of(spec_of(value).with_place(None))
    try:
        return route(starts, end, forms, budget.converts(forms))
    except ValueError as error:
        wanted = f"wants a tensor that is {texts([*starts][:1])} to be {texts([end])}"
        raise fail_at(user, f"{wanted}, {error}", "place it flat or crouton") from error


def _insert(op: Operation, before: Operation) -> SSAValue:
    block = before.parent
    if block is None:
        raise ValueError(f"{before.name} is in no block")
    block.insert_op_before(op, before)
    return op.results[0]


def check_properties(module: ModuleOp, by: Placer) -> None:
    """Raise HtpError at the first op with a tensor that is not where its properties want it."""
    for block in bodies(module):
        for op in block.ops:
            if isinstance(op, NativeOp) and not isinstance(op, CopyOp):
                _check_op(op, by)


def _check_op(op: NativeOp, by: Placer) -> None:
    names = [operand_label(op, index) for index in range(len(op.operands))]
    names += [f"result {index}" for index in range(len(op.results))]
    for name, value, slot in zip(names, (*op.operands, *op.results), by.slots(op), strict=True):
        place = place_of(value)
        if slot and place and not slot.constraint.met_by(place) and not by.runs_from_ddr(op):
            raise fail_at(
                op,
                f"'{name}' is {texts([place])}, its properties want {slot.constraint.text()}",
                "run htp-assign-places before htp-realise-places",
            )

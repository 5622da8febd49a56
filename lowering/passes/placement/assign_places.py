"""Passes that decide on a place for every tensor, and realise the places by conversions.

An op that only its reference kernel takes is an error with its remedies.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from keyword import iskeyword

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.attributes import DEFAULT_PLACEMENT, OPERAND_PLACES, PLANNED_LAYOUT
from ....dialects.diagnostics import Fault, HtpError
from ....dialects.faults.op_faults import fail_at, fault_at
from ....dialects.htp import NATIVE_OPS, ConstOp, NativeOp, StateReadOp
from ....dialects.htp.base import native
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.locations import location_of_copy
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import FLAT_DDR, LayoutKind, Memory, Place
from ....runtime.kernel.sketch import cpp_lines
from ....runtime.tensors.tensor_classes import Int64Tensor, Int64Tensor_TCM, tensor_class
from ....runtime.tensors.tensors import ShapeParam, Tensor
from ...levels import bodies, is_boundary, note_graph, operand_label
from ...packages.loading import packages_of
from ...planner.placement.places import (
    DEFAULT,
    OperandSlot,
    Placement,
    TcmBudget,
    default_placement,
)
from ...planner.placement.plan import RouteStep, route
from ...soc import MIB, check_tcm_options
from ..checks.check_level import check_chunk_fits, refuse_guests
from .choose_places import choose_places, note_least
from .placement import Placer, forms_of, note_places, noted_places, place_of, texts
from .properties import placer

_ONLY_REFERENCE = (Tensor, Int64Tensor, Int64Tensor_TCM)
"""Tensor classes for which no other kernel can be written."""


def check_reference(module: ModuleOp, by: Placer) -> None:
    """Raise HtpError with every op that would fall back to its reference kernel.

    Exempt are ops without tensor properties, ops on indices (i64), and ops with a tensor that has
    no class in the place that its properties want: no kernel can be written for these.
    """
    faults = [
        _fault(op, by)
        for block in bodies(module)
        for op in block.ops
        if isinstance(op, NativeOp) and _falls_back(op, by)
    ]
    if faults:
        raise HtpError(*faults)


def _falls_back(op: NativeOp, by: Placer) -> bool:
    if by.served(op) or any(class_ in _ONLY_REFERENCE for _, class_ in _demanded(op, by)):
        return False
    return by.price(op, default_placement(by.slots(op))) is not None


def _fault(op: NativeOp, by: Placer) -> Fault:
    package, _, name = op.name.partition(".")
    slots = [(_parameter(label), class_.__name__) for label, class_ in _demanded(op, by)]
    params = ", ".join(f"{label}: {class_}" for label, class_ in slots)
    tags = dict.fromkeys(op.operand_name(index) for index in range(len(op.operands)))
    inputs = "".join(f', "{tag}"' for tag in tags)
    results = len(op.results)
    if cpp := by.kernels.in_cpp(op.name):
        kernel = " ".join(cpp_lines(name, slots[:results], slots[results:]))
    else:
        kernel = f'@KERNELS.kernel("{name}")  # KERNELS = KernelSet("{package}"); '
        kernel += f"def f({params}) -> None"
    properties = "DEF_TENSOR_PROPERTIES" if cpp else "tensor_properties"
    lines = (
        "write a kernel for that, change the properties, or lower with allow-reference=true",
        f"  {kernel}",
        f'  {properties}(Op("{name}"{inputs}), Flat("..."), MainMemory("..."))',
        "  htp-lower{allow-reference=true}, or lower(module, allow_reference=True)",
    )
    wants = ", ".join(
        f"'{label}' {spec_of(value).dtype.name} {slot.constraint.text()}"
        for label, value, slot in _tensors(op, by)
        if slot is not None and slot.constraint != DEFAULT
    )
    return fault_at(op, f"no kernel takes what its properties want: {wants}", "\n".join(lines))


def _parameter(name: str) -> str:
    """Turn a tensor's name into that of a parameter in Python."""
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"{word}_" if iskeyword(word) else word


def _tensors(op: NativeOp, by: Placer) -> Iterator[tuple[str, SSAValue, OperandSlot | None]]:
    """Results, then operands: a name as a kernel may have it, the value, its slot."""
    slots, count = by.slots(op), len(op.operands)
    for index, (value, slot) in enumerate(zip(op.results, slots[count:], strict=True)):
        yield f"out{index or ''}", value, slot
    for index, (operand, slot) in enumerate(zip(op.operands, slots[:count], strict=True)):
        yield operand_label(op, index), operand, slot


def _demanded(op: NativeOp, by: Placer) -> Iterator[tuple[str, type[Tensor | ShapeParam]]]:
    """The class that each tensor has in the place that its constraint demands."""
    for name, value, slot in _tensors(op, by):
        if slot is None:
            yield name, ShapeParam
        else:
            wanted = slot.constraint
            place = Place(wanted.layout or LayoutKind.FLAT, wanted.memory or Memory.DDR)
            yield name, tensor_class(spec_of(value).with_place(place))


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

"""Make the decided places real: conversions and copies where an op wants a tensor elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.diagnostics import fail
from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.base import NativeOp, native
from ....dialects.htp.ops.const import ConstOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.value.place import FLAT_DDR, Memory, Place
from ....dialects.value.spec import spec_of, type_of
from ...conversion.builder import source_name
from ...levels import bodies, operand_label
from ...packages.loading import packages_of
from ...planner.placement.places import unmet
from ...planner.placement.route import Conversion, route
from ...soc import MIB, check_tcm_options
from .assign_places import OPERAND_PLACES
from .noted_places import noted_places
from .placement import Placer, place_of, texts
from .properties import placer


@dataclass(frozen=True)
class RealisePlaces(ModulePass):
    """Decided places to the placed level: every op finds its operands where it reads them.

    Those are the places that htp-assign-places noted on it, and where nothing is noted those where
    the operands are made; HtpError for an op whose tensor properties want another.

    Layouts change in main memory: `*_from_vtcm`, `ForceFormat_*`, `*_to_vtcm` in this order as
    far as needed, each at most once per tensor and place. Constants change their layout at
    compile time.
    """

    name = "htp-realise-places"

    tcm_bytes: int = 8 * MIB

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes)
        by = placer(self.tcm_bytes, packages_of(ctx))
        realise_places(op)
        check_properties(op, by)


def realise_places(module: ModuleOp) -> None:
    """Insert the conversions and copies in front of the first op that needs each."""
    for block in bodies(module):
        realiser = _Realiser()
        for op in list(block.ops):
            if OPERAND_PLACES in op.attributes:
                realiser.serve(op)
        _erase_unused(block)


@dataclass
class _Realiser:
    """The tensors of one function in the places where they are by now."""

    made: dict[tuple[SSAValue, Place], SSAValue] = field(default_factory=dict)

    def serve(self, op: Operation) -> None:
        """Bring an op's operands to the places that are noted on it, and drop the note."""
        wanted = noted_places(op, OPERAND_PLACES, len(op.operands))
        op.operands = [
            self.bring(value, place, op) if place else value
            for value, place in zip(op.operands, wanted, strict=True)
        ]
        del op.attributes[OPERAND_PLACES]

    def bring(self, value: SSAValue, end: Place, user: Operation) -> SSAValue:
        """A value in another place, by the conversions on the way that are not there yet."""
        start = place_of(value) or FLAT_DDR
        if isinstance(value.owner, ConstOp) and start.layout is not end.layout:
            start = Place(end.layout, Memory.DDR)
            value = self.convert_constant(value.owner, start)
        for step in _route(start, end, user):
            key = value, step.result
            if key not in self.made:
                spec = spec_of(value).with_place(step.result)
                self.made[key] = _insert(native(NATIVE_OPS[step.op], [value], spec), user)
            value = self.made[key]
        return value

    def convert_constant(self, op: ConstOp, place: Place) -> SSAValue:
        """A constant in another layout: its data stays in the order of the dims."""
        key = op.out, place
        if key not in self.made:
            clone = ConstOp.create(
                result_types=[type_of(spec_of(op.out).with_place(place))],
                properties=op.properties,
                attributes=op.attributes,
            )
            self.made[key] = _insert(clone, op)
        return self.made[key]


def _route(start: Place, end: Place, user: Operation) -> tuple[Conversion, ...]:
    try:
        return route(start, end)
    except ValueError as error:
        wanted = f"wants a tensor that is {texts([start])} to be {texts([end])}"
        raise fail(source_name(user), f"{wanted}, {error}", "place it flat or crouton") from error


def _insert(op: Operation, before: Operation) -> SSAValue:
    block = before.parent
    if block is None:
        raise ValueError(f"{before.name} lies in no block")
    block.insert_op_before(op, before)
    return op.results[0]


def _erase_unused(block: Block) -> None:
    """Erase the constants whose every user took another layout."""
    for op in list(block.ops):
        if isinstance(op, ConstOp) and op.out.first_use is None:
            block.erase_op(op)


def check_properties(module: ModuleOp, by: Placer) -> None:
    """Raise HtpError at the first op with a tensor that is not where its properties want it."""
    for block in bodies(module):
        for op in block.ops:
            if isinstance(op, NativeOp) and not isinstance(op, CopyOp):
                _check_op(op, by)


def _check_op(op: NativeOp, by: Placer) -> None:
    ports = by.ports(op)
    tensors = [*zip(op.operands, ports.operands, strict=True)]
    names = [operand_label(op, index) for index in range(len(tensors))]
    tensors += [*zip(op.results, ports.results, strict=True)]
    names += [f"result {index}" for index in range(len(op.results))]
    held = [(name, place_of(v), port) for name, (v, port) in zip(names, tensors, strict=True)]
    placed = [(name, place, port) for name, place, port in held if place and port]
    wrong = unmet([port.demand for *_, port in placed], [place for _, place, _ in placed])
    if wrong is None or by.runs_at_home(op):
        return
    name, place, port = placed[wrong]
    raise fail(
        source_name(op),
        f"'{name}' is {texts([place])}, its properties want {port.demand.text()}",
        "run htp-assign-places before htp-realise-places",
    )

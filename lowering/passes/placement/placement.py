"""Placement options of one op of the IR: from its placement constraints and its kernels.

A pass notes places on an op for a later one: `[#htp.place<crouton, tcm>, unit]`.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.dialects.builtin import ArrayAttr, UnitAttr
from xdsl.ir import Block, Operation, OpResult, SSAValue

from ....dialects.faults.op_faults import fail_at
from ....dialects.htp import ConcatOp, NativeOp, ShapeType, SliceShapeOp
from ....dialects.place_attr import PlaceAttr
from ....dialects.spec_of import spec_of
from ....dialects.value import (
    CHUNK_BYTES,
    CROUTON_DDR,
    FLAT_DDR,
    LAYOUTS,
    RANK,
    LayoutKind,
    Memory,
    Place,
    TensorSpec,
    round_up,
)
from ....runtime.kernel.kernel import Cost, Kernel, Operand
from ....runtime.kernel.library import KernelRegistry
from ....runtime.tensors.tensor_classes import tensor_class
from ....runtime.tensors.tensors import ShapeParam, Tensor
from ...levels import is_boundary, is_tensor, operand_label
from ...patterns.tcm_need import scratch_sizes
from ...planner.placement.layouts import in_tcm
from ...planner.placement.places import (
    DEFAULT,
    OperandSlot,
    Placement,
    PlacementConstraint,
    PlacementOption,
    TcmBudget,
    default_placement,
)


def note_places(op: Operation, name: str, places: Sequence[Place | None]) -> None:
    """Write an attribute with one place per tensor, unit for None; nothing where all are None."""
    if any(places):
        op.attributes[name] = ArrayAttr([PlaceAttr(p) if p else UnitAttr() for p in places])


def noted_places(op: Operation, name: str, count: int) -> tuple[Place | None, ...]:
    """Read such an attribute; all are None without it. HtpError for one of another form."""
    noted = op.attributes.get(name, ArrayAttr([UnitAttr()] * count))
    parts = noted.data if isinstance(noted, ArrayAttr) else ()
    if len(parts) != count or not all(isinstance(part, PlaceAttr | UnitAttr) for part in parts):
        raise fail_at(
            op,
            f"'{name}' is {noted}",
            f"give a list of {count} entries, each #htp.place<layout, memory> or unit",
        )
    return tuple(part.place if isinstance(part, PlaceAttr) else None for part in parts)


@dataclass(frozen=True)
class OpConstraints:
    """The placement constraints of one op on its operands and its results, by position."""

    operands: tuple[PlacementConstraint, ...]
    results: tuple[PlacementConstraint, ...]


ConstraintsOf = Callable[[Operation], OpConstraints]
Classes = Mapping[Place, type[Tensor]]
"""The tensor class of one tensor in each place that may be chosen for it."""


@dataclass(frozen=True)
class Placer:
    """Placement constraints and kernels, which together give the options of each op."""

    constraints: ConstraintsOf
    kernels: KernelRegistry
    budget: TcmBudget
    cached: dict[Hashable, list[tuple[float, PlacementOption]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def options(self, op: Operation) -> tuple[PlacementOption, ...]:
        """List the places of an op's tensors in which its kernels take them.

        The options of reference kernels count where there are no others. An op without a kernel
        for its constraints runs from flat DDR.
        """
        priced = self._by_kernels(op)
        fast = [o for price, o in priced if price < Cost.GLACIAL.value and self._fits(op, o)]
        return tuple(fast or (o for _, o in priced)) or self._without_kernels(op)

    def served(self, op: Operation) -> bool:
        """Say whether a kernel takes an op under its placement constraints."""
        return bool(self._by_kernels(op))

    def runs_from_ddr(self, op: Operation) -> bool:
        """Say whether an op runs from flat DDR because no kernel meets its constraints."""
        tensors = (*op.operands, *op.results)
        return not self.served(op) and all(place_of(v) in (None, FLAT_DDR) for v in tensors)

    def kind(self, op: Operation) -> Hashable:
        """Return an equal key for ops of one name with the same constraints and tensors."""
        operands = tuple(described(value, FLAT_DDR) for value in op.operands)
        results = tuple((spec_of(v).with_place(FLAT_DDR), is_boundary(v)) for v in op.results)
        return op.name, self.constraints(op), operands, results

    def _by_kernels(self, op: Operation) -> list[tuple[float, PlacementOption]]:
        """The price and the option of each kernel that meets the constraints, once per kind."""
        kind = self.kind(op)
        if kind not in self.cached:
            specs = [described(value) for value in (*op.operands, *op.results)]
            classes = [
                _classes(spec, self._places(slot))
                if slot and isinstance(spec, TensorSpec)
                else None
                for slot, spec in zip(self.slots(op), specs, strict=True)
            ]
            priced = (
                _priced_option(kernel, specs, classes, len(op.operands))
                for kernel in self.kernels.kernels(op.name)
            )
            self.cached[kind] = [option for option in priced if option]
        return self.cached[kind]

    def _places(self, slot: OperandSlot) -> tuple[Place, ...]:
        return slot.places(self.budget.op)

    def _fits(self, op: Operation, option: PlacementOption) -> bool:
        """Tell whether TCM has room for an option of which not all in TCM is demanded."""
        inside = [
            (slot, slot.forms[places[0].layout])
            for slot, places in zip(filter(None, self.slots(op)), option, strict=True)
            if all(place.memory is Memory.TCM for place in places)
        ]
        demanded = all(slot.constraint.memory is Memory.TCM for slot, _ in inside)
        together = sum(round_up(size, CHUNK_BYTES) for _, size in inside)
        return demanded or together <= self.budget.op

    def _without_kernels(self, op: Operation) -> tuple[PlacementOption, ...]:
        """Flat DDR, if there is a kernel for that; else what the constraints say."""
        slots = self.slots(op)
        default = default_placement(slots)
        options = [self._places(slot) for slot in slots if slot]
        if self.price(op, default) is not None or not all(options):
            return (tuple((place,) for place in default if place),)
        return tuple(
            tuple(tuple(p for p in places if p.layout is layout) or places for places in options)
            for layout in (LayoutKind.FLAT, LayoutKind.CROUTON)
        )

    def price(self, op: Operation, placement: Placement) -> float | None:
        """Find the cost of the op's best kernel for a placement; None where no kernel takes it."""
        tensors = zip((*op.operands, *op.results), placement, strict=True)
        specs = [described(value, place) for value, place in tensors]
        outputs = [spec for spec in specs[len(op.operands) :] if isinstance(spec, TensorSpec)]
        return self.kernels.price(op.name, outputs, specs[: len(op.operands)])

    def need(self, op: Operation, placements: Mapping[Operation, Placement]) -> int:
        """Count the bytes of TCM that an op takes in its placement; each tensor begins at a chunk.

        A join can read its parts in either memory, one after the other. A result that overwrites
        an operand takes none of its own.
        """
        placement = placements[op]
        tensors = zip((*op.operands, *op.results), placement, strict=True)
        placed = {value: spec_of(value).with_place(place) for value, place in tensors if place}
        inside = [value for value, spec in placed.items() if spec.memory is Memory.TCM]
        counted = (v for v in inside if v in op.results or not isinstance(op, ConcatOp))

        def outside(value: SSAValue) -> bool:
            if not isinstance(value, OpResult) or value.op not in placements:
                return True
            place = placements[value.op][len(value.op.operands) + value.index]
            return place is None or place.memory is Memory.DDR

        able = overwritable(op, outside)
        shared = op.results[:1] if any(value in inside for value in able) else ()
        sizes = [placed[value].nbytes for value in counted if value not in shared]
        sizes += scratch_sizes(self.kernels, op, placed)
        return sum(round_up(size, CHUNK_BYTES) for size in sizes)

    def scratch(self, op: Operation, options: Sequence[PlacementOption]) -> int:
        """Find the most bytes of TCM that a kernel takes besides, as far into TCM as options go."""
        values = [value for value in (*op.operands, *op.results) if is_tensor(value)]
        placed = (
            {
                value: spec_of(value).with_place(max(places, key=in_tcm))
                for value, places in zip(values, option, strict=True)
            }
            for option in options
        )
        sizes = (scratch_sizes(self.kernels, op, specs) for specs in placed)
        return max((sum(round_up(size, CHUNK_BYTES) for size in each) for each in sizes), default=0)

    def slots(self, op: Operation) -> tuple[OperandSlot | None, ...]:
        """List an op's tensors, operands first, None for a shape; boundary results stay in DDR."""
        wanted = self.constraints(op)
        params = op.PARAMS if isinstance(op, NativeOp) else ()
        operands = [
            OperandSlot(constraint, forms_of(spec_of(value)), operand_label(op, index) in params)
            if is_tensor(value)
            else None
            for index, (value, constraint) in enumerate(
                zip(op.operands, wanted.operands, strict=True)
            )
        ]
        results = [
            OperandSlot(DEFAULT if is_boundary(value) else constraint, forms_of(spec_of(value)))
            for value, constraint in zip(op.results, wanted.results, strict=True)
        ]
        return (*operands, *results)


def _classes(spec: TensorSpec, places: Sequence[Place]) -> Classes:
    """Find the class of a tensor in each place; copies to TCM exist for classes of their own."""
    known = {place: tensor_class(spec.with_place(place)) for place in places}
    return {p: kind for p, kind in known.items() if kind is not Tensor or p.memory is Memory.DDR}


def _priced_option(
    kernel: Kernel,
    specs: Sequence[Operand],
    classes: Sequence[Classes | None],
    operands: int,
) -> tuple[float, PlacementOption] | None:
    """The price and the places of a kernel, whose slots do not depend on each other."""
    slots = kernel.slots_for(operands)
    if slots is None or len(kernel.outputs) != len(specs) - operands:
        return None
    option: list[tuple[Place, ...]] = []
    placed: list[Operand] = []
    for at, (spec, of) in enumerate(zip(specs, classes, strict=True)):
        if of is None or isinstance(spec, ShapeParam):
            if not slots[at].fits_operand(ShapeParam):
                return None
            placed.append(spec)
            continue
        if at < operands:
            places = tuple(p for p, class_ in of.items() if slots[at].fits_operand(class_))
        else:
            output = kernel.outputs[at - operands]
            places = tuple(p for p, c in of.items() if output.fits_output(c, p == FLAT_DDR))
        if not places:
            return None
        option.append(places)
        placed.append(spec.with_place(places[0]))
    outputs = [spec for spec in placed[operands:] if isinstance(spec, TensorSpec)]
    return kernel.price(outputs, placed[:operands]), tuple(option)


def place_of(value: SSAValue) -> Place | None:
    """Read a tensor's place without its offset; None for a shape."""
    if not is_tensor(value):
        return None
    return (spec_of(value).place or FLAT_DDR).unplaced()


def described(value: SSAValue, place: Place | None = None) -> Operand:
    """Describe an operand as kernel selection reads it, at another place if one is given."""
    if isinstance(value.type, ShapeType):
        return ShapeParam(value.type.get_shape())
    spec = spec_of(value)
    return spec.with_place(place) if place else spec


NEAR = 32
"""Ops that are looked at in front of one."""


def overwritable(op: Operation, outside: Callable[[SSAValue], bool]) -> list[SSAValue]:
    """List the operands onto which an op may write its result wherever they are in TCM.

    No op behind it reads them, in any order of ops, and neither they nor the result are views:
    slices are none of tensors `outside` TCM, and a join of parts that others read is made anew.
    """
    if not isinstance(op, NativeOp):
        return []
    readers = [use.operation for use in op.out.uses]
    if any(isinstance(reader, ConcatOp) and not outside(reader.out) for reader in readers):
        return []
    values = [op.operands[at] for at in op.overwritable()]
    return [
        value for value in values if _is_last(op, value) and _has_own_bytes(value.owner, outside)
    ]


def _is_last(op: Operation, value: SSAValue) -> bool:
    """Tell whether all others that read a value run before an op, as its operands are made of it.

    Of the ops that lead to it the nearest ones are looked at.
    """
    others = {use.operation for use in value.uses} - {op}
    near, at = [op], 0
    while others and at < len(near) <= NEAR:
        makers = (operand.owner for operand in near[at].operands if operand is not value)
        near += [maker for maker in makers if isinstance(maker, Operation) and maker not in near]
        others -= {*near}
        at += 1
    return not others


def _has_own_bytes(maker: Operation | Block, outside: Callable[[SSAValue], bool]) -> bool:
    """Tell whether what an op makes in TCM has, or may have, bytes of its own there."""
    if not isinstance(maker, NativeOp) or maker.ACCESS is None:
        return False
    is_copy = isinstance(maker, SliceShapeOp) and outside(maker.operands[0])
    return is_copy or isinstance(maker, ConcatOp) or not maker.ACCESS.moves


@lru_cache(maxsize=4096)
def forms_of(spec: TensorSpec) -> Mapping[LayoutKind, int]:
    """Count the bytes in the layouts between which conversions exist; croutons are of rank 4."""
    forms = {LayoutKind.FLAT: spec.with_place(FLAT_DDR).nbytes}
    if spec.rank == RANK and (LayoutKind.CROUTON, spec.dtype.itemsize) in LAYOUTS:
        forms[LayoutKind.CROUTON] = spec.with_place(CROUTON_DDR).nbytes
    return forms


def texts(places: Sequence[Place]) -> str:
    """Name places as messages do: `crouton in tcm`."""
    return ", ".join(f"{place.layout.value} in {place.memory.value}" for place in places)

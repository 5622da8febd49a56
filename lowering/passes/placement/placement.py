"""How one op of the IR is arranged: its properties, its kernels, and where its operands lie."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.ir import Operation, SSAValue

from ....dialects.htp.base import NativeOp
from ....dialects.htp.types import ShapeType
from ....dialects.value.layout import CHUNK_BYTES, RANK, round_up
from ....dialects.value.place import CROUTON_DDR, FLAT_DDR, LAYOUTS, LayoutKind, Memory, Place
from ....dialects.value.spec import TensorSpec, spec_of
from ....runtime.kernel.kernel import Cost, Kernel, Operand, Slot
from ....runtime.kernel.registry import KernelRegistry
from ....runtime.tensors.tensor_classes import tensor_class
from ....runtime.tensors.tensors import ShapeParam, Tensor
from ...levels import is_boundary, is_tensor
from ...planner.placement.layouts import Way
from ...planner.placement.places import HOME, Arrangement, Demand, Port, Ports, Room, at_home


@dataclass(frozen=True)
class OpDemands:
    """What one op wants of its operands and of its results, by position."""

    operands: tuple[Demand, ...]
    results: tuple[Demand, ...]


DemandsOf = Callable[[Operation], OpDemands]


@dataclass(frozen=True)
class Placer:
    """Arranges ops by their demands and by what their kernels take.

    `room` is what of the TCM goes to tensors that nobody demands to be there.
    """

    demands: DemandsOf
    kernels: KernelRegistry
    room: Room
    known: dict[Hashable, list[tuple[float, Way]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def ways(self, op: Operation) -> tuple[Way, ...]:
        """The places of an op's tensors, operands first, in which its kernels take them.

        The ways of reference kernels count where there are no others. An op that no kernel takes
        the way it wants to be arranged runs from flat main memory.
        """
        found = self._by_kernels(op)
        fast = [way for price, way in found if price < Cost.GLACIAL.value and self._fits(op, way)]
        return tuple(fast or (way for _, way in found)) or self._without_kernels(op)

    def served(self, op: Operation) -> bool:
        """Whether a kernel takes an op in a way that it demands to be arranged."""
        return bool(self._by_kernels(op))

    def runs_at_home(self, op: Operation) -> bool:
        """Whether an op runs from main memory because no kernel takes what it demands."""
        tensors = (*op.operands, *op.results)
        return not self.served(op) and all(place_of(v) in (None, FLAT_DDR) for v in tensors)

    def _by_kernels(self, op: Operation) -> list[tuple[float, Way]]:
        """The price and the places of each kernel that meets the demands; alike ops share them."""
        key = self.kind(op)
        if key not in self.known:
            self.known[key] = self._found(op)
        return self.known[key]

    def kind(self, op: Operation) -> Hashable:
        """Equal for ops of one name with the same demands and tensors, wherever these lie now."""
        operands = tuple(described(value, FLAT_DDR) for value in op.operands)
        results = tuple((spec_of(v).with_place(FLAT_DDR), is_boundary(v)) for v in op.results)
        return op.name, self.demands(op), operands, results

    def _found(self, op: Operation) -> list[tuple[float, Way]]:
        ports = self.ports(op)
        operands = [
            self._candidate(spec_of(value), port) if port else described(value)
            for value, port in zip(op.operands, ports.operands, strict=True)
        ]
        results = [
            self._candidate(spec_of(value), port)
            for value, port in zip(op.results, ports.results, strict=True)
        ]
        kernels = self.kernels.kernels(op.name)
        found = (_priced_way(kernel, operands, results) for kernel in kernels)
        return [way for way in found if way]

    def _candidate(self, spec: TensorSpec, port: Port) -> _Candidate:
        places = port.places(self.room.op)
        return _Candidate(spec, {place: tensor_class(spec.with_place(place)) for place in places})

    def _fits(self, op: Operation, way: Way) -> bool:
        """Whether TCM holds what must lie there, where not all of that is demanded."""
        ports = self.ports(op)
        held = [port for port in (*ports.operands, *ports.results) if port]
        inside = [
            (port, port.forms[places[0].layout])
            for port, places in zip(held, way, strict=True)
            if all(place.memory is Memory.TCM for place in places)
        ]
        demanded = all(port.demand.memory is Memory.TCM for port, _ in inside)
        together = sum(round_up(size, CHUNK_BYTES) for _, size in inside)
        return demanded or together <= self.room.op

    def _without_kernels(self, op: Operation) -> tuple[Way, ...]:
        """Main memory, if there is a kernel for that; else what the demands say."""
        here = tuple(map(place_of, op.operands))
        home = at_home(here, len(op.results))
        tensors = [place for place in (*home.operands, *home.results) if place]
        ports = self.ports(op)
        held = [p.places(self.room.op) for p in (*ports.operands, *ports.results) if p]
        if self.price(op, home) is not None or not all(held):
            return (tuple((place,) for place in tensors),)
        return tuple(tuple(_alike(places, layout) for places in held) for layout in _LAYOUTS)

    def price(self, op: Operation, arrangement: Arrangement) -> float | None:
        """The cost of the op's best kernel for an arrangement; None where no kernel takes it."""
        outputs = [
            spec_of(result).with_place(place)
            for result, place in zip(op.results, arrangement.results, strict=True)
        ]
        operands = [
            described(operand, place)
            for operand, place in zip(op.operands, arrangement.operands, strict=True)
        ]
        return self.kernels.price(op.name, outputs, operands)

    def ports(self, op: Operation) -> Ports:
        """The op's tensors with their demands; boundary values are always at home."""
        demands = self.demands(op)
        params = _param_positions(op)
        operands = [
            _port(spec_of(operand), demand, index in params) if is_tensor(operand) else None
            for index, (operand, demand) in enumerate(
                zip(op.operands, demands.operands, strict=True)
            )
        ]
        results = [
            _port(spec_of(result), HOME if is_boundary(result) else demand, False)
            for result, demand in zip(op.results, demands.results, strict=True)
        ]
        return Ports(tuple(operands), tuple(results))


_LAYOUTS = (LayoutKind.FLAT, LayoutKind.CROUTON)


def _alike(places: tuple[Place, ...], layout: LayoutKind) -> tuple[Place, ...]:
    """The places in one layout, or all where that is none of them."""
    return tuple(place for place in places if place.layout is layout) or places


@dataclass(frozen=True)
class _Candidate:
    """A tensor, and its class in each place that may be chosen for it."""

    spec: TensorSpec
    classes: Mapping[Place, type[Tensor]]

    def read_by(self, slot: Slot) -> tuple[Place, ...]:
        """The places where a kernel takes it as an operand."""
        return tuple(place for place, found in self.classes.items() if slot.fits_operand(found))

    def made_by(self, slot: Slot) -> tuple[Place, ...]:
        """The places where a kernel gives it as a result."""
        return tuple(
            place
            for place, found in self.classes.items()
            if slot.fits_output(found, place == FLAT_DDR)
        )


def _priced_way(
    kernel: Kernel,
    operands: Sequence[_Candidate | Operand],
    results: Sequence[_Candidate],
) -> tuple[float, Way] | None:
    """What a kernel costs and the places it takes; the slots do not depend on each other."""
    slots = kernel.slots_for(len(operands))
    if slots is None or len(kernel.outputs) != len(results):
        return None
    pairs = [*zip(slots, operands, strict=True)]
    shapes = [slot for slot, operand in pairs if isinstance(operand, ShapeParam)]
    if not all(slot.fits_operand(ShapeParam) for slot in shapes):
        return None
    reads = [held.read_by(slot) for slot, held in pairs if isinstance(held, _Candidate)]
    makes = [held.made_by(slot) for slot, held in zip(kernel.outputs, results, strict=True)]
    if not all((*reads, *makes)):
        return None
    rest = iter(reads)
    given = [
        held.spec.with_place(next(rest)[0]) if isinstance(held, _Candidate) else held
        for held in operands
    ]
    made = [held.spec.with_place(places[0]) for held, places in zip(results, makes, strict=True)]
    return kernel.price(made, given), (*reads, *makes)


def place_of(value: SSAValue) -> Place | None:
    """Where a tensor lies, without its offset; None for a shape."""
    if not is_tensor(value):
        return None
    return (spec_of(value).place or FLAT_DDR).unplaced()


def described(value: SSAValue, place: Place | None = None) -> Operand:
    """An operand as kernel selection reads it, at another place if one is given."""
    if isinstance(value.type, ShapeType):
        return ShapeParam(value.type.get_shape())
    spec = spec_of(value)
    return spec.with_place(place) if place else spec


def _port(spec: TensorSpec, demand: Demand, param: bool) -> Port:
    return Port(demand, forms_of(spec), param)


@lru_cache(maxsize=4096)
def forms_of(spec: TensorSpec) -> Mapping[LayoutKind, int]:
    """Bytes in the layouts between which conversions exist; croutons are of rank 4."""
    forms = {LayoutKind.FLAT: spec.with_place(FLAT_DDR).nbytes}
    if spec.rank == RANK and (LayoutKind.CROUTON, spec.dtype.itemsize) in LAYOUTS:
        forms[LayoutKind.CROUTON] = spec.with_place(CROUTON_DDR).nbytes
    return forms


def _param_positions(op: Operation) -> set[int]:
    if not isinstance(op, NativeOp):
        return set()
    return {index for index in range(len(op.operands)) if op.operand_name(index) in op.PARAMS}


def texts(places: Sequence[Place]) -> str:
    """Places as messages name them: `crouton in tcm`."""
    return ", ".join(f"{place.layout.value} in {place.memory.value}" for place in places)

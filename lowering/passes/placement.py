"""How one op of the IR is arranged: its properties, its kernels, and where its operands lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue, Use

from ...dialects.diagnostics import HtpError, fail
from ...dialects.htp.base import NativeOp
from ...dialects.htp.types import ShapeType
from ...dialects.layout import RANK
from ...dialects.place import CROUTON_DDR, FLAT_DDR, LAYOUTS, LayoutKind, Place
from ...dialects.spec import TensorSpec, spec_of
from ...runtime.registry import Cost, KernelRegistry, Operand
from ...runtime.tensors import ShapeParam
from ..conversion.builder import source_name
from ..planner.places import HOME, Arrangement, Demand, Port, Ports, Room, at_home, proposals
from .levels import is_boundary, is_tensor


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

    def settle(self, op: Operation, results: tuple[Place, ...] | None = None) -> Arrangement:
        """Where an op's tensors go, given where its operands lie; with `results` fixed if given.

        An op that no kernel takes the way it wants to be arranged runs from flat main memory.
        Raises HtpError where the demands do not lead to `results`.
        """
        here = tuple(map(place_of, op.operands))
        wanted = proposals(self.ports(op), here, self.room, self.readers(op))
        allowed = [*wanted, at_home(here, len(op.results))]
        legal = [found for found in allowed if results in (None, found.results)]
        if not legal:
            raise _wrong_results(op, results or (), allowed[0].results)
        priced = [(self.price(op, found), found) for found in legal]
        fitting = [(price, found) for price, found in priced if price is not None]
        fast = [found for price, found in fitting if price < Cost.GLACIAL.value]
        return next(iter([*fast, *(found for _, found in fitting), *legal]))

    def runs_at_home(self, op: Operation) -> bool:
        """Whether an op runs from main memory because no kernel takes what it demands."""
        tensors = (*op.operands, *op.results)
        return not self.served(op) and all(place_of(v) in (None, FLAT_DDR) for v in tensors)

    def served(self, op: Operation) -> bool:
        """Whether a kernel takes an op in a way that it demands to be arranged."""
        here = tuple(map(place_of, op.operands))
        wanted = proposals(self.ports(op), here, self.room, self.readers(op))
        return any(self.price(op, found) is not None for found in wanted)

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

    def readers(self, op: Operation) -> Demand:
        """What all readers of an op's first result agree to demand of it."""
        found = [self.demands(use.operation).operands[use.index] for use in _uses(op)]
        layouts = {demand.layout for demand in found}
        memories = {demand.memory for demand in found}
        return Demand(
            layouts.pop() if len(layouts) == 1 else None,
            memories.pop() if len(memories) == 1 else None,
        )

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


def _uses(op: Operation) -> list[Use]:
    """The native ops' reads of an op's first result; none where anything else reads it."""
    uses = list(op.results[0].uses)
    return uses if all(isinstance(use.operation, NativeOp) for use in uses) else []


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
    """A tensor in the layouts between which conversions exist; croutons are of rank 4."""
    forms = {LayoutKind.FLAT: spec.with_place(FLAT_DDR).nbytes}
    if spec.rank == RANK and (LayoutKind.CROUTON, spec.dtype.itemsize) in LAYOUTS:
        forms[LayoutKind.CROUTON] = spec.with_place(CROUTON_DDR).nbytes
    return Port(demand, forms, param)


def _param_positions(op: Operation) -> set[int]:
    if not isinstance(op, NativeOp):
        return set()
    return {index for index in range(len(op.operands)) if op.operand_name(index) in op.PARAMS}


def _wrong_results(op: Operation, found: Sequence[Place], wanted: Sequence[Place]) -> HtpError:
    return fail(
        source_name(op),
        f"its results lie {texts(found)}, its properties want them {texts(wanted)}",
        "run htp-assign-places, which chooses places that ops can have",
    )


def texts(places: Sequence[Place]) -> str:
    """Places as messages name them: `crouton in tcm`."""
    return ", ".join(f"{place.layout.value} in {place.memory.value}" for place in places)

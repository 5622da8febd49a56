"""The choice of places for a function of the IR."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.const import ConstOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.value.place import FLAT_DDR, LayoutKind, Place
from ....dialects.value.spec import spec_of
from ...levels import is_tensor
from ...planner.placement.choice import plan
from ...planner.placement.layouts import Item, Step, Way
from ...planner.placement.places import Arrangement, Port
from .moves import move_of, passes_of
from .placement import Placer, forms_of, place_of


@dataclass(frozen=True)
class Choices:
    """Where each op's tensors lie, and the bytes that conversions of layouts write."""

    arrangements: Mapping[Operation, Arrangement]
    converted: int


def choose_places(block: Block, by: Placer) -> Choices:
    """Places for the tensors of one function, at the least bytes; see the planner."""
    reader = _Reader(by)
    for argument in block.args:
        reader.number(argument, FLAT_DDR)
    for op in block.ops:
        reader.read(op)
    found = plan(reader.items, reader.steps, by.room)
    pairs = zip(reader.ops, found.places, strict=True)
    return Choices({op: _arrangement(op, places) for op, places in pairs}, found.converted)


def _arrangement(op: Operation, places: Sequence[Place]) -> Arrangement:
    """The places of an op's tensors, with None for its shapes."""
    rest = iter(places)
    operands = tuple(next(rest) if is_tensor(operand) else None for operand in op.operands)
    return Arrangement(operands, tuple(rest))


@dataclass(frozen=True)
class _Habits:
    """The ways in which an op can run, and which of its tensors' memories it leaves to us."""

    ways: tuple[Way, ...]
    free: tuple[bool, ...]


@dataclass
class _Reader:
    """A function as the planner reads it."""

    by: Placer
    items: list[Item] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    ops: list[Operation] = field(default_factory=list)
    numbers: dict[SSAValue, int] = field(default_factory=dict)
    known: dict[Hashable, _Habits] = field(default_factory=dict)

    def number(self, value: SSAValue, place: Place | None) -> None:
        """Enter a tensor; a place for one that no step makes."""
        self.numbers[value] = len(self.items)
        constant = isinstance(value.owner, ConstOp)
        self.items.append(Item(forms_of(spec_of(value).with_place(None)), place, constant))

    def read(self, op: Operation) -> None:
        """Enter an op: native ones are steps, all others want their tensors at home."""
        makes = [value for value in op.results if is_tensor(value)]
        steps = isinstance(op, NativeOp) and not isinstance(op, CopyOp)
        for value in makes:
            self.number(value, None if steps else place_of(value))
        if steps:
            self._step(op, self._habits(op), makes)
        elif op.operands and not isinstance(op, CopyOp):
            count = sum(map(is_tensor, op.operands))
            self._step(op, _Habits((((FLAT_DDR,),) * count,), (False,) * count), [])

    def _step(self, op: Operation, habits: _Habits, makes: Sequence[SSAValue]) -> None:
        reads = tuple(self.numbers[value] for value in op.operands if is_tensor(value))
        made = tuple(self.numbers[value] for value in makes)
        self.ops.append(op)
        self.steps.append(Step(reads, made, habits.ways, habits.free, move_of(op), passes_of(op)))

    def _habits(self, op: Operation) -> _Habits:
        """How an op can run; that of other ops of its name with tensors like its own."""
        key = self.by.kind(op)
        if key not in self.known:
            ports = self.by.ports(op)
            held = [port for port in (*ports.operands, *ports.results) if port]
            free = tuple(port.demand.memory is None and not port.param for port in held)
            ways = self.by.ways(op)
            self.known[key] = _Habits(ways if move_of(op) else _alike(ways, held), free)
        return self.known[key]


def _alike(ways: tuple[Way, ...], ports: Sequence[Port]) -> tuple[Way, ...]:
    """The ways in which all tensors with an open layout share it, if there are any.

    A kernel that takes several layouts at once converts inside. What only moves data does that on
    the way; for what computes it would be a conversion that nobody counts.
    """
    open_ = [port.demand.layout is None and not port.param for port in ports]
    shared = [
        tuple(
            tuple(p for p in places if p.layout is layout)
            if free and len(port.forms) > 1
            else places
            for places, free, port in zip(way, open_, ports, strict=True)
        )
        for way in ways
        for layout in (LayoutKind.FLAT, LayoutKind.CROUTON)
    ]
    return tuple(dict.fromkeys(way for way in shared if all(way))) or ways

"""The choice of places for a function of the IR, as a problem of the planner.

Beside it stand the bytes that conversions between layouts write: now, and at the least.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.attributes import LEAST_CONVERSION_BYTES, PLANNED_LAYOUT
from ....dialects.htp import ConstOp, NativeOp
from ....dialects.htp.ops.copies import CopyOp, FormatOp
from ....dialects.spec_of import spec_of
from ....dialects.value import FLAT_DDR, LayoutKind, Place
from ...levels import bodies, is_tensor
from ...planner.placement.layouts import PlacementOp, PlacementTensor
from ...planner.placement.places import OperandSlot, Placement, PlacementOption
from ...planner.placement.plan import croutons, plan
from .moves import move_of, passes_of
from .placement import Placer, forms_of, overwritable, place_of

T = TypeVar("T")


def choose_places(block: Block, by: Placer) -> tuple[dict[Operation, Placement], int]:
    """Choose places for the tensors of one function; they, and the bytes of its conversions."""
    reader = _PlacementReader(by)
    reader.read_all(block)
    chosen = plan(reader.tensors, reader.steps, by.budget)
    pairs = zip(reader.ops, chosen.places, strict=True)
    return {op: _with_shapes(op, places) for op, places in pairs}, chosen.converted


def choose_layouts(block: Block, by: Placer) -> dict[Operation, tuple[LayoutKind | None, ...]]:
    """Choose the layouts alone of one function's tensors, by op, operands first."""
    reader = _PlacementReader(by, sizes_scratch=False)
    reader.read_all(block)
    rows = croutons(reader.tensors, reader.steps, by.budget)
    kinds = (LayoutKind.FLAT, LayoutKind.CROUTON)
    return {
        op: _with_shapes(op, [kinds[label] for label in row])
        for op, row in zip(reader.ops, rows, strict=True)
    }


def _with_shapes(op: Operation, places: Sequence[T]) -> tuple[T | None, ...]:
    """Put None where an op has a shape, or a state that it reads."""
    rest = iter(places)
    return tuple(next(rest, None) if is_tensor(v) else None for v in (*op.operands, *op.results))


_Options: TypeAlias = tuple[tuple[PlacementOption, ...], tuple[bool, ...], int]
"""The options of an op, its free tensors, and the bytes of its scratch in TCM."""


@dataclass
class _PlacementReader:
    """A function as the planner reads it, with the options of op kinds that it has met."""

    by: Placer
    sizes_scratch: bool = True
    tensors: list[PlacementTensor] = field(default_factory=list)
    steps: list[PlacementOp] = field(default_factory=list)
    ops: list[Operation] = field(default_factory=list)
    numbers: dict[SSAValue, int] = field(default_factory=dict)
    cached: dict[Hashable, _Options] = field(default_factory=dict)

    def read_all(self, block: Block) -> None:
        """Enter a function: its arguments, then its ops."""
        for argument in block.args:
            self.number(argument, FLAT_DDR)
        for op in block.ops:
            self.read(op)

    def number(self, value: SSAValue, place: Place | None) -> None:
        """Enter a tensor; a place for one that no step makes."""
        self.numbers[value] = len(self.tensors)
        constant = isinstance(value.owner, ConstOp)
        forms = forms_of(spec_of(value).with_place(None))
        self.tensors.append(PlacementTensor(forms, place, constant))

    def read(self, op: Operation) -> None:
        """Enter an op: native ones are steps, all others read their tensors flat in DDR."""
        results = [value for value in op.results if is_tensor(value)]
        native = isinstance(op, NativeOp) and not isinstance(op, CopyOp)
        for value in results:
            self.number(value, None if native else place_of(value))
        if isinstance(op, CopyOp) or not (native or op.operands):
            return
        reads = tuple(self.numbers[value] for value in op.operands if is_tensor(value))
        makes = tuple(self.numbers[value] for value in results) if native else ()
        flat = (((FLAT_DDR,),) * len(reads),), (False,) * len(reads), 0
        options, free, scratch = self._options(op) if native else flat
        self.ops.append(op)
        move, passes = move_of(op), passes_of(op)
        onto = frozenset(self.numbers[value] for value in overwritable(op, self._exceeds))
        self.steps.append(PlacementOp(reads, makes, options, free, move, passes, scratch, onto))

    def _exceeds(self, value: SSAValue) -> bool:
        """Tell whether a tensor is in DDR wherever else one may be: it takes all of the TCM."""
        return spec_of(value).nbytes >= self.by.budget.op

    def _options(self, op: Operation) -> _Options:
        """Find the options of an op, once for all ops of its kind."""
        planned = op.attributes.get(PLANNED_LAYOUT)
        kind = self.by.kind(op), planned
        if kind not in self.cached:
            slots = [slot for slot in self.by.slots(op) if slot]
            options = self.by.options(op)
            options = options if move_of(op) else _in_one_layout(options, slots)
            if isinstance(planned, StringAttr):
                options = _as_planned(options, LayoutKind(planned.data), len(op.results))
            free = tuple(slot.open_memory for slot in slots)
            scratch = self.by.scratch(op, options) if self.sizes_scratch else 0
            self.cached[kind] = options, free, scratch
        return self.cached[kind]


def _in_one_layout(
    options: tuple[PlacementOption, ...], slots: Sequence[OperandSlot]
) -> tuple[PlacementOption, ...]:
    """Keep the options in which all tensors with an open layout share it, if there are any.

    A kernel that takes several layouts at once converts inside. What only moves data does that on
    the way; for what computes it would be a conversion that nobody counts.
    """
    shared = [
        tuple(
            tuple(p for p in places if p.layout is layout)
            if slot.open_layout and len(slot.forms) > 1
            else places
            for places, slot in zip(option, slots, strict=True)
        )
        for option in options
        for layout in (LayoutKind.FLAT, LayoutKind.CROUTON)
    ]
    return tuple(dict.fromkeys(option for option in shared if all(option))) or options


def _as_planned(
    options: tuple[PlacementOption, ...], layout: LayoutKind, results: int
) -> tuple[PlacementOption, ...]:
    """Keep the options in which the first result has the layout of the tile plan, if any do."""
    planned = (
        (
            *option[:-results],
            tuple(place for place in option[-results] if place.layout is layout),
            *option[len(option) - results + 1 :],
        )
        for option in options
    )
    return tuple(option for option in planned if all(option)) or options


def note_least(block: Block, least: int) -> None:
    """State the optimum, in bytes, on the function of a block."""
    function = block.parent_op()
    if function is not None:
        function.attributes[LEAST_CONVERSION_BYTES] = IntegerAttr(least, 64)


def noted_least(function: Operation) -> int | None:
    """Read the optimum that a function states; None where it states none."""
    least = function.attributes.get(LEAST_CONVERSION_BYTES)
    return least.value.data if isinstance(least, IntegerAttr) else None


def conversion_bytes(module: ModuleOp) -> int:
    """Count the bytes, padding included, that conversions write in a module with places.

    Those of constants are left out: most are made at compile time.
    """
    ops = (op for block in bodies(module) for op in block.ops if isinstance(op, FormatOp))
    return sum(spec_of(op.out).nbytes for op in ops if not isinstance(source_of(op), ConstOp))


def source_of(op: Operation) -> Operation | Block:
    """Find what makes the value that copies and conversions lead back to."""
    owner = op.operands[0].owner
    return source_of(owner) if isinstance(owner, CopyOp) else owner


def least_conversion_bytes(module: ModuleOp, by: Placer) -> int:
    """Compute the optimum: the fewest such bytes for a module at the native level."""
    return sum(choose_places(block, by)[1] for block in bodies(module))

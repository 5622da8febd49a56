"""A graph in the making: values and ops whose dims, types and params are still unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from xdsl.ir import Operation

from ....dialects.value.dtypes import DType
from ....dialects.value.layout import RANK
from ....runtime.functions.arrays import integer_bounds
from ..graph.types import INT_MAX, INT_MIN
from .choices import Choices
from .constraint_system import (
    FEW,
    ConstraintSystem,
    Contradiction,
    Derivation,
    Derivations,
    IntVar,
    Sum,
)

COMMON = (
    *(DType.Float32, DType.QUInt8, DType.Int32, DType.Float16, DType.QInt8, DType.QUInt16),
    DType.Bool8,
)
RARE = tuple(dtype for dtype in DType if dtype not in COMMON)
ELEMENTS = COMMON + RARE
"""Element types, the simplest first; an unknown element is a position in this row."""

_ZERO_SPREAD, _PIN_SPREAD = 100, 9
SCALES = (0.25, 0.125, 0.05, 0.1, 0.03)
"""Steps of quantised tensors; an unknown step is a position in this row."""


class Source(Enum):
    """Where a value comes from."""

    CONST = "constant"
    INPUT = "input"
    OP = "op"


@dataclass(eq=False)
class Slot:
    """A value of rank 4, or a shape.

    `source` None is still to be chosen. `numbers` are the elements of a constant that matter, by
    their place in reading order and in units of `unit`; `exact` are those that no unit gives. All
    others are any data, of whole numbers from `bounds[0]` up to, not including, `bounds[1]`.
    """

    dims: tuple[IntVar, ...]
    element: IntVar
    zero: IntVar
    step: IntVar
    is_shape: bool = False
    source: Source | None = None
    numbers: dict[int, IntVar] = field(default_factory=dict[int, IntVar])
    unit: Fraction = Fraction(1)
    exact: dict[int, float] = field(default_factory=dict[int, float])
    bounds: tuple[int, IntVar] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The dims, once they are known."""
        return tuple(dim.known for dim in self.dims)

    @property
    def dtype(self) -> DType:
        """The element type, once it is known."""
        return ELEMENTS[self.element.known]


@dataclass(eq=False)
class OpTemplate:
    """An op with its operands and results."""

    op_class: type[Operation]
    operands: list[Slot]
    results: list[Slot]
    names: tuple[str, ...] = ()
    """The operands' names where the op gives them."""

    def slot(self, name: str) -> Slot:
        """The operand of this name."""
        return self.operands[self.names.index(name)]


class GraphTemplate:
    """The values and ops of one case, and what is known about their numbers."""

    def __init__(self, choices: Choices, boundary_values: Sequence[int] = ()) -> None:
        self.choices = choices
        self.system = ConstraintSystem(boundary_values)
        self.slots: list[Slot] = []
        self.ops: list[OpTemplate] = []
        self._numbers: list[IntVar] = []

    def blank(self, is_shape: bool = False, source: Source | None = None) -> Slot:
        """A value about which nothing is known."""
        least = 0 if is_shape else 1
        slot = Slot(
            tuple(self.number(least) for _ in range(RANK)),
            self.number(0, len(ELEMENTS) - 1),
            IntVar(INT_MIN, INT_MAX, _ZERO_SPREAD, 0),
            IntVar(0, len(SCALES) - 1, len(SCALES)),
            is_shape,
            source,
        )
        self.slots.append(slot)
        return slot

    def number(
        self, low: int, high: int | None = None, spread: int = FEW, base: int | None = None
    ) -> IntVar:
        """A new unknown."""
        self._numbers.append(IntVar(low, high, spread, base))
        return self._numbers[-1]

    def solve(self) -> None:
        """Find values for everything; Contradiction where these choices have none."""
        self.system.solve(self._numbers, self.choices)
        quantized = [s for s in self.slots if not s.is_shape and s.dtype.is_quantized]
        for slot in quantized:
            slot.zero.narrow(*integer_bounds(slot.dtype.storage))
        self.system.solve([u for slot in quantized for u in (slot.zero, slot.step)], self.choices)

    # What ops say about their operands and results.

    def same_dims(self, a: Slot, b: Slot) -> None:
        """Both have one shape."""
        for mine, theirs in zip(a.dims, b.dims, strict=True):
            mine.join(theirs)

    def same_dtype(self, a: Slot, b: Slot) -> None:
        """Both have one dtype; their quantisation may differ."""
        a.element.join(b.element)

    def same_encoding(self, a: Slot, b: Slot) -> None:
        """Both have one dtype and quantisation."""
        a.element.join(b.element)
        a.zero.join(b.zero)
        a.step.join(b.step)

    def like(self, a: Slot, b: Slot) -> None:
        """Both have one shape, dtype and quantisation."""
        self.same_dims(a, b)
        self.same_encoding(a, b)

    def dtype_in(self, slot: Slot, *dtypes: DType) -> None:
        """The slot has one of these dtypes."""
        slot.element.restrict(map(ELEMENTS.index, dtypes))

    def dims_are(self, slot: Slot, dims: Iterable[int | IntVar]) -> None:
        """Each dim is a number or the same as another unknown."""
        for mine, wanted in zip(slot.dims, dims, strict=True):
            if isinstance(wanted, IntVar):
                mine.join(wanted)
            else:
                mine.narrow(wanted, wanted)

    def holds(self, slot: Slot, *numbers: IntVar, unit: Fraction = Fraction(1)) -> None:
        """The slot is a constant with these numbers, in reading order."""
        if slot.source is None:
            slot.source = Source.CONST
        if slot.source is not Source.CONST:
            raise Contradiction("a param that is no constant")
        slot.unit = unit
        for place, number in enumerate(numbers):
            slot.numbers.setdefault(place, number).join(number)

    def pin(self, slot: Slot, place: int) -> IntVar:
        """The element at a place of a constant, as a whole number."""
        if slot.source is None:
            slot.source = Source.CONST
        if slot.source is not Source.CONST or slot.is_shape:
            raise Contradiction("a number of what is no constant")
        return slot.numbers.setdefault(place, self.number(INT_MIN, INT_MAX, _PIN_SPREAD, 0))

    def derive(
        self, target: IntVar, sources: Sequence[IntVar], compute: Callable[..., int | None]
    ) -> None:
        """The target follows from the sources."""
        self.relate((target, sources, compute))

    def relate(
        self, *derivations: tuple[IntVar, Sequence[IntVar], Callable[..., int | None]]
    ) -> None:
        """As `derive`, in several ways: the first whose sources are known is taken.

        The last one's target is what is best left to follow.
        """
        self.system.add(
            Derivations(*(Derivation(t, tuple(s), compute) for t, s, compute in derivations))
        )

    def total(self, whole: IntVar, *parts: IntVar) -> None:
        """`whole` is the sum of the parts."""
        self.system.add(Sum([(whole, -1), *((part, 1) for part in parts)]))

"""Graph templates: values and ops whose dims, dtypes and params are integer variables.

The integer expressions of a constraint become linear sums of variables, by a walk over its tree.
Cost: linear in the tree. Example: `ADD(MUL(2, DIM_HEIGHT("X")), 3)` is `2 h + 3`, where h is the
variable of X's height; a product of two variables is not a linear sum, and is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from xdsl.ir import Operation

from .....dialects.value import HTP_DTYPES, RANK, DType, integer_bounds
from ...graph.env import GraphOptions
from ...graph.graph import INT_MAX, INT_MIN, NUMBERS
from ...tree.expr import Expr, Literal, Tag, text_of
from ...tree.function import Call
from .constraint_system import (
    FEW,
    Choices,
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
RARE = tuple(dtype for dtype in HTP_DTYPES if dtype not in COMMON)
ELEMENTS = COMMON + RARE
"""Element types, the simplest first; a dtype variable is a position in this row."""

_ZERO_SPREAD, _PIN_SPREAD = 100, 9
_BARE = 60
"""Chance in percent of leaving out leading dims of 1 in a graph."""
SCALES = (0.25, 0.125, 0.05, 0.1, 0.03)
"""Scales of quantised tensors; a scale variable is a position in this row."""


class Source(Enum):
    """The producer of a value: a constant, a graph input or an op."""

    CONST = "constant"
    INPUT = "input"
    OP = "op"


@dataclass(eq=False)
class Slot:
    """A value of rank 4, or a shape.

    `source` None is chosen later. `numbers` are elements of a constant, by their place in reading
    order and in units of `unit`; `exact` are elements that are not multiples of a unit. The other
    elements are any data, or integers from `bounds[0]` up to, not including, `bounds[1]`.
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
    filled: float | None = None
    """The number that all elements of a constant are."""
    graph_dims: tuple[IntVar, ...] | None = None
    """The dims that a graph op wants, where they are not those of the native op."""
    shown: tuple[int, ...] | None = None
    """The shape in a graph, where it is not that of rank 4."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The dims, once they are known."""
        return tuple(dim.known for dim in self.dims)

    def show(self, choices: Choices) -> None:
        """Choose the shape in a graph: that of a constant is mostly without leading dims of 1."""
        if self.graph_dims is not None:
            self.shown = tuple(dim.known for dim in self.graph_dims)
        elif self.source is Source.CONST and choices.chance(_BARE):
            first = next((place for place, n in enumerate(self.shape) if n != 1), RANK)
            self.shown = self.shape[first:]

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
    """The names of the operands, where the op declares them."""

    def slot(self, name: str) -> Slot:
        """Return the operand of this name."""
        return self.operands[self.names.index(name)]


class GraphTemplate:
    """The values and ops of one case with the constraints between their variables.

    `guesses` name the native ops, or the schemas, for which ops were taken that nobody declares.
    `alike`: operands that could broadcast are of one shape, but for constants of one element.
    """

    def __init__(self, choices: Choices, boundary_values: Sequence[int] = ()) -> None:
        self.choices = choices
        self.system = ConstraintSystem(boundary_values)
        self.slots: list[Slot] = []
        self.ops: list[OpTemplate] = []
        self.guesses: list[str] = []
        self.alike = False
        self._numbers: list[IntVar] = []

    def blank(self, is_shape: bool = False, source: Source | None = None) -> Slot:
        """Add a value without constraints."""
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
        """Add a variable."""
        self._numbers.append(IntVar(low, high, spread, base))
        return self._numbers[-1]

    def solve(self) -> None:
        """Set all variables; Contradiction where these choices have no solution."""
        self.system.solve(self._numbers, self.choices)
        quantized = [s for s in self.slots if not s.is_shape and s.dtype.is_quantized]
        for slot in quantized:
            slot.zero.narrow(*integer_bounds(slot.dtype.storage))
        self.system.solve([u for slot in quantized for u in (slot.zero, slot.step)], self.choices)

    # Constraints that ops put on their operands and results.

    def same_dims(self, a: Slot, b: Slot) -> None:
        """Demand one shape."""
        for mine, theirs in zip(a.dims, b.dims, strict=True):
            mine.join(theirs)

    def same_dtype(self, a: Slot, b: Slot) -> None:
        """Demand one dtype; the quantisation may differ."""
        a.element.join(b.element)

    def same_encoding(self, a: Slot, b: Slot) -> None:
        """Demand one dtype and quantisation."""
        a.element.join(b.element)
        a.zero.join(b.zero)
        a.step.join(b.step)

    def like(self, a: Slot, b: Slot) -> None:
        """Demand one shape, dtype and quantisation."""
        self.same_dims(a, b)
        self.same_encoding(a, b)

    def dtype_in(self, slot: Slot, *dtypes: DType) -> None:
        """Demand one of these dtypes."""
        slot.element.restrict(map(ELEMENTS.index, dtypes))

    def dims_are(self, slot: Slot, dims: Iterable[int | IntVar]) -> None:
        """Demand these dims, each a number or another variable."""
        for mine, wanted in zip(slot.dims, dims, strict=True):
            if isinstance(wanted, IntVar):
                mine.join(wanted)
            else:
                mine.narrow(wanted, wanted)

    def holds(self, slot: Slot, *numbers: IntVar, unit: Fraction = Fraction(1)) -> None:
        """Demand a constant with these numbers, in reading order."""
        if slot.source is None:
            slot.source = Source.CONST
        if slot.source is not Source.CONST:
            raise Contradiction("a param that is no constant")
        slot.unit = unit
        for place, number in enumerate(numbers):
            slot.numbers.setdefault(place, number).join(number)

    def pin(self, slot: Slot, place: int) -> IntVar:
        """Return the variable of an element of a constant, an integer."""
        if slot.source is None:
            slot.source = Source.CONST
        if slot.source is not Source.CONST or slot.is_shape:
            raise Contradiction("a number of what is no constant")
        return slot.numbers.setdefault(place, self.number(INT_MIN, INT_MAX, _PIN_SPREAD, 0))

    def derive(
        self, target: IntVar, sources: Sequence[IntVar], compute: Callable[..., int | None]
    ) -> None:
        """Demand that the target be a function of the sources."""
        self.relate((target, sources, compute))

    def relate(self, *rows: tuple[IntVar, Sequence[IntVar], Callable[..., int | None]]) -> None:
        """Demand alternative derivations: the first whose sources are known applies.

        The target of the last one is drawn after all others.
        """
        self.system.add(Derivations(*(Derivation(t, tuple(s), compute) for t, s, compute in rows)))

    def total(self, whole: IntVar, *parts: IntVar) -> None:
        """Demand that `whole` be the sum of the parts."""
        self.system.add(Sum([(whole, -1), *((part, 1) for part in parts)]))


DIMS = {
    **dict.fromkeys(("DIM_BATCHES", "DIM_FILTHEIGHT"), 0),
    **dict.fromkeys(("DIM_HEIGHT", "DIM_FILTWIDTH"), 1),
    **dict.fromkeys(("DIM_WIDTH", "DIM_FILTDEPTH"), 2),
    **dict.fromkeys(("DIM_DEPTH", "DIM_NFILTS"), 3),
}
"""The functions of one dim, with its index."""
_THROUGH = ("INT", "UINT", "FLOAT", "MESSAGE_VALUE")
_OPTIONS = ("OPTION_INT", "OPTION_UINT", "OPTION_FLOAT")


@dataclass(frozen=True)
class Linear:
    """A linear sum: variables with a factor each, and a constant."""

    terms: tuple[tuple[IntVar, Fraction], ...] = ()
    constant: Fraction = Fraction(0)

    def plus(self, other: Linear, factor: Fraction = Fraction(1)) -> Linear:
        """Add `factor` times the other."""
        joined: dict[IntVar, Fraction] = {}
        for var, share in self.terms:
            joined[var.root] = joined.get(var.root, Fraction(0)) + share
        for var, share in other.terms:
            joined[var.root] = joined.get(var.root, Fraction(0)) + factor * share
        terms = tuple((var, share) for var, share in joined.items() if share)
        return Linear(terms, self.constant + factor * other.constant)

    def times(self, factor: Fraction) -> Linear:
        """Multiply by a factor."""
        return Linear().plus(self, factor)


class LinearReader:
    """A reader of expressions as slots and linear sums; None where an expression is neither.

    Without `options` a graph option has no value.
    """

    def __init__(
        self,
        template: GraphTemplate,
        tags: Mapping[str, Slot],
        options: GraphOptions | None,
    ) -> None:
        self._template = template
        self._tags = tags
        self._options = options

    def slot(self, expr: Expr) -> Slot | None:
        """Return the slot of a node reference."""
        if isinstance(expr, Tag):
            return self._tags.get(expr.name)
        if not isinstance(expr, Call) or expr.function.name not in ("INPUT_OF", "OUTPUT_OF"):
            return None
        result, index = self.slot(expr.args[0]), self.whole(expr.args[1])
        op = next((op for op in self._template.ops if result in op.results), None)
        if op is None or index is None:
            return None
        row = op.operands if expr.function.name == "INPUT_OF" else op.results
        return row[index] if 0 <= index < len(row) else None

    def whole(self, expr: Expr) -> int | None:
        """Return the value of an expression that is the same integer in each case."""
        total = self.linear(expr)
        plain = total is not None and not total.terms and total.constant.denominator == 1
        return int(total.constant) if total is not None and plain else None

    def linear(self, expr: Expr) -> Linear | None:
        """Return a numeric expression as a linear sum."""
        if isinstance(expr, Literal):
            value = expr.value
            if not isinstance(value, bool | int | float) or not math.isfinite(value):
                return None
            return Linear((), Fraction(value))
        if not isinstance(expr, Call) or expr.kind not in NUMBERS:
            return None
        name = expr.function.name
        if name in DIMS:
            return self._dim(expr.args[0], DIMS[name])
        if name in _THROUGH:
            return self.linear(expr.args[0])
        if name in _OPTIONS and self._options is not None:
            option = self._options.value(text_of(expr.args[0]))
            return Linear((), Fraction(option)) if math.isfinite(option) else None
        handler = _HANDLERS.get(name)
        return handler(self, expr) if handler else None

    def _dim(self, node: Expr, index: int | None) -> Linear | None:
        slot = self.slot(node)
        if slot is None or index is None or not 0 <= index < len(slot.dims):
            return None
        return Linear(((slot.dims[index], Fraction(1)),))

    def dim_of(self, call: Call) -> Linear | None:
        """DIM_OF(node, index)."""
        return self._dim(call.args[0], self.whole(call.args[1]))

    def rank(self, call: Call) -> Linear | None:
        """RANK_OF(node)."""
        slot = self.slot(call.args[0])
        return None if slot is None else Linear((), Fraction(len(slot.dims)))

    def zero(self, call: Call) -> Linear | None:
        """ZERO_OFFSET_OF(node)."""
        slot = self.slot(call.args[0])
        return None if slot is None else Linear(((slot.zero, Fraction(1)),))

    def element(self, call: Call) -> Linear | None:
        """CONSTVAL_INT and CONSTVAL_FLOAT of a constant."""
        slot, index = self.slot(call.args[0]), self.whole(call.args[1])
        if slot is None or index is None:
            return None
        number = slot.numbers.get(index)
        if number is None:
            number = self._template.pin(slot, index)
        return Linear(((number, slot.unit),))

    def sum(self, call: Call) -> Linear | None:
        """ADD of anything."""
        parts = [self.linear(arg) for arg in call.args]
        total = Linear()
        for part in parts:
            if part is None:
                return None
            total = total.plus(part)
        return total

    def difference(self, call: Call) -> Linear | None:
        """SUB of two."""
        left, right = (self.linear(arg) for arg in call.args)
        return None if left is None or right is None else left.plus(right, Fraction(-1))

    def negative(self, call: Call) -> Linear | None:
        """NEG."""
        total = self.linear(call.args[0])
        return total and total.times(Fraction(-1))

    def product(self, call: Call) -> Linear | None:
        """MUL where all factors but one are plain numbers."""
        parts = [self.linear(arg) for arg in call.args]
        total = Linear((), Fraction(1))
        for part in parts:
            if part is None or (part.terms and total.terms):
                return None
            total = part.times(total.constant) if part.terms else total.times(part.constant)
        return total


_HANDLERS: dict[str, Callable[[LinearReader, Call], Linear | None]] = {
    "DIM_OF": LinearReader.dim_of,
    "RANK_OF": LinearReader.rank,
    "ZERO_OFFSET_OF": LinearReader.zero,
    "CONSTVAL_INT": LinearReader.element,
    "CONSTVAL_FLOAT": LinearReader.element,
    "ADD": LinearReader.sum,
    "SUB": LinearReader.difference,
    "NEG": LinearReader.negative,
    "MUL": LinearReader.product,
}

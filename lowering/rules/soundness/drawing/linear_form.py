"""Integer expressions of a constraint as linear sums of variables: symbolic evaluation of its tree.

Cost: linear in the tree. Example: `ADD(MUL(2, DIM_HEIGHT("X")), 3)` is `2 h + 3`, where h is the
variable of X's height; a product of two variables is not a linear sum, and is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...graph.env import GraphOptions
from ...graph.types import NUMBERS
from ...tree.expr import Expr, Literal, Tag, text_of
from ...tree.function import Call
from .constraint_system import IntVar
from .template import GraphTemplate, Slot

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

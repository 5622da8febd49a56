"""Patterns: the match of a rule with its names resolved, one for all orders of its inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count, permutations

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from ..graph.graph import INPUT, producer_name
from ..graph.inputs import inputs_of
from ..graph.names import resolve
from ..tree.expr import Expr, Let, OpForm, Tag

Bindings = dict[str, SSAValue]
Orders = Mapping[int, int]
"""The number of the order that matched, by the place of an op in any order; see `orders`."""


@dataclass(frozen=True)
class Pattern:
    """An input of a match: a tag, an op, or an op with a tag; with neither it takes any value."""

    tag: str | None
    op: OpPattern | None

    def may_match(self, value: SSAValue, bound: Bindings) -> bool:
        """Test what is seen at once: the name of the op, and the tag where it is bound."""
        if self.op is not None and producer_name(value) != self.op.name:
            return False
        return self.tag is None or bound.get(self.tag, value) is value


@dataclass(frozen=True)
class OpPattern:
    """An op of a match: its IR name and its inputs, all of them or (`at_least`) the first ones.

    `any_output` takes each of its outputs, not the first alone. An op whose inputs stand in any
    order has a `place`: its number among those of the match, inner ones first.
    """

    name: str
    inputs: tuple[Pattern, ...]
    at_least: bool = False
    any_output: bool = False
    place: int | None = None

    @cached_property
    def orders(self) -> tuple[tuple[Pattern, ...], ...]:
        """The orders of the inputs, as written first."""
        return (self.inputs,) if self.place is None else tuple(permutations(self.inputs))

    @cached_property
    def places(self) -> int:
        """The number of ops in it, itself included, whose inputs stand in any order."""
        inner = sum(pattern.op.places for pattern in self.inputs if pattern.op is not None)
        return inner + (self.place is not None)

    @cached_property
    def is_nested(self) -> bool:
        """It has further ops behind its inputs."""
        return any(pattern.op is not None for pattern in self.inputs)

    def takes(self, value: SSAValue) -> bool:
        """An op's output of this index can match."""
        return isinstance(value, OpResult) and (self.any_output or value.index == 0)

    def fits(self, count: int) -> bool:
        """An op with this number of inputs can match."""
        return count >= len(self.inputs) if self.at_least else count == len(self.inputs)

    def ordered(self, chosen: Orders) -> tuple[Pattern, ...]:
        """Return the inputs in the chosen order."""
        return self.inputs if self.place is None else self.orders[chosen.get(self.place, 0)]

    def ops(self, op: Operation, chosen: Orders) -> Iterator[Operation]:
        """Yield the ops that a match of an op covers, the op itself first; constants are none."""
        yield op
        for pattern, value in zip(self.ordered(chosen), inputs_of(op), strict=False):
            inner, owner = pattern.op, value.owner
            if inner is None or inner.name == INPUT or not isinstance(owner, Operation):
                continue
            if not owner.has_trait(ConstantLike):
                yield from inner.ops(owner, chosen)

    def could_match(self, producers: Mapping[int, str]) -> bool:
        """A root with these producers behind some of its inputs can match."""
        return any(
            all(
                pattern.op.name in (producers[index], INPUT)
                for index, pattern in enumerate(order)
                if pattern.op is not None and index in producers
            )
            for order in self.orders
        )

    def produced(self) -> Iterator[int]:
        """Yield the inputs that demand a certain producer, in one order at least."""
        anywhere = self.place is not None and self.is_nested
        return (i for i, pattern in enumerate(self.inputs) if anywhere or pattern.op is not None)


def op_pattern(form: OpForm, package: str) -> OpPattern:
    """Resolve the names of a match for a package."""
    return _op_pattern(form, package, count())


def _op_pattern(form: OpForm, package: str, places: Iterator[int]) -> OpPattern:
    inputs = tuple(_pattern(expr, package, places) for expr in form.inputs)
    place = next(places) if form.any_order else None
    return OpPattern(resolve(form.name, package), inputs, form.at_least, form.any_output, place)


def _pattern(expr: Expr, package: str, places: Iterator[int]) -> Pattern:
    match expr:
        case Tag(name):
            return Pattern(name, None)
        case Let(tag, op):
            return Pattern(tag, _op_pattern(op, package, places))
        case OpForm():
            return Pattern(None, _op_pattern(expr, package, places))
        case _:
            raise TypeError(f"{expr} is no part of a match")

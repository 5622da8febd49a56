"""Patterns: the match of a rule with its names resolved, an index of those, and matching.

The index is a decision table by the name of the root, its number of inputs, and the names of the
ops behind those inputs for which some rule demands a producer. A row is computed once, by a linear
scan of the rules of that root, and looked up in constant time from then on.

Example: of the rules `Neg(Neg(X))` (0), `Neg(Abs(X))` (1) and `Neg(X)` (2) the root `Neg` demands
input 0. For Neg over an Abs the row ("htp.Neg", 1, ("htp.Abs",)) holds the rules 1 and 2.

A tree is matched by backtracking. A match walks its pattern and the graph together. Where inputs
stand in any order, or there are alternatives, it goes on with each order or alternative that fits,
and goes back where one leads nowhere. Such choices come last: what the rest binds leaves most of
them one way.

Cost: linear in the size of the pattern where each choice has one way that fits, else at most that
times the product of their ways.

Example: `OpAnyOrder("Mul", "X", Op("Sigmoid", "X"))` at Mul(Sigmoid(x), x). As written, input 1
would have to be a Sigmoid; in the other order X is x, and the Sigmoid reads x too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, permutations
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike, Pure

from ....dialects.locations import fused, location_of
from ..graph.graph import INPUT, ROOT, inputs_of, is_boundary_op, producer_name, resolve
from ..tree.expr import Expr, Let, OneOf, OpForm, Tag, walk

Bindings = dict[str, SSAValue]
Orders = Mapping[int, int]
"""The number of the order, or of the alternative, that matched, by the place of the choice."""


@dataclass(frozen=True)
class Pattern:
    """An input of a match: a tag, an op, or an op with a tag; with neither it takes any value.

    `ways` are alternatives in place of an op; their choice has a `place`.
    """

    tag: str | None
    op: OpPattern | None
    ways: tuple[Pattern, ...] = ()
    place: int = 0

    @cached_property
    def names(self) -> frozenset[str] | None:
        """The names of the ops that can make a value that matches; None for any."""
        if self.op is not None:
            return frozenset((self.op.name,))
        known = [way.names for way in self.ways if way.names is not None]
        return frozenset().union(*known) if known and len(known) == len(self.ways) else None

    @cached_property
    def places(self) -> int:
        """The number of choices in it."""
        inner = sum(way.places for way in self.ways) + bool(self.ways)
        return inner + (self.op.places if self.op is not None else 0)

    def may_match(self, value: SSAValue, bound: Bindings) -> bool:
        """Test what is seen at once: the name of the op, and the tag where it is bound."""
        if self.names is not None and producer_name(value) not in self.names:
            return False
        return self.tag is None or bound.get(self.tag, value) is value

    def chosen(self, orders: Orders) -> OpPattern | None:
        """Return the op, or that of the alternative that matched."""
        return self.ways[orders[self.place]].chosen(orders) if self.ways else self.op


@dataclass(frozen=True)
class OpPattern:
    """An op of a match: its IR name and its inputs, all of them or (`at_least`) the first ones.

    `any_output` takes each of its outputs, not the first alone. An op whose inputs stand in any
    order has a `place`: its number among the choices of the match. Alternatives come first, outer
    ones before inner ones, then the orders, those of inner ops before those of outer ones.
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
        """The number of choices in it: of alternatives, and of orders."""
        return sum(pattern.places for pattern in self.inputs) + (self.place is not None)

    @cached_property
    def is_nested(self) -> bool:
        """It has further ops behind its inputs."""
        return any(pattern.op is not None or pattern.ways for pattern in self.inputs)

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
            inner, owner = pattern.chosen(chosen), value.owner
            if inner is None or inner.name == INPUT or not isinstance(owner, Operation):
                continue
            if not owner.has_trait(ConstantLike):
                yield from inner.ops(owner, chosen)

    def could_match(self, producers: Mapping[int, str]) -> bool:
        """A root with these producers behind some of its inputs can match."""
        return any(
            all(
                not pattern.names.isdisjoint((producers[index], INPUT))
                for index, pattern in enumerate(order)
                if pattern.names is not None and index in producers
            )
            for order in self.orders
        )

    def produced(self) -> Iterator[int]:
        """Yield the inputs that demand a certain producer, in one order at least."""
        anywhere = self.place is not None and self.is_nested
        return (i for i, pattern in enumerate(self.inputs) if anywhere or pattern.names is not None)


def op_pattern(form: OpForm, package: str) -> OpPattern:
    """Resolve the names of a match for a package."""
    alternatives = sum(isinstance(part, OneOf) for part in walk(form))
    return _PatternMaker(package, count(), count(alternatives)).op(form)


@dataclass(frozen=True)
class _PatternMaker:
    """The package of a match, and the next places of alternatives and of orders."""

    package: str
    ways: Iterator[int]
    orders: Iterator[int]

    def op(self, form: OpForm) -> OpPattern:
        inputs = tuple(map(self.pattern, form.inputs))
        place = next(self.orders) if form.any_order else None
        name = resolve(form.name, self.package)
        return OpPattern(name, inputs, form.at_least, form.any_output, place)

    def pattern(self, expr: Expr) -> Pattern:
        match expr:
            case Tag(name):
                return Pattern(name, None)
            case OneOf(ways):
                place = next(self.ways)
                return Pattern(None, None, tuple(map(self.pattern, ways)), place)
            case Let(tag, op):
                return replace(self.pattern(op), tag=tag)
            case OpForm():
                return Pattern(None, self.op(expr))
            case _:
                raise TypeError(f"{expr} is no part of a match")


class DecisionTable:
    """The decision table of rules of one pass group, whose patterns are listed by number."""

    def __init__(self, patterns: Mapping[int, OpPattern]) -> None:
        self._by_root: dict[str, list[int]] = {}
        self._slots: dict[str, tuple[int, ...]] = {}
        self._patterns = patterns
        self._rows: dict[tuple[str, int, tuple[str, ...]], tuple[int, ...]] = {}
        for number, pattern in patterns.items():
            self._by_root.setdefault(pattern.name, []).append(number)
        for name, numbers in self._by_root.items():
            slots = {slot for number in numbers for slot in patterns[number].produced()}
            self._slots[name] = tuple(sorted(slots))

    def candidates(self, op: Operation) -> tuple[int, ...]:
        """Return the numbers of the rules to try at this op, in the order of writing."""
        slots = self._slots.get(op.name)
        if slots is None:
            return ()
        inputs = inputs_of(op)
        count = len(inputs)
        names = tuple(producer_name(inputs[slot]) for slot in slots if slot < count)
        key = (op.name, count, names)
        row = self._rows.get(key)
        if row is None:
            producers = dict(zip(slots, names, strict=False))
            row = self._rows[key] = tuple(
                number
                for number in self._by_root[op.name]
                if self._patterns[number].fits(count)
                and self._patterns[number].could_match(producers)
            )
        return row


Pair = tuple[Pattern, SSAValue]
"""A part of a match, and the value that it has to match."""
Choice = tuple[int, Sequence[Sequence[Pattern]], Sequence[SSAValue]]
"""The place of a choice, its orders of inputs or its alternatives, and the values to match."""


class Match(NamedTuple):
    """A match: the op at its root, the pattern that fits there, and what its tags are bound to.

    `orders` are those of the inputs that may stand in any order, and the alternatives.
    """

    root: Operation
    pattern: OpPattern
    bound: Bindings
    orders: Orders

    @property
    def location(self) -> LocationAttr:
        """The location of what replaces it: that of all the ops that it covers."""
        if not self.pattern.is_nested:
            return location_of(self.root)
        return fused(map(location_of, self.pattern.ops(self.root, self.orders)))


def matches(pattern: OpPattern, root: Operation) -> Sequence[Match]:
    """Return each match at a root, those in the order of writing first.

    Where the pattern takes the first output of the root alone, the others must be unused. The root
    must have no effect and be no Reshape at the function's boundary.
    """
    results = root.results
    others = not pattern.any_output and any(result.uses for result in results[1:])
    if not results or others or not root.has_trait(Pure):
        return ()
    if is_boundary_op(root):
        return ()
    todo: list[Pair] = [(Pattern(None, pattern), results[0])]
    every = [
        Match(root, pattern, bound, orders)
        for bound, orders in _search(todo, [], {ROOT: results[0]}, {})
    ]
    return every if len(every) < 2 else sorted(every, key=_as_written)


def _as_written(match: Match) -> list[int]:
    """Return what sorts the matches of a pattern: the numbers of its choices, by their places."""
    return [match.orders.get(place, 0) for place in range(match.pattern.places)]


def _search(
    todo: list[Pair], choices: list[Choice], bound: Bindings, orders: Orders
) -> Iterator[tuple[Bindings, Orders]]:
    """Yield what the tags are bound to, and the orders, each time that all pairs match."""
    while todo:
        part, value = todo.pop()
        if part.tag is not None and bound.setdefault(part.tag, value) is not value:
            return
        if part.ways:
            choices.append((part.place, [(way,) for way in part.ways], (value,)))
            continue
        if part.op is None:
            continue
        if not part.may_match(value, bound):
            return
        if part.op.name == INPUT:
            continue
        owner = value.owner
        if not isinstance(owner, Operation) or not part.op.takes(value):
            return
        inputs = inputs_of(owner)
        if not part.op.fits(len(inputs)):
            return
        if part.op.place is None:
            todo += [*zip(part.op.inputs, inputs, strict=False)][::-1]
        else:
            choices.append((part.op.place, part.op.orders, inputs))
    if not choices:
        yield bound, orders
        return
    (place, ways, inputs), *others = choices
    for number, order in enumerate(ways):
        pairs = list(zip(order, inputs, strict=True))
        if all(part.may_match(value, bound) for part, value in pairs):
            yield from _search(pairs, [*others], {**bound}, {**orders, place: number})

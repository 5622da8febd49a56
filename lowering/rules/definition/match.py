"""Matching of trees by backtracking: the pattern of a rule at a root, with every choice that fits.

A match walks its pattern and the graph together. Where inputs stand in any order, or there are
alternatives, it goes on with each order or alternative that fits, and goes back where one leads
nowhere. Such choices come last: what the rest binds leaves most of them one way.

Cost: linear in the size of the pattern where each choice has one way that fits, else at most that
times the product of their ways.

Example: `OpAnyOrder("Mul", "X", Op("Sigmoid", "X"))` at Mul(Sigmoid(x), x). As written, input 1
would have to be a Sigmoid; in the other order X is x, and the Sigmoid reads x too.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import Pure

from ....dialects.locations import fused, location_of
from ..graph.graph import INPUT, inputs_of, is_boundary_op
from ..graph.tables import ROOT
from .pattern import Bindings, OpPattern, Orders, Pattern

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

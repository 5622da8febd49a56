"""The reason why a match does not hold: of several orders of inputs, of the one that goes furthest.

Every order and every alternative is tried, depth first, and of the parts that fail the one is kept
that stands behind the most ops; of equals, that of the choice that is written first. Cost: at most
the size of the pattern times the product of its orders and alternatives.

Example: `OpAnyOrder("Mul", "X", Op("Sigmoid", "X"))` at Mul(Sigmoid(y), x). As written, input 1 is
not a Sigmoid, and no op matches. In the other order the Sigmoid does, and the reason is that its
input is not the x that "X" is already.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.traits import Pure

from ..definition.pattern import Bindings, OpPattern, Orders, Pattern
from ..graph.graph import INPUT, Node, inputs_of, is_boundary_op

Naming = Callable[[SSAValue], str]
"""Gives the name of a value in messages: `%4`."""


def match_reason(pattern: OpPattern, root: Operation, named: Naming) -> str | None:
    """Return the first part of a match that does not hold at a root; None where all do.

    Of several orders of the inputs, or alternatives, it is that of the one that matches the most
    ops.
    """
    for index, result in enumerate(root.results[1:], start=1):
        if result.uses:
            return f"output {index} is read, and only output 0 would be replaced"
    if not root.results or not root.has_trait(Pure):
        return "it has an effect, so nothing can stand in its place"
    if is_boundary_op(root):
        return "it carries the signature of the function, at its boundary"
    search = _Search(pattern.places, named)
    whole = _Part(Pattern(None, pattern), root.results[0], "")
    return None if search.holds([whole], {}, {}) else search.nearest.reason


class _Part(NamedTuple):
    """A part of a match, the value that it has to match, and where that stands."""

    pattern: Pattern
    value: SSAValue
    where: str


class _Miss(NamedTuple):
    """A try that failed: how many ops matched, how early its choices are written, the reason."""

    ops: int
    earliness: tuple[int, ...]
    reason: str


class _Search:
    """A match at one root that keeps the best of its misses."""

    def __init__(self, places: int, named: Naming) -> None:
        self.nearest = _Miss(-1, (), "")
        self._places = range(places)
        self._named = named

    def holds(self, todo: list[_Part], bound: Bindings, orders: Orders, ops: int = 0) -> bool:
        """Test that all parts match, with one choice of each at least; the last part comes first.

        `ops` is the number of ops that match already.
        """
        while todo:
            part = todo.pop()
            op, owner = part.pattern.op, part.value.owner
            if reason := self._fault(part, bound):
                return self._missed(ops, orders, reason)
            if op is None and not part.pattern.ways:
                continue
            # The tag of an op is looked at behind its inputs.
            todo.append(_Part(Pattern(part.pattern.tag, None), part.value, part.where))
            if op is None:
                ways = [[_Part(way, part.value, part.where)] for way in part.pattern.ways]
                return self._one_holds(ways, part.pattern.place, todo, bound, orders, ops)
            if op.name == INPUT or not isinstance(owner, Operation):
                continue
            ops += 1
            if reason := self._count(op, owner, part):
                return self._missed(ops, orders, reason)
            if op.place is not None:
                ways = [_inner(order, owner, part.where) for order in op.orders]
                return self._one_holds(ways, op.place, todo, bound, orders, ops)
            todo += _inner(op.inputs, owner, part.where)
        return True

    def _one_holds(
        self,
        ways: Sequence[list[_Part]],
        place: int,
        todo: list[_Part],
        bound: Bindings,
        orders: Orders,
        ops: int,
    ) -> bool:
        return any(
            self.holds([*todo, *way], {**bound}, {**orders, place: number}, ops)
            for number, way in enumerate(ways)
        )

    def _missed(self, ops: int, orders: Orders, reason: str) -> Literal[False]:
        miss = _Miss(ops, tuple(-orders.get(place, 0) for place in self._places), reason)
        if miss[:2] > self.nearest[:2]:
            self.nearest = miss
        return False

    def _fault(self, part: _Part, bound: Bindings) -> str:
        """Say why a part does not match, but for what is inside; empty where it may."""
        pattern, tag, value, where = part.pattern, part.pattern.tag, part.value, part.where
        if pattern.names is not None:
            return self._producer(pattern, value, where)
        if tag is not None and bound.setdefault(tag, value) is not value:
            other = self._named(bound[tag])
            return f'{where} is {self._named(value)}, but "{tag}" is {other} already'
        return ""

    def _producer(self, pattern: Pattern, value: SSAValue, where: str) -> str:
        node, name, names = Node(value), self._named(value), pattern.names or ()
        if node.name not in names:
            wanted = ("a graph input" if each == INPUT else each for each in sorted(names))
            return f"{where} is {name} {node.name}, the match has {' or '.join(wanted)}"
        op = pattern.op
        if op is not None and node.op is not None and not (node.is_input or op.takes(value)):
            return f"{where} is output {node.index} of {node.op.name}, the match has output 0"
        return ""

    def _count(self, pattern: OpPattern, op: Operation, part: _Part) -> str:
        demanded, count = len(pattern.inputs), len(inputs_of(op))
        if pattern.fits(count):
            return ""
        what = f"{part.where}, {self._named(part.value)} {op.name}," if part.where else "it"
        least = "at least " if pattern.at_least else ""
        return f"{what} has {count} input{'s'[count == 1 :]}, the match has {least}{demanded}"


def _inner(order: Sequence[Pattern], op: Operation, where: str) -> list[_Part]:
    """Return the inputs of a match with those of an op, the last one first."""
    of = f" of {where}" if where else ""
    pairs = enumerate(zip(order, inputs_of(op), strict=False))
    return [_Part(part, value, f"input {index}{of}") for index, (part, value) in pairs][::-1]

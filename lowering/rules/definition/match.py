"""Finding a rule's match at a root: patterns with their names resolved, and what they bind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import Pure

from ..graph.env import ROOT
from ..graph.graph import INPUT, Node, producer_name
from ..graph.names import resolve
from ..tree.expr import Expr, Let, OpForm, Tag

Bindings = dict[str, SSAValue]


@dataclass(frozen=True)
class Pattern:
    """One input of a match: a tag, an op, or an op with a tag; both None means anything."""

    tag: str | None
    op: OpPattern | None

    def match(self, value: SSAValue, bound: Bindings) -> bool:
        """The value fits; what it binds is added to `bound`."""
        if self.op is not None and not self.op.match_value(value, bound):
            return False
        if self.tag is None:
            return True
        return bound.setdefault(self.tag, value) is value


@dataclass(frozen=True)
class OpPattern:
    """An op of a match: its IR name and its inputs, all of them or (`at_least`) the first ones."""

    name: str
    inputs: tuple[Pattern, ...]
    at_least: bool

    def match_value(self, value: SSAValue, bound: Bindings) -> bool:
        """The value is the first output of such an op."""
        if self.name == INPUT:
            return Node(value).is_input
        owner = value.owner
        if not isinstance(owner, Operation) or owner.name != self.name:
            return False
        first = isinstance(value, OpResult) and value.index == 0
        return first and self.match_op(owner, bound)

    def match_op(self, op: Operation, bound: Bindings) -> bool:
        """The inputs of the op fit; its name is known to."""
        operands = op.operands
        return self.fits(len(operands)) and all(
            pattern.match(operand, bound)
            for pattern, operand in zip(self.inputs, operands, strict=False)
        )

    def fits(self, count: int) -> bool:
        """An op with this number of inputs may match."""
        return count >= len(self.inputs) if self.at_least else count == len(self.inputs)

    def could_match(self, producers: dict[int, str]) -> bool:
        """With these producers behind some of the inputs, the match is not ruled out."""
        return all(
            pattern.op.name in (producers[index], INPUT)
            for index, pattern in enumerate(self.inputs)
            if pattern.op is not None and index in producers
        )

    def slots(self) -> Iterator[int]:
        """The inputs that must be made by a certain op."""
        return (index for index, pattern in enumerate(self.inputs) if pattern.op is not None)


def op_pattern(form: OpForm, package: str) -> OpPattern:
    """A match with its names resolved for a package."""
    inputs = tuple(_pattern(expr, package) for expr in form.inputs)
    return OpPattern(resolve(form.name, package), inputs, form.at_least)


def find(pattern: OpPattern, root: Operation) -> Bindings | None:
    """What the match binds at this root; None where it does not match.

    Only the root's first output is replaced, so its others must be unused. An op with an effect
    cannot go, so it is no root.
    """
    results = root.results
    if not results or any(result.uses for result in results[1:]):
        return None
    bound: Bindings = {ROOT: results[0]}
    return bound if pattern.match_op(root, bound) and root.has_trait(Pure) else None


def _pattern(expr: Expr, package: str) -> Pattern:
    match expr:
        case Tag(name):
            return Pattern(name, None)
        case Let(tag, op):
            return Pattern(tag, op_pattern(op, package))
        case OpForm():
            return Pattern(None, op_pattern(expr, package))
        case _:
            raise TypeError(f"{expr} is no part of a match")


class Index:
    """The rules of one pass group that may match a root, found in a few look-ups.

    Remembered by the root's name, its number of inputs and the names of the ops behind those
    inputs that some rule of that root wants made by a certain op.
    """

    def __init__(self, patterns: Sequence[OpPattern]) -> None:
        self._by_root: dict[str, list[int]] = {}
        self._slots: dict[str, tuple[int, ...]] = {}
        self._patterns = patterns
        self._known: dict[tuple[str, int, tuple[str, ...]], tuple[int, ...]] = {}
        for number, pattern in enumerate(patterns):
            self._by_root.setdefault(pattern.name, []).append(number)
        for name, numbers in self._by_root.items():
            slots = {slot for number in numbers for slot in patterns[number].slots()}
            self._slots[name] = tuple(sorted(slots))

    def candidates(self, op: Operation) -> tuple[int, ...]:
        """The numbers of the rules to try at this op, in the order of writing."""
        slots = self._slots.get(op.name)
        if slots is None:
            return ()
        operands = op.operands
        count = len(operands)
        names = tuple(producer_name(operands[slot]) for slot in slots if slot < count)
        key = (op.name, count, names)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._search(op.name, count, names)
        return found

    def _search(self, name: str, count: int, names: tuple[str, ...]) -> tuple[int, ...]:
        producers = dict(zip(self._slots[name], names, strict=False))
        return tuple(
            number
            for number in self._by_root[name]
            if self._patterns[number].fits(count) and self._patterns[number].could_match(producers)
        )

"""Matching: a rule's pattern at a root, and an index of the rules that may match there.

The index is a decision table by the name of the root, its number of inputs, and the names of the
ops behind those inputs for which some rule demands a producer. A row is computed once, by a linear
scan of the rules of that root, and looked up in constant time from then on. A match then walks its
pattern and the graph together, in time linear in the size of the pattern.

A rule has a pattern for each order of the inputs of its commutative ops, many of which share parts.
So the names of the ops are compared first, each part with each value once, and only a pattern whose
names fit is walked for what its tags are bound to.

Example: of the rules `Neg(Neg(X))` (0), `Neg(Abs(X))` (1) and `Neg(X)` (2) the root `Neg` demands
input 0. For Neg over an Abs the row ("htp.Neg", 1, ("htp.Abs",)) holds the rules 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike, Pure

from ....dialects.locations import fused, location_of
from ..graph.graph import INPUT, is_boundary_op, producer_name
from ..graph.inputs import inputs_of
from ..graph.names import resolve
from ..graph.tables import ROOT
from ..tree.expr import Expr, Let, OpForm, Tag
from ..tree.walk import orders

Bindings = dict[str, SSAValue]
Known = dict[tuple[int, SSAValue], bool]
"""The answers of `names_fit`, by the id of the part and the value."""


@dataclass(frozen=True)
class Pattern:
    """An input of a match: a tag, an op, or an op with a tag; with neither it takes any value."""

    tag: str | None
    op: OpPattern | None

    def match(self, value: SSAValue, bound: Bindings) -> bool:
        """Match a value and add its tags to `bound`."""
        if self.op is not None and not self.op.match_value(value, bound):
            return False
        if self.tag is None:
            return True
        return bound.setdefault(self.tag, value) is value

    def names_fit(self, value: SSAValue, known: Known) -> bool:
        """The ops behind a value have the names that they are to have."""
        key = (id(self), value)
        if key not in known:
            known[key] = self.op is None or (
                producer_name(value) == self.op.name
                and (
                    not isinstance(value.owner, Operation)
                    or self.op.names_fit(inputs_of(value.owner), known)
                )
            )
        return known[key]


@dataclass(frozen=True)
class OpPattern:
    """An op of a match: its IR name and its inputs, all of them or (`at_least`) the first ones.

    `any_output` takes each of its outputs, not the first alone.
    """

    name: str
    inputs: tuple[Pattern, ...]
    at_least: bool
    any_output: bool = False

    @cached_property
    def is_nested(self) -> bool:
        """It has further ops behind its inputs."""
        return any(pattern.op is not None for pattern in self.inputs)

    def match_value(self, value: SSAValue, bound: Bindings) -> bool:
        """Match the first output, or any, of an op of this name."""
        if self.name == INPUT:
            return producer_name(value) == INPUT
        owner = value.owner
        if not isinstance(owner, Operation) or producer_name(value) != self.name:
            return False
        return self.takes(value) and self.match_op(owner, bound)

    def takes(self, value: SSAValue) -> bool:
        """An op's output of this index can match."""
        return isinstance(value, OpResult) and (self.any_output or value.index == 0)

    def match_op(self, op: Operation, bound: Bindings) -> bool:
        """Match the inputs of an op of this name."""
        inputs = inputs_of(op)
        return self.fits(len(inputs)) and all(
            pattern.match(value, bound) for pattern, value in zip(self.inputs, inputs, strict=False)
        )

    def names_fit(self, inputs: Sequence[SSAValue], known: Known) -> bool:
        """The ops behind the inputs have the names that they are to have."""
        if not self.fits(len(inputs)):
            return False
        for pattern, value in zip(self.inputs, inputs, strict=False):
            if pattern.op is not None and not pattern.names_fit(value, known):
                return False
        return True

    def ops(self, op: Operation) -> Iterator[Operation]:
        """Yield the ops that a match of an op covers, the op itself first; constants are none."""
        yield op
        for pattern, value in zip(self.inputs, inputs_of(op), strict=False):
            inner, owner = pattern.op, value.owner
            if inner is None or inner.name == INPUT or not isinstance(owner, Operation):
                continue
            if not owner.has_trait(ConstantLike):
                yield from inner.ops(owner)

    def fits(self, count: int) -> bool:
        """An op with this number of inputs can match."""
        return count >= len(self.inputs) if self.at_least else count == len(self.inputs)

    def could_match(self, producers: dict[int, str]) -> bool:
        """A root with these producers behind some of its inputs can match."""
        return all(
            pattern.op.name in (producers[index], INPUT)
            for index, pattern in enumerate(self.inputs)
            if pattern.op is not None and index in producers
        )

    def produced(self) -> Iterator[int]:
        """Yield the inputs that demand a certain producer."""
        return (index for index, pattern in enumerate(self.inputs) if pattern.op is not None)


def op_patterns(form: OpForm, package: str) -> tuple[OpPattern, ...]:
    """Resolve the names of a match for a package: a pattern for each order of its inputs."""
    written = tuple(orders(form))
    # Orders share their parts: each is resolved once.
    done: dict[int, Pattern] = {}
    return tuple(_op_pattern(order, package, done) for order in written)


class Match(NamedTuple):
    """A match: the op at its root, the pattern that fits there, and what its tags are bound to."""

    root: Operation
    pattern: OpPattern
    bound: Bindings

    @property
    def location(self) -> LocationAttr:
        """The location of what replaces it: that of all the ops that it covers."""
        if not self.pattern.is_nested:
            return location_of(self.root)
        return fused(map(location_of, self.pattern.ops(self.root)))


def matches(patterns: Sequence[OpPattern], root: Operation) -> Iterator[Match]:
    """Yield each match at a root.

    Only the first output of the root is replaced, so the others must be unused, and the root must
    have no effect and be no Reshape at the function's boundary.
    """
    results = root.results
    if not results or any(result.uses for result in results[1:]) or not root.has_trait(Pure):
        return
    if is_boundary_op(root):
        return
    inputs, known = inputs_of(root), Known()
    for pattern in patterns:
        if len(patterns) > 1 and not pattern.names_fit(inputs, known):
            continue
        bound: Bindings = {ROOT: results[0]}
        if pattern.match_op(root, bound):
            yield Match(root, pattern, bound)


def _op_pattern(form: OpForm, package: str, done: dict[int, Pattern]) -> OpPattern:
    for expr in form.inputs:
        if id(expr) not in done:
            done[id(expr)] = _pattern(expr, package, done)
    inputs = tuple(done[id(expr)] for expr in form.inputs)
    return OpPattern(resolve(form.name, package), inputs, form.at_least, form.any_output)


def _pattern(expr: Expr, package: str, done: dict[int, Pattern]) -> Pattern:
    match expr:
        case Tag(name):
            return Pattern(name, None)
        case Let(tag, op):
            return Pattern(tag, _op_pattern(op, package, done))
        case OpForm():
            return Pattern(None, _op_pattern(expr, package, done))
        case _:
            raise TypeError(f"{expr} is no part of a match")


class DecisionTable:
    """The decision table of rules of one pass group, whose patterns are listed by number."""

    def __init__(self, patterns: Mapping[int, Sequence[OpPattern]]) -> None:
        self._by_root: dict[str, list[int]] = {}
        self._slots: dict[str, tuple[int, ...]] = {}
        self._patterns = patterns
        self._rows: dict[tuple[str, int, tuple[str, ...]], tuple[int, ...]] = {}
        for number, each in patterns.items():
            self._by_root.setdefault(each[0].name, []).append(number)
        for name, numbers in self._by_root.items():
            every = (pattern for number in numbers for pattern in patterns[number])
            slots = {slot for pattern in every for slot in pattern.produced()}
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
                if any(p.fits(count) and p.could_match(producers) for p in self._patterns[number])
            )
        return row

"""An index of the rules that may match at an op.

The index is a decision table by the name of the root, its number of inputs, and the names of the
ops behind those inputs for which some rule demands a producer. A row is computed once, by a linear
scan of the rules of that root, and looked up in constant time from then on.

Example: of the rules `Neg(Neg(X))` (0), `Neg(Abs(X))` (1) and `Neg(X)` (2) the root `Neg` demands
input 0. For Neg over an Abs the row ("htp.Neg", 1, ("htp.Abs",)) holds the rules 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from ..graph.graph import producer_name
from ..graph.inputs import inputs_of
from .pattern import OpPattern


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

"""Reasons why rules did not fire, at some ops for each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ....runtime.passes.instrument import FiredRule
from ...rules import Rule
from ...rules.ask.explain import Explanation, after, before
from ...rules.ask.near_miss import Naming
from ...rules.engine.run import Run


class WhyNot:
    """The outcome of each rule at up to `limit` ops of its root's name at which it did not fire.

    Of several visits of an op the last counts.
    """

    def __init__(self, limit: int, named: Naming) -> None:
        self._limit = limit
        self._named = named
        self._counts: Counter[int] = Counter()
        self._entries: dict[tuple[int, Operation], Explanation] = {}
        self._by_root: dict[str, list[Rule]] = {}

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        """Hear that a pass group begins."""
        self._run, self._function = run, function.sym_name.data
        self._by_root = {}
        for rule in members:
            self._by_root.setdefault(rule.root, []).append(rule)

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        """Hear that rules are tried at an op; those that made it are left out."""
        for rule in self._by_root.get(root.name, ()):
            key = (id(rule), root)
            is_new = key not in self._entries
            if rule in left_alone or (is_new and self._counts[id(rule)] >= self._limit):
                continue
            self._counts[id(rule)] += is_new
            entry = before(rule, self._run, root, self._function, self._named)
            self._entries[key] = entry

    def fired(self, fired: FiredRule, root: Operation) -> None:
        """Hear that a rule fired: it leaves the list, and took the op from the others."""
        for rule in self._by_root.get(root.name, ()):
            key = (id(rule), root)
            if key not in self._entries:
                continue
            if rule is fired:
                del self._entries[key]
                self._counts[id(rule)] -= 1
            else:
                self._entries[key] = after(self._entries[key], fired)

    def of(self, rule: Rule) -> Iterator[tuple[Operation, Explanation]]:
        """Yield the ops at which a rule did not fire."""
        for (number, op), entry in self._entries.items():
            if number == id(rule):
                yield op, entry

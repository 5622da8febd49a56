"""Op names of rules that nobody knows, by two least fixed points over the rules.

A rule leads from the ops of its match to those that it builds. A name that no package declares is
an intermediate op where rules make it out of known ops, and rules that match it turn it into known
ops. A name that no rule builds is reported and then counts as made, so that what the rule would
have built is not reported too; the same holds backwards. Cost: rules times the longest chain.

Example: of `Relu -> Mid` and `Mid -> Abs` nothing is reported. Of `Scael -> Scael`, a split, the
name is: only rules that match it make it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ....dialects.htp.ops.state import StateReadOp, StateWriteOp
from ..graph.graph import INPUT, OUTPUT
from ..graph.names import remedy
from ..tree.build import OpClasses
from ..tree.expr import OUT, Expr
from ..tree.function import calls_in
from .rule import Rule, RuleSet
from .scope import ops_of

_READABLE = (StateReadOp.name, StateWriteOp.name, INPUT, OUTPUT)
Names = AbstractSet[str]


@dataclass(frozen=True)
class UnknownOp:
    """A name in a rule that no op has, and the message about it."""

    rule: Rule
    message: str

    def __str__(self) -> str:
        return f"{self.rule.label}: {self.message}"


def unknown_ops(rules: RuleSet, classes: OpClasses, only: Sequence[Rule]) -> list[UnknownOp]:
    """Return the names in some rules that no package declares and that all rules do not explain.

    `classes` has every op that can be built, those that rules alone name included.
    """
    known = {*classes, *_READABLE} - rules.undeclared
    asked = [_Uses.of(rule) for rule in only]
    if all(use.names().keys() <= known for use in asked):
        return []
    uses = [_Uses.of(rule) for rule in rules]
    makeable = _reach(known, [(use.match.keys(), use.makes(rules.undeclared)) for use in uses])
    takeable = _reach(known, [(use.built.keys(), use.match.keys()) for use in uses])
    unknown: list[UnknownOp] = []
    for use in asked:
        for full, name in use.names().items():
            why = "" if full in known else use.fault(full, makeable, takeable, full in classes)
            if why:
                fix = remedy(name, use.rule.package, known, cpp=full in rules.undeclared)
                unknown.append(UnknownOp(use.rule, f"no package has {full}, and {why}; {fix}"))
    return unknown


def ops_in(rule: Rule, expr: Expr) -> dict[str, str]:
    """Return the ops that a part of a rule names, by IR name, as the rule writes them."""
    return ops_of(rule.package, expr)


@dataclass(frozen=True)
class _Reached:
    """The names that arrows lead to at all, and the names that follow from known ones."""

    targets: Names
    reached: Names

    def fault(self, name: str, outside: str, in_circle: str) -> str:
        """Return the first text for a name of no arrow, the second for one in a circle."""
        if name not in self.targets:
            return outside
        return "" if name in self.reached else in_circle


def _reach(known: Names, arrows: Sequence[tuple[Names, Names]]) -> _Reached:
    """Follow the arrows from known names, and from names that no arrow leads to."""
    targets = {name for _, ends in arrows for name in ends}
    reached = {*known, *(name for starts, _ in arrows for name in starts if name not in targets)}
    while True:
        further = {name for starts, ends in arrows if starts <= reached for name in ends} - reached
        if not further:
            return _Reached(targets, reached)
        reached |= further


@dataclass(frozen=True)
class _Uses:
    """The ops that the match, the constraint and the replacement of a rule name."""

    rule: Rule
    match: Mapping[str, str]
    asked: Mapping[str, str]
    built: Mapping[str, str]

    @classmethod
    def of(cls, rule: Rule) -> _Uses:
        """Return the uses of a rule."""
        match, asked = ops_in(rule, rule.match), ops_in(rule, rule.constraint)
        # $Out builds no op, but takes one output of an op that is built.
        built = {op: name for op, name in ops_in(rule, rule.replacement).items() if name != OUT}
        return cls(rule, match, asked, built)

    def names(self) -> Mapping[str, str]:
        """Return all of them."""
        return {**self.match, **self.asked, **self.built}

    def makes(self, undeclared: Names) -> Names:
        """Return the ops that the rule builds; a Python function may build any of its package."""
        own = {name for name in undeclared if name.startswith(f"{self.rule.package}.")}
        if own and any(calls_in(self.rule.replacement, "EXTERNAL_REPLACE")):
            return own | self.built.keys()
        return self.built.keys()

    def fault(self, full: str, makeable: _Reached, takeable: _Reached, is_op: bool) -> str:
        """Return why the rule is dead by a name that nobody declares; empty where it is not."""
        if full in self.match or full in self.asked:
            why = makeable.fault(full, "no rule makes it", "only rules that match it make it")
            if why or full not in self.built:
                return why
        if not is_op:
            return "it cannot be built"
        return takeable.fault(full, "no rule matches it", "only rules that make it match it")

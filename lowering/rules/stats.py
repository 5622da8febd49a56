"""What a run of rules did: attempts, matches and firings of every rule."""

from __future__ import annotations

from dataclasses import dataclass, field

from .priorities import priority_name
from .rule import Rule


@dataclass
class RuleCount:
    """How often one rule was tried at a root, matched it, and fired."""

    rule: Rule
    attempts: int = 0
    matches: int = 0
    firings: int = 0


@dataclass
class RuleStats:
    """The counts of all rules of a run, in the order in which their pass groups ran."""

    counts: list[RuleCount] = field(default_factory=list)

    @property
    def firings(self) -> int:
        """Firings of all rules together."""
        return sum(count.firings for count in self.counts)

    def of(self, rule: Rule | str) -> RuleCount:
        """The count of a rule, or of the first rule of that name; KeyError where none ran."""
        for count in self.counts:
            if rule in (count.rule, count.rule.name):
                return count
        raise KeyError(str(rule))

    def __str__(self) -> str:
        lines = [f"{'attempts':>8} {'matches':>8} {'firings':>8}  rule"]
        for count in self.counts:
            group = priority_name(count.rule.priority)
            numbers = f"{count.attempts:8} {count.matches:8} {count.firings:8}"
            lines.append(f"{numbers}  {group} {count.rule.label}")
        return "\n".join(lines)

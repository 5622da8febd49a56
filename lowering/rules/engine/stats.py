"""Statistics of a run of rules: attempts, matches, refusals, firings and time of each rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import LocationAttr

from ....dialects.locations import Origin, listed, origins
from ..definition.rule import Rule
from ..graph.priorities import priority_name

Row = dict[str, str | int | float | list[str]]


@dataclass(kw_only=True)
class Counts:
    """Attempts at a root, matches, matches that the constraint refused, firings, and the time."""

    attempts: int = 0
    matches: int = 0
    refusals: int = 0
    firings: int = 0
    seconds: float = 0.0

    def add(self, other: Counts) -> None:
        """Add the counts of another."""
        self.attempts += other.attempts
        self.matches += other.matches
        self.refusals += other.refusals
        self.firings += other.firings
        self.seconds += other.seconds

    def columns(self) -> str:
        """Return the counts as a line of a table, the time in milliseconds."""
        counts = (self.attempts, self.matches, self.refusals, self.firings)
        return f"{' '.join(f'{number:8}' for number in counts)} {self.seconds * 1000:8.2f}"


@dataclass
class RuleCount(Counts):
    """The counts of one rule, and the locations of what it replaced, each once."""

    rule: Rule
    replaced: dict[LocationAttr, None] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        """Add the counts of another, and its locations."""
        super().add(other)
        if isinstance(other, RuleCount):
            self.replaced |= other.replaced

    def origins(self) -> Iterator[Origin]:
        """Yield the first origin of everything that the rule replaced."""
        for location in self.replaced:
            yield from origins(location)[:1]

    def row(self) -> Row:
        """Return the counts by name, for machines."""
        return {
            "rule": self.rule.name,
            "where": self.rule.where,
            "nth": self.rule.nth,
            "group": priority_name(self.rule.priority),
            "attempts": self.attempts,
            "matches": self.matches,
            "refusals": self.refusals,
            "firings": self.firings,
            "seconds": round(self.seconds, 6),
            "fired at": list(dict.fromkeys(map(str, self.origins()))),
        }


@dataclass
class RuleStats:
    """The counts of all rules of a run, in the order in which their pass groups ran."""

    counts: list[RuleCount] = field(default_factory=list)

    @property
    def firings(self) -> int:
        """The number of firings of all rules."""
        return sum(count.firings for count in self.counts)

    def of(self, rule: Rule | str) -> RuleCount:
        """Return the count of a rule or of the first rule of that name; KeyError where none ran."""
        for count in self.counts:
            if rule in (count.rule, count.rule.name):
                return count
        raise KeyError(str(rule))

    def rows(self) -> list[Row]:
        """Return one row for each rule, for machines."""
        return [count.row() for count in self.counts]

    def __str__(self) -> str:
        tried = [count for count in self.counts if count.attempts]
        total = Counts()
        for count in tried:
            total.add(count)
        lines = [
            f"{count.columns()}  {priority_name(count.rule.priority)} {count.rule.label}"
            + (f" at {listed(count.origins())}" if any(count.origins()) else "")
            for count in tried
        ]
        idle = len(self.counts) - len(tried)
        untried = f"{idle} more {'rule' if idle == 1 else 'rules'} met no op to be tried at"
        return "\n".join([_HEAD, *lines, f"{total.columns()}  all", untried])


def merged(runs: Iterable[RuleStats]) -> RuleStats:
    """Merge the counts of several runs; those of one rule are added up."""
    totals: dict[tuple[Rule, str], RuleCount] = {}
    for run in runs:
        for count in run.counts:
            key = (count.rule, count.rule.place)
            totals.setdefault(key, RuleCount(count.rule)).add(count)
    return RuleStats(list(totals.values()))


_HEAD = f"{'attempts':>8} {'matches':>8} {'refusals':>8} {'firings':>8} {'ms':>8}  rule"

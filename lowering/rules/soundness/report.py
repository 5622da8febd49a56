"""What a check of a rule found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..rule import Rule


@dataclass(frozen=True)
class Counterexample:
    """A small graph that the rule breaks: what differs, the IR before, and the IR after.

    `before` runs as it is; `after` is None where the rule gave no valid graph.
    """

    reason: str
    before: str
    after: str | None

    def __str__(self) -> str:
        parts = [f"// {self.reason}\n// before", self.before]
        return "\n".join(
            parts if self.after is None else [*parts, "// -----\n// after", self.after]
        )


@dataclass(frozen=True)
class Report:
    """How many cases a rule was run on, out of how many graphs drawn, and what broke it.

    `refused` are the most frequent reasons why a graph was no case.
    """

    rule: Rule
    cases: int
    attempts: int
    refused: Sequence[tuple[str, int]] = ()
    counterexample: Counterexample | None = None

    @property
    def passed(self) -> bool:
        """There were cases, and all of them gave the same numbers before and after."""
        return self.cases > 0 and self.counterexample is None

    def __str__(self) -> str:
        line = f"{self.rule.label}: {self.cases} cases of {self.attempts} graphs"
        if self.counterexample is not None:
            return f"{line}, not sound\n{self.counterexample}"
        if self.cases:
            return f"{line}, sound"
        reasons = [f"\n  {count} times: {reason}" for reason, count in self.refused]
        return f"{line}, not checked{''.join(reasons)}"

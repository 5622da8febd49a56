"""The result of a soundness check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent

from ....dialects.spec_of import Array
from ..definition.rule import Rule

_FEW, _SCARCE = 10, 20
"""The least number of cases of a check that is not weak, and of graphs for each that are many."""


@dataclass(frozen=True)
class Counterexample:
    """A small graph that the rule breaks: the difference, the IR before, and the IR after.

    Both can be run; `after` is None where the rule gave no valid graph. `feeds` are the inputs,
    with one set for each of the `inferences` along a leading axis where there are several.
    """

    reason: str
    before: str
    after: str | None
    feeds: Mapping[str, Array]
    inferences: int

    def __str__(self) -> str:
        lines = [f"// {self.reason}"]
        lines += [f"// input '{name}': {array.tolist()}" for name, array in self.feeds.items()]
        lines += ["// before", self.before]
        if self.after is not None:
            lines += ["// -----", "// after", self.after]
        return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """The number of cases a rule ran on, of graphs drawn for them, and the counterexample.

    `refused` are the most frequent reasons why a graph was no case, `obstacle` is the reason why no
    graph could be run at all. `guessed` are lines that declare ops of which only a guess is known,
    `wrong_guesses` what such ops are not, if the rule is right. `overflowed` are further
    graphs that say nothing about the rule, since they overflow before it.
    """

    rule: Rule
    cases: int
    attempts: int
    refused: Sequence[tuple[str, int]] = ()
    counterexample: Counterexample | None = None
    obstacle: str = ""
    guessed: Sequence[str] = ()
    wrong_guesses: Sequence[tuple[str, ...]] = ()
    overflowed: int = 0

    @property
    def passed_over(self) -> str:
        """The reason why the rule was not checked; empty where it was."""
        if self.cases or self.counterexample is not None:
            return ""
        if self.overflowed:
            return "every graph that match and constraint accept overflows before the rule"
        return self.obstacle or "no graph was found that match and constraint accept"

    @property
    def passed(self) -> bool:
        """There were cases, and each gave the same numbers before and after."""
        return self.cases > 0 and self.counterexample is None

    @property
    def is_weak(self) -> bool:
        """So few of many graphs were cases that they say little about the rule."""
        return self.passed and self.cases < _FEW and self.attempts >= _SCARCE * self.cases

    def __str__(self) -> str:
        if self.obstacle:
            return f"{self.rule.label}: not checked: {self.obstacle}{self._declare()}"
        line = f"{self.rule.label}: {self.cases} cases of {self.attempts} graphs"
        if self.overflowed:
            line += f" ({self.overflowed} more overflow before the rule)"
        if self.counterexample is not None:
            return f"{line}, not sound\n{self.counterexample}"
        if self.cases and self.wrong_guesses:
            less = ", ".join(dict.fromkeys(self.wrong_guesses[0]))
            return f"{line}, sound unless {less}{self._declare()}"
        if self.cases:
            return f"{line}, sound{self._scarce()}"
        reasons = [f"\n  {count} times: {reason}" for reason, count in self.refused]
        return f"{line}, not checked{''.join(reasons)}{self._declare()}"

    def _scarce(self) -> str:
        if not self.is_weak:
            return ""
        why = f": most often {self.refused[0][0]}" if self.refused else ""
        return f", but few graphs were cases{why}"

    def _declare(self) -> str:
        return "".join(f"\n  declare the op:\n{indent(each, '    ')}" for each in self.guessed)

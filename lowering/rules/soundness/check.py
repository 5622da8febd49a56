"""Soundness check: a rule runs on graphs made for it, and the numbers must stay the same."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

from ....dialects.diagnostics import HtpError
from ....runtime.library import Library
from ..definition.rule import Rule, RuleSet
from .calibrate import calibrate
from .case import Case
from .choices import Choices
from .constraint_system import Contradiction
from .report import Counterexample, Report
from .run import Bench, Failure, Trial, guessed, judge
from .search import Searcher, SearchResult
from .shrink import Draws, shrink

_REASONS = 5
"""Number of refusal reasons in a report."""
_ATTEMPTS, _LEAST_ATTEMPTS = 60, 400
"""Maximum number of graphs to draw: for each case, and the least such maximum in all."""


def check_rule(
    rule: Rule,
    *,
    seed: int = 0,
    cases: int = 50,
    rule_set: RuleSet | None = None,
    library: Library | None = None,
) -> Report:
    """Run a rule alone on `cases` graphs that its match and constraint accept.

    The graphs differ in shapes, dtypes, encodings, params, data, further uses and graph options;
    they are made for the match, guided by the constraint. `rule_set` has the ops and functions
    that the rule needs beyond the native ones, `library` the kernels of such ops.

    Example: `assert check_rule(my_rule).passed`
    """
    return _Check(rule, rule_set or RuleSet((rule,)), library).report(seed, cases)


class _Check:
    def __init__(self, rule: Rule, rule_set: RuleSet, library: Library | None) -> None:
        self._rule = rule
        self._searcher = Searcher(rule, rule_set)
        self._bench = Bench.of(rule_set.alone(rule), library)

    def report(self, seed: int, wanted: int) -> Report:
        """Search and run until there are enough cases, or too many graphs were drawn."""
        return replace(self._report(seed, wanted), guessed=guessed(self._bench.rules))

    def _report(self, seed: int, wanted: int) -> Report:
        if obstacle := self._bench.obstacle():
            return Report(self._rule, 0, 0, obstacle=obstacle)
        random, good, result = Random(f"{seed} {self._rule}"), 0, SearchResult()
        limit = max(_LEAST_ATTEMPTS, _ATTEMPTS * wanted)
        while good < wanted and result.attempts < limit:
            result.cases.clear()
            self._searcher.search(random, wanted - good, limit, result)
            verdict = judge(self._calibrated(result), self._bench)
            good += len(verdict.good)
            result.refused += verdict.refused
            if verdict.failures:
                counterexample = self._shown(verdict.failures[0])
                return Report(self._rule, good, result.attempts, counterexample=counterexample)
        return Report(self._rule, good, result.attempts, result.refused.most_common(_REASONS))

    def _calibrated(self, result: SearchResult) -> list[Case]:
        """Return the cases with their final encodings that the constraint still accepts."""
        calibrate(result.cases, self._bench.library)
        kept: list[Case] = []
        for case in result.cases:
            try:
                if case.quants:
                    self._searcher.check(case)
                kept.append(case)
            except Contradiction as reason:
                result.refused[str(reason)] += 1
        return kept

    def _again(self, draws: Draws) -> Failure | None:
        """Return the failure of the case that these draws make, if it fails."""
        result = SearchResult()
        try:
            result.cases.append(self._searcher.case(Choices(draws)))
        except Contradiction:
            return None
        failures = judge(self._calibrated(result), self._bench).failures
        return failures[0] if failures else None

    def _shown(self, failure: Failure) -> Counterexample:
        """Return the failure, shrunk, as text."""
        failure = shrink(failure, self._again)
        trial = Trial([failure.case])
        before, after = str(trial.module), None
        with suppress(HtpError):
            trial.rewrite(self._bench.rules)
            after = str(trial.module)
        feeds = trial.placed[0].feeds
        return Counterexample(failure.reason, before, after, feeds, trial.inferences)

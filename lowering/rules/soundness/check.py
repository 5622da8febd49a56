"""Checking rules by running them: the same numbers before and after, on graphs made for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

from ....dialects.diagnostics import HtpError
from ..rule import Rule, RuleSet
from .calibrate import calibrate
from .case import Case
from .choices import Choices
from .report import Counterexample, Report
from .run import Failure, Trial, judge
from .search import Found, Searcher
from .shrink import Made, shrink
from .unknowns import Contradiction

_REASONS = 5
_ATTEMPTS, _LEAST_ATTEMPTS = 60, 400
"""Graphs that are drawn at most: for each case that is wanted, and in all."""


def check_rule(
    rule: Rule, *, seed: int = 0, cases: int = 50, rule_set: RuleSet | None = None
) -> Report:
    """Run a rule alone on `cases` graphs that its match and constraint accept.

    The graphs differ in shapes, dtypes, encodings, params, data, further uses and graph options;
    they are made for the match, guided by the constraint. `rule_set` has the ops and functions
    that the rule needs beyond the native ones.

    Example: `assert check_rule(my_rule).passed`
    """
    searcher = Searcher(rule, rule_set or RuleSet((rule,)))
    random = Random(f"{seed} {rule}")
    good, found = 0, Found()
    limit = max(_LEAST_ATTEMPTS, _ATTEMPTS * cases)
    while good < cases and found.attempts < limit:
        found.cases.clear()
        searcher.search(random, cases - good, limit, found)
        verdict = judge(_calibrated(searcher, found), searcher.rules)
        good += len(verdict.good)
        found.refused += verdict.refused
        if verdict.failures:
            return _broken(searcher, found, good, verdict.failures[0])
    return Report(rule, good, found.attempts, found.refused.most_common(_REASONS))


def check_rules(rule_set: RuleSet, *, seed: int = 0, cases: int = 50) -> Iterator[Report]:
    """The report of every rule of a set."""
    for rule in rule_set:
        yield check_rule(rule, seed=seed, cases=cases, rule_set=rule_set)


def _calibrated(searcher: Searcher, found: Found) -> list[Case]:
    """The cases with their final encodings; a constraint that asks for others drops a case."""
    calibrate(found.cases)
    kept: list[Case] = []
    for case in found.cases:
        try:
            if case.quants:
                searcher.check(case)
            kept.append(case)
        except Contradiction as reason:
            found.refused[str(reason)] += 1
    return kept


def _broken(searcher: Searcher, found: Found, good: int, failure: Failure) -> Report:
    def fails(made: Made) -> Failure | None:
        again = Found()
        try:
            again.cases.append(searcher.case(Choices(made)))
        except Contradiction:
            return None
        failures = judge(_calibrated(searcher, again), searcher.rules).failures
        return failures[0] if failures else None

    smallest = shrink(failure, fails)
    shown = _illustrated(smallest, searcher.rules)
    return Report(searcher.rule, good, found.attempts, counterexample=shown)


def _illustrated(failure: Failure, rules: RuleSet) -> Counterexample:
    trial = Trial([failure.case])
    before, after = str(trial.module), None
    with suppress(HtpError):
        trial.rewrite(rules)
        after = str(trial.module)
    return Counterexample(failure.reason, before, after, trial.placed[0].feeds, trial.inferences)

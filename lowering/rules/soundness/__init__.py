"""Checking that rules keep the numbers: graphs made for a rule, run before and after it.

Example: `assert check_rule(rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X")).passed`

A counterexample is shrunk by delta debugging of its recorded draws. Rows are tried in which a block
of draws is 0, from the whole row down to single draws, then rows with one draw halved or one less;
the first that still fails is the new start. The search ends where no such row fails, or after 400
trials, each of which makes and runs one case.

Example: the draws (3, 17, 2) fail. (0, 0, 0) passes, (0, 17, 2) fails and is the new start; from it
(0, 0, 2) passes, (0, 17, 0) fails; then (0, 8, 0) and so on, until no smaller row fails.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random

from ....dialects.diagnostics import HtpError
from ....dialects.faults.arguments import WHOLE, a, arguments
from ....runtime.kernel.library import LIBRARY, Library
from ..definition.rule import Rule, RuleSet
from .case import DrawnCase
from .drawing.constraint_system import Choices, Contradiction
from .report import Counterexample, Report
from .run import Bench, Failure, Trial, calibrate, guessed, judge
from .search import Searcher, SearchResult

Draws = tuple[int, ...]
_TRIALS = 400
"""Maximum number of cases that are tried."""


def shrink(failure: Failure, fails: Callable[[Draws], Failure | None]) -> Failure:
    """Return the simplest failing case that a bounded number of trials gives."""
    trials = _TRIALS
    improved = True
    while improved:
        improved = False
        for draws in _simpler(failure.case.draws):
            trials -= 1
            if trials < 0:
                return failure
            smaller = fails(draws)
            if smaller is not None and _size(smaller.case.draws) < _size(failure.case.draws):
                failure, improved = smaller, True
                break
    return failure


def _size(draws: Draws) -> tuple[int, Draws]:
    return len(draws), draws


def _simpler(draws: Sequence[int]) -> Iterator[Draws]:
    """Yield simpler rows, the simplest first."""
    # Blocks of zeros, from the whole row down to single draws.
    block = len(draws)
    while block:
        for start in range(0, len(draws), block):
            part = draws[start : start + block]
            if any(part):
                yield (*draws[:start], *[0] * len(part), *draws[start + block :])
        block //= 2
    # One draw halved, or one less.
    for place, value in enumerate(draws):
        for less in dict.fromkeys((value // 2, value - 1)):
            if 0 < less < value:
                yield (*draws[:place], less, *draws[place + 1 :])


Guesses = tuple[str, ...]
"""A row of texts: for each op that nobody declares, the one that it was taken for."""
_REASONS = 5
"""Number of refusal reasons in a report."""
_ATTEMPTS, _LEAST_ATTEMPTS = 60, 400
"""Maximum number of graphs to draw: for each case, and the least such maximum in all."""


@arguments(rule=a("a rule", Rule), seed=WHOLE, cases=WHOLE, library=LIBRARY)
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
        """Search and run until there are enough cases, or too many graphs were drawn.

        Where an op is only guessed, a guess under which the rule fails counts as wrong as long as
        the rule holds under another one.
        """
        lines = guessed(self._bench.rules)
        if obstacle := self._bench.obstacle():
            return Report(self._rule, 0, 0, obstacle=obstacle, guessed=lines)
        random, result = Random(f"{seed} {self._rule}"), SearchResult()
        good: Counter[Guesses] = Counter()
        wrong: dict[Guesses, Failure] = {}
        overflowed = 0
        limit = max(_LEAST_ATTEMPTS, _ATTEMPTS * wanted)
        while good.total() < wanted and result.attempts < limit and () not in wrong:
            result.cases.clear()
            self._searcher.search(random, wanted - good.total(), limit, result)
            result.cases = [case for case in result.cases if case.guesses not in wrong]
            verdict = judge(self._calibrated(result), self._bench)
            good.update(case.guesses for case in verdict.good)
            result.refused += verdict.refused
            overflowed += verdict.overflowed
            for failure in verdict.failures:
                wrong.setdefault(failure.case.guesses, failure)
                del good[failure.case.guesses]
        telling = [wrong[()]] if () in wrong else [each for each in wrong.values() if each.tells]
        shown = self._shown(telling[0]) if telling and (() in wrong or not good) else None
        if wrong and not (good or telling):
            result.refused.update(f"what it is taken for: {each.reason}" for each in wrong.values())
        return Report(
            self._rule,
            good.total(),
            result.attempts,
            result.refused.most_common(_REASONS),
            shown,
            guessed=lines,
            wrong_guesses=tuple(filter(None, wrong)),
            overflowed=overflowed,
        )

    def _calibrated(self, result: SearchResult) -> list[DrawnCase]:
        """Return the cases with their final encodings that the constraint still accepts."""
        calibrate(result.cases, self._bench.library)
        kept: list[DrawnCase] = []
        for case in result.cases:
            try:
                if case.quants:
                    self._searcher.check(case)
                kept.append(case)
            except Contradiction as reason:
                result.refused[str(reason)] += 1
        return kept

    def _again(self, guesses: Guesses, draws: Draws) -> Failure | None:
        """Return the failure of the case that these draws and guesses make, if it fails."""
        result = SearchResult()
        try:
            result.cases.append(self._searcher.case(Choices(draws)))
        except Contradiction:
            return None
        failures = judge(self._calibrated(result), self._bench).failures
        return next((each for each in failures if each.case.guesses == guesses), None)

    def _shown(self, failure: Failure) -> Counterexample:
        """Return the failure, shrunk, as text."""
        failure = shrink(failure, partial(self._again, failure.case.guesses))
        trial = Trial([failure.case])
        before, after = str(trial.module), None
        with suppress(HtpError):
            trial.rewrite(self._bench.rules)
            after = str(trial.module)
        feeds = trial.placed[0].feeds
        return Counterexample(failure.reason, before, after, feeds, trial.inferences)


__all__ = ["Counterexample", "Report", "check_rule"]

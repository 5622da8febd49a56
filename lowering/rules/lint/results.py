"""Replacements whose declared outputs contradict the ops' own results."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ....dialects.diagnostics import HtpError
from ..definition.rule import Rule, RuleSet
from ..soundness.run import Trial
from ..soundness.search import Searcher, SearchResult
from .finding import Finding, Kind

_CASES, _ATTEMPTS = 4, 200
"""Number of graphs that are rewritten, and maximum number that are drawn."""


def result_findings(rule: Rule, rule_set: RuleSet) -> Iterator[Finding]:
    """Yield the first fault of a few replacements by the ops' own shape and dtype rules.

    A rule for which no graph is drawn is passed over.
    """
    result = SearchResult()
    alone = rule_set.alone(rule)
    Searcher(rule, rule_set).search(Random(0), _CASES, _ATTEMPTS, result)
    if not result.cases:
        message = "no graph was found for it, so the results of its ops were not compared"
        yield Finding(Kind.PASSED_OVER, rule, message)
    for case in result.cases:
        try:
            Trial([case]).rewrite(alone)
        except HtpError as error:
            yield Finding(Kind.RESULT, rule, error.faults[0].problem)
            return

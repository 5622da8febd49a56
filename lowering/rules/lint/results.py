"""Replacements whose declared outputs contradict what their ops compute."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ....dialects.diagnostics import HtpError
from ..definition.rule import Rule, RuleSet
from ..soundness.run import Trial
from ..soundness.search import Searcher, SearchResult
from .finding import Finding, Kind

_CASES, _ATTEMPTS = 4, 200


def result_findings(rule: Rule, rule_set: RuleSet) -> Iterator[Finding]:
    """What the ops' own shape and dtype rules say to a few replacements, the first fault."""
    found = SearchResult()
    alone = rule_set.alone(rule)
    Searcher(rule, rule_set).search(Random(0), _CASES, _ATTEMPTS, found)
    for case in found.cases:
        try:
            Trial([case]).rewrite(alone)
        except HtpError as error:
            yield Finding(Kind.RESULT, rule, error.faults[0].found)
            return

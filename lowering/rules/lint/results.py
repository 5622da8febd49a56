"""Replacements whose declared outputs contradict the ops' own results."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ....dialects.diagnostics import HtpError
from ....dialects.htp.base import NativeOp
from ..definition.rule import Rule, RuleSet
from ..definition.unknown_ops import ops_in
from ..engine.run import op_classes
from ..soundness.case import Case
from ..soundness.run import Trial, guessed
from ..soundness.search import Searcher, SearchResult
from .finding import Finding, Kind

_CASES, _ATTEMPTS = 4, 200
"""Number of graphs that are rewritten, and maximum number that are drawn."""
_FREE = 8
"""Times as many of both where an op of the match leaves its results free."""


def result_findings(rule: Rule, rule_set: RuleSet) -> Iterator[Finding]:
    """Yield the first fault of a few replacements by the ops' own shape and dtype rules.

    An op of C++ text may be given results here that it never has. So where the match has such an
    op, one graph without a fault is enough. A rule is passed over for which no graph is drawn, or
    where such an op gets none without a fault.
    """
    result = SearchResult()
    alone, classes = rule_set.alone(rule), op_classes(rule_set)
    matched = (classes.get(op) for op in ops_in(rule, rule.match))
    free = any(op and issubclass(op, NativeOp) and op.leaves_results_free() for op in matched)
    times = _FREE if free else 1
    Searcher(rule, rule_set).search(Random(0), times * _CASES, times * _ATTEMPTS, result)
    faults = [fault for case in result.cases if (fault := _fault(case, alone))]
    declare = "".join(f"; declare the op: {line}" for line in guessed(alone))
    if not result.cases:
        message = "no graph was found for it, so the results of its ops were not compared"
        yield Finding(Kind.PASSED_OVER, rule, f"{message}{declare}")
    elif faults and free and len(faults) == len(result.cases):
        message = f"the results of its ops are guessed, and with them {faults[0]}"
        yield Finding(Kind.PASSED_OVER, rule, f"{message}{declare}")
    elif faults and not free:
        yield Finding(Kind.RESULT, rule, faults[0])


def _fault(case: Case, alone: RuleSet) -> str:
    """Return the fault of the replacement in a graph; empty where it has none."""
    try:
        Trial([case]).rewrite(alone)
    except HtpError as error:
        return error.faults[0].problem
    return ""

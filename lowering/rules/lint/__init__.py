"""Lints: mistakes in rules that show without a model.

Example: `assert not lint(packages.rules)`

Among them are replacements whose declared outputs contradict the ops' own results.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import HtpError
from ....dialects.faults.arguments import a, arguments
from ....dialects.htp.base import NativeOp
from ..definition.rule import Rule, RuleSet, unknown_ops
from ..engine.engine import op_classes
from ..soundness.case import DrawnCase
from ..soundness.run import Trial, guessed
from ..soundness.search import Searcher, SearchResult
from ..tree.build import OpClasses
from .restrictions import (
    Finding,
    FindingKind,
    change_findings,
    operand_findings,
    restriction_findings,
    size_findings,
    split_findings,
    tag_findings,
    unrun_findings,
)
from .shadow import never_findings, shadow_findings

_CASES, _ATTEMPTS = 4, 200
"""Number of graphs that are rewritten, and maximum number that are drawn."""
_GRAPH_ATTEMPTS = 40
"""Maximum number for a rule of graph ops: of many ops, they fit soon or not by chance."""
_FREE = 8
"""Times as many of both where an op of the match leaves its results free."""


def result_findings(rule: Rule, rule_set: RuleSet) -> Iterator[Finding]:
    """Yield the first fault of a few replacements by the ops' own shape and dtype rules.

    An op of C++ text may be given results here that it never has. So where the match has such an
    op, one graph without a fault is enough, and without one a fault of another op than the root
    tells nothing. Then, and where no graph is drawn, the rule is passed over.
    """
    result = SearchResult()
    alone, classes = rule_set.alone(rule), op_classes(rule_set)
    matched = (classes.get(op) for op in rule.ops_in(rule.match))
    free = any(op and issubclass(op, NativeOp) and op.leaves_results_free() for op in matched)
    times = _FREE if free else 1
    attempts = _GRAPH_ATTEMPTS if rule.in_graph else _ATTEMPTS
    Searcher(rule, rule_set).search(Random(0), times * _CASES, times * attempts, result)
    faults = [fault for case in result.cases if (fault := _fault(case, alone))]
    declare = "".join(f"; declare the op: {each.splitlines()[-1]}" for each in guessed(alone))
    if not result.cases:
        message = "no graph was found for it, so the results of its ops were not compared"
        yield Finding(FindingKind.PASSED_OVER, rule, f"{message}{declare}")
    elif faults and not (free and len(faults) < len(result.cases)):
        kind = FindingKind.PASSED_OVER if free and faults[0].is_of_an_op else FindingKind.RESULT
        yield Finding(kind, rule, faults[0].problem + declare * (kind is FindingKind.PASSED_OVER))


@dataclass(frozen=True)
class _Fault:
    """The fault of a replacement: of one of its ops, or of what it gives instead of the root."""

    problem: str
    is_of_an_op: bool


def _fault(case: DrawnCase, alone: RuleSet) -> _Fault | None:
    """Return the fault of the replacement in a graph; None where it has none."""
    try:
        Trial([case]).rewrite(alone)
    except HtpError as error:
        return _Fault(error.faults[0].problem, isinstance(error.__cause__, VerifyException))
    return None


_STATIC = (
    FindingKind.UNKNOWN_TAG,
    FindingKind.UNKNOWN_OP,
    FindingKind.OPERANDS,
    FindingKind.NEVER_FIRES,
)
"""Kinds of findings with which no graph can be made for the rule."""


@arguments(rules=a("a set of rules", RuleSet, remedy="give one, as of rules(rule(...))"))
def lint(rules: RuleSet, only: Sequence[Rule] = ()) -> list[Finding]:
    """Return the findings of a set of rules, in their order; with `only`, of some of them.

    Example: `assert not lint(rules(rule(EARLY, Op("Neg", "X"), OK, Op("Abs", "X"))))`
    """
    return [f for linted in lint_each(rules, only or rules.rules) for f in linted.findings]


@dataclass(frozen=True)
class Linted:
    """A rule with its findings, and the lints that could not look at it."""

    rule: Rule
    findings: Sequence[Finding]
    passed_over: Sequence[str]


def lint_each(rules: RuleSet, only: Sequence[Rule]) -> Iterator[Linted]:
    """Yield some rules of a set with their findings, each as soon as it is linted."""
    classes = op_classes(rules)
    names = unknown_ops(rules, classes, only)
    unknown = [Finding(FindingKind.UNKNOWN_OP, name.rule, name.message) for name in names]
    shadows = list(shadow_findings(rules.rules, classes, only))
    for rule in only:
        every = _static(rule, classes)
        own = [
            *(finding for finding in unknown if finding.rule is rule),
            *dict.fromkeys(replace(finding, rule=rule) for finding in every),
            *unrun_findings(rule, rules, classes),
        ]
        if not any(finding.kind in _STATIC for finding in own):
            own += [*size_findings(rule, rules), *result_findings(rule, rules)]
        shadowed = (finding for finding in shadows if finding.rule is rule)
        findings = [*own, *shadowed]
        passed_over = [f.message for f in findings if f.kind is FindingKind.PASSED_OVER]
        yield Linted(
            rule, [f for f in findings if f.kind is not FindingKind.PASSED_OVER], passed_over
        )


def _static(rule: Rule, classes: OpClasses) -> Iterator[Finding]:
    """Yield the findings for which no graph is drawn, with each choice of alternatives."""
    yield from tag_findings(rule, classes)
    for each in rule.written_out:
        yield from operand_findings(each, classes)
        yield from split_findings(each)
        yield from restriction_findings(each)
        yield from change_findings(each)
        yield from never_findings(each)


__all__ = ["Finding", "FindingKind", "Linted", "lint", "lint_each"]

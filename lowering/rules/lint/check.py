"""All lints over a set of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....dialects.faults.arguments import a, arguments
from ..definition.rule import Rule, RuleSet
from ..definition.unknown_ops import unknown_ops
from ..engine.run import op_classes
from ..tree.build import OpClasses
from .finding import Finding, FindingKind
from .never import never_findings
from .restrictions import (
    change_findings,
    operand_findings,
    restriction_findings,
    split_findings,
    unrun_findings,
)
from .results import result_findings
from .shadow import shadow_findings
from .sizes import size_findings
from .tags import tag_findings

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

"""All lints over a set of rules."""

from __future__ import annotations

from collections.abc import Sequence

from ..definition.rule import Rule, RuleSet
from ..engine.run import op_classes
from .finding import Finding, Kind
from .never import never_findings
from .ops import op_findings
from .restrictions import restriction_findings
from .results import result_findings
from .shadow import shadow_findings
from .sizes import size_findings
from .splits import split_findings
from .tags import tag_findings

_STATIC = (Kind.UNKNOWN_TAG, Kind.UNKNOWN_OP, Kind.OPERANDS, Kind.NEVER_FIRES)
"""Kinds of findings with which no graph can be made for the rule."""


def lint(rules: RuleSet, only: Sequence[Rule] = ()) -> list[Finding]:
    """Return the findings of a set of rules, in their order; with `only`, of some of them.

    Example: `assert not lint(rules(rule(EARLY, Op("Neg", "X"), OK, Op("Abs", "X"))))`
    """
    classes = op_classes(rules)
    together = list(shadow_findings(rules.rules, classes))
    findings: list[Finding] = []
    for rule in only or rules.rules:
        own = [
            *tag_findings(rule, classes),
            *op_findings(rule, classes),
            *split_findings(rule),
            *restriction_findings(rule),
            *never_findings(rule),
        ]
        if not any(finding.kind in _STATIC for finding in own):
            own += [*size_findings(rule, rules), *result_findings(rule, rules)]
        findings += [*own, *(finding for finding in together if finding.rule is rule)]
    return findings

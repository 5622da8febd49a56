"""The output of `htp-opt --lint-rules` and `--check-rules`: findings, reports, counterexamples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...dialects.diagnostics import fail
from ..packages.packages import Packages
from ..rules.ask.explain import is_called
from ..rules.definition.rule import Rule
from ..rules.lint import lint
from ..rules.soundness import Report, check_rule


def selected(packages: Packages, names: Sequence[str]) -> list[Rule]:
    """Return the rules of these names or FILE:LINEs, or all; HtpError for an unknown one."""
    rules = packages.rules.rules
    for name in names:
        if not any(is_called(rule, name) for rule in rules):
            raise fail(f"rule '{name}'", "no rule of the packages in use is called that")
    return [rule for rule in rules if not names or any(is_called(rule, name) for name in names)]


def checked(packages: Packages, rules: Sequence[Rule], seed: int, cases: int) -> Iterator[Report]:
    """Yield the report of every rule, as soon as it is there."""
    for rule in rules:
        yield check_rule(
            rule, seed=seed, cases=cases, rule_set=packages.rules, library=packages.library
        )


def print_checks(packages: Packages, names: Sequence[str], seed: int, cases: int) -> None:
    """Check rules and print what was found; HtpError where one is not sound or has no case."""
    reports: list[Report] = []
    for report in checked(packages, selected(packages, names), seed, cases):
        print(report, flush=True)
        reports.append(report)
    wrong = [report for report in reports if not report.passed]
    total = sum(report.cases for report in reports)
    if wrong:
        bad = f"{len(wrong)} of {len(reports)} rules are not sound, or no graph was found for them"
        raise fail("--check-rules", bad, "fix the rules, or their constraints")
    print(f"{len(reports)} rules are sound on {total} graphs")


def print_findings(packages: Packages, names: Sequence[str]) -> None:
    """Lint rules among all others and print what was found; HtpError where that is anything."""
    rules = selected(packages, names)
    findings = lint(packages.rules, rules)
    for finding in findings:
        print(finding)
    if findings:
        bad = len({finding.rule.where for finding in findings})
        problem = f"{len(findings)} findings in {bad} of {len(rules)} rules"
        raise fail("--lint-rules", problem, "fix them; a tag that is meant unused begins with _")
    print(f"{len(rules)} rules are clean")

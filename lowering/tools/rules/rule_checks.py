"""Lint and checks of rules: findings, reports, and what was passed over."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ....dialects.diagnostics import Fault, HtpError
from ....runtime.tools.progress import Show, progress
from ...rules.definition.rule import Rule
from ...rules.lint import Linted, lint_each
from ...rules.soundness import Report, check_rule
from .rule_choice import ChosenRules, are, chosen_rules, counted

_MOST = 8
"""Number of reasons for passing over that are listed."""


@dataclass(frozen=True)
class _Mode:
    """A command with the words for its work: it is doing, it is done."""

    name: str
    doing: str
    done: str


_LINT = _Mode("htp rules lint", "linting", "linted in full")
_CHECK = _Mode("htp rules check", "checking", "checked")


@dataclass(frozen=True)
class Result:
    """The outcome of a mode: its fault, if any, and the number of rules passed over, by reason."""

    mode: _Mode
    fault: Fault | None
    passed_over: Counter[str]

    def reasons(self, choice: ChosenRules) -> Counter[str]:
        """Return all reasons for passing over, those of the reader of C++ text included."""
        return Counter(f"not read: {fault.line()}" for fault in choice.unread) + self.passed_over

    def strict_fault(self, choice: ChosenRules) -> Fault | None:
        """Return the fault of passing anything over; None where nothing was."""
        rules, unread = self.passed_over.total(), len(choice.unread)
        parts = [f"{rules} of {choice.count(len(choice.rules))} not {self.mode.done}"] * bool(rules)
        parts += [f"{counted(unread, 'declaration')} of C++ text not read"] * bool(unread)
        if not parts:
            return None
        [(why, _)] = self.reasons(choice).most_common(1)
        where = f"{self.mode.name} --strict"
        remedy = "see all reasons above, or leave --strict out"
        return Fault(where, f"{', '.join(parts)}; for example {why}", remedy)


def lint_rules(arguments: Namespace) -> None:
    """Print what looks wrong in rules; HtpError where anything does."""
    choice = chosen_rules(arguments)
    _end(arguments, choice, lint(choice))


def check_rules(arguments: Namespace) -> None:
    """Run rules on graphs that are made for them; HtpError where one changes the numbers."""
    choice = chosen_rules(arguments)
    _end(arguments, choice, check(choice, arguments.seed, arguments.cases))


def _end(arguments: Namespace, choice: ChosenRules, result: Result) -> None:
    strict = result.strict_fault(choice) if arguments.strict else None
    if faults := [fault for fault in (result.fault, strict) if fault is not None]:
        raise HtpError(*faults)


def lint(choice: ChosenRules) -> Result:
    """Lint rules among all others in use and print the findings."""
    findings, bad = 0, 0
    passed_over: Counter[str] = Counter()
    with progress() as show:
        announced = _announced(_LINT, choice.rules, show)
        each = lint_each(choice.packages.rules, choice.rules)
        for _, linted in zip(announced, each, strict=False):
            _print(_finding_lines(linted), show)
            findings, bad = findings + len(linted.findings), bad + bool(linted.findings)
            passed_over.update(linted.passed_over[:1])
    fault = None
    if findings:
        problem = f"{counted(findings, 'finding')} in {bad} of {choice.count(len(choice.rules))}"
        fault = Fault(
            _LINT.name,
            problem,
            f"fix them; a tag that is meant unused begins with _{choice.narrower}",
        )
    else:
        clean = len(choice.rules) - passed_over.total()
        print(f"{choice.count(clean)} {are(clean)} clean")
    return _summed_up(Result(_LINT, fault, passed_over), choice)


def check(choice: ChosenRules, seed: int, cases: int) -> Result:
    """Check rules, each alone, and print the reports."""
    reports: list[Report] = []
    library = choice.packages.library
    with progress() as show:
        for rule in _announced(_CHECK, choice.rules, show):
            report = check_rule(
                rule, seed=seed, cases=cases, rule_set=choice.packages.rules, library=library
            )
            _print([str(report)], show)
            reports.append(report)
    unsound = [report for report in reports if report.counterexample is not None]
    sound = [report for report in reports if report.passed]
    passed_over = Counter(report.passed_over for report in reports if report.passed_over)
    fault = None
    if unsound:
        problem = f"{len(unsound)} of {choice.count(len(reports))} {are(len(unsound))} not sound"
        fault = Fault(_CHECK.name, problem, f"fix the rules, or their constraints{choice.narrower}")
    else:
        graphs = sum(report.cases for report in sound)
        print(f"{choice.count(len(sound))} {are(len(sound))} sound on {graphs} graphs")
    return _summed_up(Result(_CHECK, fault, passed_over), choice)


def _announced(mode: _Mode, rules: Sequence[Rule], show: Show) -> Iterator[Rule]:
    """Yield the rules, each with a line of progress while it is worked on."""
    for number, rule in enumerate(rules, 1):
        show(f"{mode.doing} rule {number} of {len(rules)}: {rule.label}")
        yield rule


def _finding_lines(linted: Linted) -> Iterator[str]:
    yield from map(str, linted.findings)
    yield from (f"{linted.rule.label}: not {_LINT.done}: {why}" for why in linted.passed_over)


def _print(lines: Iterable[str], show: Show) -> None:
    for line in lines:
        show("")
        print(line, flush=True)


def _summed_up(result: Result, choice: ChosenRules) -> Result:
    """Print what was passed over, by reason."""
    reasons = result.reasons(choice)
    if reasons:
        print(f"passed over by {result.mode.name}: {reasons.total()}")
    for why, times in reasons.most_common(_MOST):
        print(f"  {counted(times, 'time')}: {why}")
    others = sum(times for _, times in reasons.most_common()[_MOST:])
    if others:
        print(f"  {counted(others, 'time')}: other reasons")
    return result

"""Reports about rules, as text or JSON: lint, checks, statistics and explanations.

Lint and checks say which rules are looked at, their findings, and what was passed over; the others
follow the rules in a run of passes.
"""

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from ...dialects.diagnostics import MOST, Fault, HtpError, counted, did_you_mean, fail
from ...runtime.passes import instrumented
from ...runtime.tools.flags import package_settings
from ...runtime.tools.tool import Show, progress
from ..packages import OpPackage, Packages
from ..packages.loading import installed, load_packages
from ..rules import Rule, RuleObserver, RuleStats, observing, priority_name, priority_of
from ..rules.ask.explain import Explainer, Explanation, OpExplainer
from ..rules.ask.places import Places, bare
from ..rules.engine.stats import merged
from ..rules.lint import lint_each
from ..rules.soundness import Report, check_rule

_ALL = "all"
"""The name that means every package in use."""


@dataclass(frozen=True)
class ChosenRules:
    """Rules of some of the packages in use; `unread` is what was passed over in their C++ text."""

    packages: Packages
    members: Sequence[OpPackage]
    rules: Sequence[Rule]
    unread: Sequence[Fault]

    @property
    def narrower(self) -> str:
        """The flags that look at fewer rules, as the end of a remedy; empty for one rule."""
        return "; --rule or --group looks at some alone" if len(self.rules) > 1 else ""

    def none(self, done: str) -> str:
        """Return the line that says that no rule was read, or that none was `done`."""
        return f"{listed(self.members)} has no rule that was {done if self.rules else 'read'}"

    def count(self, number: int) -> str:
        """Return a number of these rules with the names of their packages."""
        return f"{counted(number, 'rule')} of {listed(self.members)}"


def chosen_rules(arguments: Namespace) -> ChosenRules:
    """Choose rules by names of packages, by pass groups, by names or places of rules.

    HtpError for an unknown one. Without names of packages, those that the user loads are meant, and
    htp where there is none. Of single groups and rules, what was passed over elsewhere does not
    count.
    """
    packages = load_packages(*arguments.package, **package_settings(arguments))
    groups, rules, names = arguments.group, arguments.rule, arguments.package_rules
    members = _members(packages, [name for text in names for name in text.split(",")])
    chosen = [rule for member in members for rule in member.rules]
    for name in rules:
        if not any(rule.is_called(name) for rule in chosen):
            raise fail(f"--rule '{name}'", *_nowhere(name, packages, members))
    if rules:
        chosen = [rule for rule in chosen if any(map(rule.is_called, rules))]
    if groups:
        chosen = [rule for text in groups for rule in _in_group(text, chosen, members)]
    if groups or rules:
        return ChosenRules(packages, members, chosen, ())
    unread = [fault for member in members if member.cpp for fault in member.cpp.passed_over]
    return ChosenRules(packages, members, chosen, unread)


def _in_group(text: str, rules: Sequence[Rule], members: Sequence[OpPackage]) -> list[Rule]:
    """Return the rules of a pass group, or of all from one to another; HtpError for none."""
    first, _, last = text.partition(":")
    low, high = priority_of(first), priority_of(last or first)
    inside = [rule for rule in rules if low <= rule.priority <= high]
    if not inside:
        # Two names may share a number, and then both are there.
        ordered = sorted(rule.priority for rule in rules)
        groups = dict.fromkeys(map(str, ordered))
        problem = f"none of these rules of {listed(members)} is in it"
        raise fail(f"--group '{text}'", problem, f"there are {', '.join(groups) or 'none'}")
    return inside


def are(number: int) -> str:
    """Return the verb for a number of things."""
    return "is" if number == 1 else "are"


def listed(members: Sequence[OpPackage]) -> str:
    """Return the names of packages."""
    return ", ".join(member.name for member in members)


def _members(packages: Packages, names: Sequence[str]) -> Sequence[OpPackage]:
    for name in names:
        if name != _ALL and name not in {member.name for member in packages}:
            problem = "no package in use has this name"
            all_ = f"there are {listed(packages.members)}; --package loads others"
            remedy = did_you_mean(name, (member.name for member in packages), all_)
            raise fail(f"--package-rules '{name}'", problem, remedy)
    if names:
        return [m for m in packages if _ALL in names or m.name in names]
    known = {member.name for member in installed()}
    return [m for m in packages if m.name not in known] or packages.members[:1]


def _nowhere(name: str, packages: Packages, members: Sequence[OpPackage]) -> tuple[str, str]:
    """Return the problem with a rule that no chosen package has, and what to do."""
    problem = f"no rule of {listed(members)} is called that"
    for other in packages:
        if any(rule.is_called(name) for rule in other.rules):
            return problem, f"package {other.name} has one: add --package-rules {other.name}"
    names = dict.fromkeys(rule.name for member in members for rule in member.rules)
    return problem, did_you_mean(name, names, "give its name, or FILE:LINE of it")


_MOST = 8
"""Number of reasons for passing over that are listed."""


@dataclass(frozen=True)
class _Job:
    """A command with the words for its work: it is doing, it is done."""

    name: str
    doing: str
    done: str

    def announced(self, rules: Sequence[Rule], show: Show) -> Iterator[Rule]:
        """Yield the rules, each with a line of progress while it is worked on."""
        for number, rule in enumerate(rules, 1):
            show(f"{self.doing} rule {number} of {len(rules)}: {rule.label}")
            yield rule


_LINT = _Job("htp rules lint", "linting", "linted in full")
_CHECK = _Job("htp rules check", "checking", "checked")


def lint_rules(arguments: Namespace) -> None:
    """Lint rules among all others in use and print the findings; HtpError where there are any."""
    choice = chosen_rules(arguments)
    findings, bad = 0, 0
    passed_over: Counter[str] = Counter()
    with progress() as show:
        each = lint_each(choice.packages.rules, choice.rules)
        for _, linted in zip(_LINT.announced(choice.rules, show), each, strict=False):
            label, reasons = linted.rule.label, linted.passed_over
            _print(map(str, linted.findings), show)
            _print((f"{label}: not {_LINT.done}: {why}" for why in reasons), show)
            findings, bad = findings + len(linted.findings), bad + bool(linted.findings)
            passed_over.update(reasons[:1])
    problem = f"{counted(findings, 'finding')} in {bad} of {choice.count(len(choice.rules))}"
    remedy = f"fix them; a tag that is meant unused begins with _{choice.narrower}"
    if not findings:
        clean = len(choice.rules) - passed_over.total()
        print(f"{choice.count(clean)} {are(clean)} clean" if clean else choice.none(_LINT.done))
    faults = [Fault(_LINT.name, problem, remedy)] * bool(findings)
    _end(_LINT, choice, passed_over, faults, arguments.strict)


def check_rules(arguments: Namespace) -> None:
    """Check rules, each alone, and print the reports; HtpError where one changes the numbers."""
    choice = chosen_rules(arguments)
    reports: list[Report] = []
    with progress() as show:
        for rule in _CHECK.announced(choice.rules, show):
            report = check_rule(
                rule,
                seed=arguments.seed,
                cases=arguments.cases,
                rule_set=choice.packages.rules,
                library=choice.packages.library,
            )
            _print([str(report)], show)
            reports.append(report)
    unsound = sum(report.counterexample is not None for report in reports)
    sound = [report for report in reports if report.passed]
    problem = f"{unsound} of {choice.count(len(reports))} {are(unsound)} not sound"
    remedy = f"fix the rules, or their constraints{choice.narrower}"
    if not unsound:
        graphs = sum(report.cases for report in sound)
        said = f"{choice.count(len(sound))} {are(len(sound))} sound on {graphs} graphs"
        print(said if sound else choice.none(_CHECK.done))
    passed_over = Counter(report.passed_over for report in reports if report.passed_over)
    faults = [Fault(_CHECK.name, problem, remedy)] * bool(unsound)
    _end(_CHECK, choice, passed_over, faults, arguments.strict)


def _print(lines: Iterable[str], show: Show) -> None:
    for line in lines:
        show("")
        print(line, flush=True)


def _end(
    job: _Job,
    choice: ChosenRules,
    passed_over: Counter[str],
    faults: Sequence[Fault],
    is_strict: bool,
) -> None:
    """Print what was passed over, by reason; HtpError with the faults, those of --strict too."""
    rules, unread = passed_over.total(), len(choice.unread)
    reasons = Counter(f"not read: {fault.line()}" for fault in choice.unread) + passed_over
    if reasons:
        print(f"passed over by {job.name}: {reasons.total()}")
    for why, times in reasons.most_common(_MOST):
        print(f"  {counted(times, 'time')}: {why}")
    if others := sum(times for _, times in reasons.most_common()[_MOST:]):
        print(f"  {counted(others, 'time')}: other reasons")
    if reasons and is_strict:
        parts = [f"{rules} of {choice.count(len(choice.rules))} not {job.done}"] * bool(rules)
        parts += [f"{counted(unread, 'declaration')} of C++ text not read"] * bool(unread)
        [(why, _)] = reasons.most_common(1)
        problem = f"{', '.join(parts)}; for example {why}"
        remedy = "see all reasons above, or leave --strict out"
        faults = [*faults, Fault(f"{job.name} --strict", problem, remedy)]
    if faults:
        raise HtpError(*faults)


_STAYS = "stays in floats"


@dataclass(frozen=True)
class Question:
    """A rule by its name or place, at every op or at those of a name."""

    rule: str
    value: str
    places: Places

    def asks(self, entry: Explanation) -> bool:
        """Tell whether the question is about this rule at this op."""
        if not entry.rule.is_called(self.rule):
            return False
        return not self.value or self.places.is_at(
            self.value, (entry.value, entry.ssa), entry.origins
        )


class StatsKeeper(RuleObserver):
    """Keeps the statistics of every run of rules."""

    def __init__(self) -> None:
        self.runs: list[RuleStats] = []

    def ends(self, stats: RuleStats) -> None:
        self.runs.append(stats)


@contextmanager
def reporting(
    stats: str | None,
    asked: Sequence[str],
    nodes: Sequence[str],
    explain_format: str,
    out: TextIO,
) -> Iterator[None]:
    """Watch the rules that run inside the block, then print what was asked, an error's too.

    `asked` are rules, at all ops or at some, and `nodes` those of the model at which every rule is
    explained.
    """
    parts = [(rule, bare(value)) for rule, _, value in (text.partition("@") for text in asked)]
    places, wanted = Places(value for _, value in parts), Places(nodes)
    questions = [Question(rule, value, places) for rule, value in parts]
    keeper, explainer = StatsKeeper(), Explainer([question.rule for question in questions])
    named = (OpExplainer(places), OpExplainer(wanted))
    at_nodes = named[1]
    try:
        with (
            instrumented(places, wanted),
            observing(keeper, explainer, *(each for each in named if any(each.names))),
        ):
            yield
    finally:
        if questions:
            _print_explanations(questions, explainer, explain_format, out)
        if nodes:
            is_json = explain_format == "json"
            print(_json(_rows(at_nodes)) if is_json else _of_nodes(at_nodes), file=out)
        if stats:
            total = merged(keeper.runs)
            print(_json(total.rows()) if stats == "json" else total, file=out)
    if questions and not explainer.known:
        raise fail("explain", "no pass of this run has rules", "add one to -p, such as htp-lower")
    if lost := [fault for each in named for fault in _unmet(each)]:
        raise HtpError(*lost)


def _unmet(explainer: OpExplainer) -> Iterator[Fault]:
    """Yield a fault for each name that means no op which rules met."""
    met = {name for name, *_ in explainer.floats} | explainer.met
    nodes = [node for node in explainer.nodes if node]
    remedy = "give a node of the model, a value of the text or LINE:COLUMN"
    for name in filter(None, explainer.names):
        if name not in met and not _entries(explainer, name):
            # The kind of an op is part of what exporters call its nodes, `node_relu`, `/head/Relu`.
            parts = [f"'{node}'" for node in nodes if name.lower() in node.lower()][:MOST]
            close = f"did you mean {' or '.join(parts)}?" if parts else ""
            problem = "rules met no op of this name"
            yield Fault(name, problem, close or did_you_mean(name, nodes, remedy))


def _rows(explainer: OpExplainer) -> Iterator[Mapping[str, object]]:
    yield from ({"op": op, "outcome": _STAYS, "reason": why} for _, op, why in explainer.floats)
    yield from (entry.row() for entry in explainer.entries.values())


def _print_explanations(
    questions: Sequence[Question], explainer: Explainer, form: str, out: TextIO
) -> None:
    if form == "json":
        rows = [
            entry.row()
            for entry in explainer.entries.values()
            if any(question.asks(entry) for question in questions)
        ]
        print(_json(rows), file=out)
        return
    for question in questions:
        for rule in explainer.known:
            if rule.is_called(question.rule):
                print("\n".join(_section(rule, question, explainer)), file=out)


def _section(rule: Rule, question: Question, explainer: Explainer) -> Iterator[str]:
    yield f"{rule.label}, pass group {priority_name(rule.priority)}, {rule.match}:"
    entries = [
        entry for entry in explainer.entries.values() if entry.rule is rule and question.asks(entry)
    ]
    yield from (f"  {entry}" for entry in entries)
    if rule not in explainer.ran:
        yield "  its pass group did not run"
    elif not entries:
        wanted = f"{rule.root} of '{question.value}'" if question.value else rule.root
        yield f"  there was no {wanted} when it ran"


def _of_nodes(explainer: OpExplainer) -> str:
    lines = []
    for node in explainer.names:
        entries = _entries(explainer, node)
        floats = [(op, why) for name, op, why in explainer.floats if name == node]
        if entries or floats:
            lines.append(f"{node}:")
        elif node in explainer.met:
            lines.append(f"{node}: no rule begins with an op of this name")
        lines += [f"  {op}: {_STAYS}: {why}" for op, why in floats]
        for entry in entries:
            why = f": {entry.reason}" if entry.reason else ""
            group = priority_name(entry.rule.priority)
            lines.append(f"  {entry.op}, {group} {entry.rule.label}: {entry.outcome.value}{why}")
    return "\n".join(lines)


def _entries(explainer: OpExplainer, node: str) -> list[Explanation]:
    return [
        entry
        for entry in explainer.entries.values()
        if explainer.places.is_at(node, (entry.value, entry.ssa), entry.origins)
    ]


def _json(rows: Iterable[Mapping[str, object]]) -> str:
    """Return a JSON array, one element on each line."""
    lines = [f"  {json.dumps(row)}" for row in rows]
    return "\n".join(["[", ",\n".join(lines), "]"]) if lines else "[]"

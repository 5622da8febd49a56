"""The rules that lint and checks look at."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.diagnostics import Fault, fail
from ....dialects.faults.suggestions import did_you_mean
from ...packages.loading import installed, load_packages
from ...packages.package import OpPackage
from ...packages.packages import Packages
from ...rules.definition.rule import Rule
from ...rules.graph.priorities import priority_of

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

    def count(self, number: int) -> str:
        """Return a number of these rules with the names of their packages."""
        return f"{counted(number, 'rule')} of {listed(self.members)}"


def chosen_rules(arguments: Namespace) -> ChosenRules:
    """Choose rules as the flags say."""
    packages = load_packages(*arguments.package, include=arguments.include)
    names = arguments.package_rules or (), arguments.group or (), arguments.rule or ()
    return choose(packages, *names)


def choose(
    packages: Packages, names: Sequence[str], groups: Sequence[str], rules: Sequence[str]
) -> ChosenRules:
    """Choose by names of packages, by pass groups, by names or places of rules.

    HtpError for an unknown one. Without names of packages, those that the user loads are meant, and
    htp where there is none. Of single groups and rules, what was passed over elsewhere does not
    count.
    """
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


def counted(number: int, thing: str) -> str:
    """Return `1 rule`, `2 rules`."""
    return f"{number} {thing}{'s' * (number != 1)}"


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

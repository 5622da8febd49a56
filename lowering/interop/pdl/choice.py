"""The rules that are written as PDL: those that the user names, or all that PDL can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ....dialects.diagnostics import HtpError, fail
from ....dialects.faults.suggestions import did_you_mean
from ...packages.packages import Packages
from ...rules import Rule
from .pattern import Exported, exported, pdl_text


def rules_text(packages: Packages, names: Sequence[str]) -> str:
    """Return the patterns of the named rules, or of all, with the reasons for those left out.

    HtpError for an unknown name, and for one of which PDL can say no rule.
    """
    rule_set = packages.rules
    groups = [_named(name, rule_set.rules) for name in names] or [list(rule_set.rules)]
    chosen = exported(tuple(dict.fromkeys(chain.from_iterable(groups))), rule_set)
    said = {each.rule for each in chosen if each.patterns}
    lost = {rule for group in groups if said.isdisjoint(group) for rule in group}
    if names and lost:
        raise HtpError(*(each.fault for each in chosen if each.rule in lost))
    return "".join(_summary(chosen)) + pdl_text(chosen)


def _named(name: str, rules: Sequence[Rule]) -> list[Rule]:
    called = [rule for rule in rules if rule.is_called(name)]
    if not called:
        known = dict.fromkeys(rule.name for rule in rules)
        remedy = did_you_mean(name, known, "give its name, or FILE:LINE of it")
        raise fail(f"rule '{name}'", "no rule in use is called that", remedy)
    return called


def _summary(rules: Sequence[Exported]) -> Iterator[str]:
    """Yield comments that count the rules that are left out, by reason."""
    reasons = Counter(each.reason for each in rules if each.reason)
    yield f"// {len(rules) - reasons.total()} of {len(rules)} rules.\n"
    for reason, count in reasons.most_common():
        yield f"// {count} left out: {reason}.\n"

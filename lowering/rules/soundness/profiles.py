"""The graph options that a rule's cases are made under."""

from __future__ import annotations

from dataclasses import fields, replace

from ..options import GraphOptions
from .facts import RuleFacts

_OWN = frozenset(field.name for field in fields(GraphOptions))
_SMALL, _MODERATE = 1, 2048


def profiles(facts: RuleFacts) -> tuple[GraphOptions, ...]:
    """Options with the rule's flags on, in the order of how often they are taken.

    A rule that asks for a size of the TCM sees everything exceed it, sometimes a part, sometimes
    nothing; options that are not ours take the numbers that the rule speaks of.
    """
    rule = facts.rule
    base = GraphOptions(extra=dict.fromkeys(rule.flags, True))
    found = [base]
    if set(facts.options) & {"tcm_size", "tcm_size_for_tiling"}:
        tight = replace(base, tcm_size=_SMALL, tcm_size_for_tiling=_SMALL)
        found = [*[tight] * 6, replace(tight, tcm_size_for_tiling=_MODERATE), base]
    for name in sorted(set(facts.options) - _OWN - set(rule.flags)):
        values = (0, 1, *facts.landmarks)
        found = [
            replace(options, extra={**options.extra, name: value})
            for options in found
            for value in values
        ]
    return tuple(found)

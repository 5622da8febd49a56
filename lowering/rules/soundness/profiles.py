"""The graph options that a rule's cases are made under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import cycle
from random import Random

from ..graph.options import GraphOptions
from .facts import RuleFacts

_OWN = frozenset(field.name for field in fields(GraphOptions))
_SMALL, _MODERATE = 1, 2048
_VALUES, _DRAWN = (0, 1, 8, 256, 1 << 16), 64


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
    free = sorted(set(facts.options) - _OWN - set(rule.flags))
    return _with_options(found, free, facts) if free else tuple(found)


def _with_options(
    found: Sequence[GraphOptions], names: Sequence[str], facts: RuleFacts
) -> tuple[GraphOptions, ...]:
    """The same with values for further options, drawn for each of a number of profiles."""
    random, values = Random(0), (*_VALUES, *facts.boundary_values)
    drawn = ({name: random.choice(values) for name in names} for _ in range(_DRAWN))
    return tuple(
        replace(options, extra={**options.extra, **held})
        for options, held in zip(cycle(found), drawn, strict=False)
    )

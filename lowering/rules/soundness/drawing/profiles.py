"""Graph options for the cases of a rule."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import cycle
from random import Random

from ...graph.options import GraphOptions
from .facts import RuleFacts

_OWN = frozenset(field.name for field in fields(GraphOptions))
_SMALL, _MODERATE = 1, 2048
"""Sizes of the TCM in bytes that every tensor, and most tensors, exceed."""
_VALUES, _DRAWN = (0, 1, 8, 256, 1 << 16), 64
"""Values of further options, and the number of profiles that they are drawn for."""


def profiles(facts: RuleFacts) -> tuple[GraphOptions, ...]:
    """Return options with the rule's flags on; frequent ones occur several times.

    For a rule that reads the size of the TCM most tensors exceed it, sometimes a part, sometimes
    none. Options beyond `GraphOptions` take boundary values of the rule.
    """
    rule = facts.rule
    base = GraphOptions(extra=dict.fromkeys(rule.flags, True))
    options = [base]
    if set(facts.options) & {"tcm_size", "tcm_size_for_tiling"}:
        tight = replace(base, tcm_size=_SMALL, tcm_size_for_tiling=_SMALL)
        options = [*[tight] * 6, replace(tight, tcm_size_for_tiling=_MODERATE), base]
    free = sorted(set(facts.options) - _OWN - set(rule.flags))
    if not free:
        return tuple(options)
    # Further options get drawn values, one set for each of a number of profiles.
    random, values = Random(0), (*_VALUES, *facts.boundary_values)
    drawn = ({name: random.choice(values) for name in free} for _ in range(_DRAWN))
    return tuple(
        replace(profile, extra={**profile.extra, **extra})
        for profile, extra in zip(cycle(options), drawn, strict=False)
    )

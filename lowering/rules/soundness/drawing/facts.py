"""Facts of a rule that all of its cases share, and the graph options for them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import cycle
from random import Random

from ...definition.rule import Rule
from ...graph.env import GraphOptions
from ...language.modifiers import ALSO_REPLACE
from ...tree.expr import Expr, Literal, Tag, walk
from ...tree.function import Call, Function, options_in

_LARGEST_BOUNDARY = 4096
"""Boundary values above this are not drawn."""
_CONSTANTS = (
    *("CONSTVAL_INT", "CONSTVAL_FLOAT", "CONSTVAL_INT_VALID", "CONSTVAL_FLOAT_VALID"),
    "CONSTVAL_IS",
)


@dataclass(frozen=True)
class RuleFacts:
    """A rule with its boundary values, options and the nodes whose elements it reads.

    Boundary values are the integers that the rule mentions and their neighbours. `external`: a
    Python function makes the replacement. `stated` are first elements of constants that the
    constraint demands, by their tags. `replaced` are the tags of inner ops with a replacement.
    """

    rule: Rule
    boundary_values: tuple[int, ...]
    read: tuple[Expr, ...]
    options: tuple[str, ...]
    external: bool
    stated: Mapping[str, int]
    replaced: tuple[str, ...] = ()


def facts_of(rule: Rule) -> RuleFacts:
    """Read the constraint and the replacement of a rule."""
    parts = (rule.constraint, rule.replacement)
    exprs = [expr for part in parts for expr in walk(part)]
    calls = [expr for expr in exprs if isinstance(expr, Call)]
    return RuleFacts(
        rule,
        _boundary_values(exprs),
        tuple(call.args[0] for call in calls if call.function.name in _CONSTANTS),
        tuple(sorted({name for part in parts for name in options_in(part)})),
        any(call.function.name == "EXTERNAL_REPLACE" for call in calls),
        dict(_stated(rule.constraint)),
        tuple(str(call.args[0]).strip('"') for call in calls if call.function is ALSO_REPLACE),
    )


def _stated(expr: Expr) -> Iterator[tuple[str, int]]:
    """Yield the tags and numbers of `EQ(CONSTVAL_INT(tag, 0), number)` in an AND."""
    match expr:
        case Call(Function(name="AND"), parts):
            for part in parts:
                yield from _stated(part)
        case Call(
            Function(name="EQ"),
            (
                Call(Function(name="CONSTVAL_INT"), (Tag(tag), Literal(0))),
                Literal(int(number)),
            ),
        ):
            yield tag, number


def _boundary_values(exprs: list[Expr]) -> tuple[int, ...]:
    values = {
        int(expr.value) + near
        for expr in exprs
        if isinstance(expr, Literal) and isinstance(expr.value, int) and expr.value > 1
        for near in (-1, 0, 1)
    }
    return tuple(sorted(value for value in values if value <= _LARGEST_BOUNDARY))


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

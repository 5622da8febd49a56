"""Splits that match their own tiles, without end."""

from __future__ import annotations

from collections.abc import Iterator

from ..definition.rule import Rule
from ..graph.names import resolve
from ..graph.tables import ROOT
from ..soundness.drawing.linear_form import DIMS
from ..tree.expr import Expr, Literal, Tag
from ..tree.function import Call
from ..tree.walk import calls_in, forms_in, tags_in, walk
from .finding import Finding, FindingKind

_WHOLE = ("ESTIMATE_TENSOR_SIZE", "EXTERNAL_CONSTRAINT", "SAME_SHAPE")
"""Functions that depend, or may depend, on all dims of a node."""


def split_findings(rule: Rule) -> Iterator[Finding]:
    """Yield splits into ops of the root's own name without a guard on the dim that is cut."""
    for call in calls_in(rule.replacement, "AUTOSPLIT"):
        guards = [rule.constraint, *_conditions(rule.replacement, call)]
        built = (resolve(form.name, rule.package) for form in forms_in(call.args[-1]))
        if rule.root in built and not any(_guards(rule, guard, call) for guard in guards):
            message = (
                f"AUTOSPLIT makes {rule.root} again, and the constraint asks nothing about "
                f"dim {call.args[0]} of the result; it applies to its own tiles for ever"
            )
            yield Finding(FindingKind.UNGUARDED_SPLIT, rule, message)


def _conditions(expr: Expr, split: Call) -> Iterator[Expr]:
    """Yield the conditions of SELECTs around a split."""
    for call in calls_in(expr, "SELECT"):
        if any(part is split for part in walk(call)):
            yield call.args[0]


def _guards(rule: Rule, guard: Expr, split: Call) -> bool:
    dim = split.args[0].value if isinstance(split.args[0], Literal) else None
    # The root's own inputs count too: in most ops their dims follow the result's.
    cut = {ROOT, *(expr.name for expr in rule.match.inputs if isinstance(expr, Tag))}
    return any(
        isinstance(expr, Call) and _speaks_of(expr, dim) and cut & set(tags_in(expr))
        for expr in walk(guard)
    )


def _speaks_of(call: Call, dim: object) -> bool:
    name = call.function.name
    if name in _WHOLE:
        return True
    if name == "DIM_OF":
        asked = call.args[1]
        return not isinstance(asked, Literal) or dim is None or asked.value == dim
    return name in DIMS and dim in (None, DIMS[name])

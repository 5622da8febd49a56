"""Restrictions of the vendor's compiler beyond types, which our engine does not have.

Source: QNN HTP op package documentation, optimization grammar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..definition.rule import Rule
from ..graph.types import ExprKind as Type
from ..tree.expr import Expr
from ..tree.function import Call
from ..tree.walk import calls_in, walk
from .finding import Finding, FindingKind

_MODIFIERS = (
    *("WITH_SIZE", "WITH_TYPE", "WITH_SAME_OUTPUT", "WITH_OUTPUT_TYPE", "WITH_MULTI_OUT"),
    *("WITH_SAME_ID", "WITH_SPLIT_HISTORY", "ResizeDim"),
)
_SLICES = ("TYPICAL_SLICE", "CHANGEDIM_SLICE", "AUTOSPLIT_SLICE", "TYPICAL_CONV_SLICE")
_AT_ROOT = ("AUTOSPLIT", "EXTERNAL_REPLACE")


def restriction_findings(rule: Rule) -> Iterator[Finding]:
    """Yield the places that the vendor's compiler would refuse in an op package."""
    for message in _messages(rule.replacement):
        yield Finding(FindingKind.RESTRICTION, rule, message)


def _messages(replacement: Expr) -> Iterator[str]:
    for call in calls_in(replacement, *_SLICES):
        if call.args[0].kind is not Type.NODE:
            name = call.function.name
            yield f"the first operand of {name} is {call.args[0]}; it must be a node that exists"
    for call in calls_in(replacement, *_MODIFIERS):
        if call.args[-1].kind is not Type.OP:
            name = call.function.name
            yield f"the last operand of {name} is {call.args[-1]}; it must build an Op"
    roots = list(_roots(replacement))
    for call in calls_in(replacement, *_AT_ROOT):
        if not any(call is root for root in roots):
            yield f"{call.function.name} stands inside; it belongs at the root or in a root SELECT"
    calls = (part for part in walk(replacement) if isinstance(part, Call))
    tags = Counter(str(call.args[1]) for call in calls if call.function.binds)
    for tag, count in tags.items():
        if count > 1:
            yield f"{count} splits have the tag {tag}; each needs its own"


def _roots(expr: Expr) -> Iterator[Expr]:
    """Yield the replacement, and the choices where it is a SELECT."""
    yield expr
    if isinstance(expr, Call) and expr.function.name == "SELECT":
        for choice in expr.args[1:]:
            yield from _roots(choice)

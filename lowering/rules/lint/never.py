"""Constraints that hold for no graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..definition.rule import Rule
from ..graph.env import ROOT
from ..graph.types import Kind as Type
from ..soundness.choices import Choices
from ..soundness.constraint_system import Contradiction
from ..soundness.hints import Hints
from ..soundness.linear_form import Reader
from ..soundness.template import GraphTemplate, Slot
from ..tree.expr import Expr, Literal
from ..tree.function import Call
from ..tree.walk import conjuncts, tags_in, walk
from .finding import Finding, Kind

_BRANCHES = 64
"""Combinations of OR choices that are looked at; a constraint with more counts as possible."""

Demand = tuple[Expr, bool]


def never_findings(rule: Rule) -> Iterator[Finding]:
    """A constraint that is false whatever the graph is; the first part that makes it so."""
    parts = list(conjuncts(rule.constraint))
    for count in range(1, len(parts) + 1):
        if not _possible(rule, [(part, True) for part in parts[:count]]):
            after = " beside what stands before it" if count > 1 else ""
            message = f"{parts[count - 1]} cannot hold{after}"
            yield Finding(Kind.NEVER_FIRES, rule, message)
            return


def _possible(rule: Rule, demands: Sequence[Demand]) -> bool:
    """Not all combinations of choices contradict themselves."""
    branches = _branches(demands)
    return branches is None or any(_consistent(rule, branch) for branch in branches)


def _branches(demands: Sequence[Demand]) -> list[list[Demand]] | None:
    """The demands without AND, OR and NOT, one list for each combination; None: too many."""
    found: list[list[Demand]] = [[]]
    for expr, wanted in demands:
        options = _options(expr, wanted)
        found = [[*branch, *option] for branch in found for option in options]
        if len(found) > _BRANCHES:
            return None
    return found


def _options(expr: Expr, wanted: bool) -> list[list[Demand]]:
    """The ways in which an expression has a truth value."""
    name = expr.function.name if isinstance(expr, Call) else ""
    parts = expr.parts()
    if name == "NOT":
        return _options(parts[0], not wanted)
    if name in ("AND", "OR"):
        if (name == "AND") is wanted:
            return _branches([(part, wanted) for part in parts]) or [[]]
        return [option for part in parts for option in _options(part, wanted)]
    return [[(expr, wanted)]]


def _consistent(rule: Rule, demands: Sequence[Demand]) -> bool:
    """No demand contradicts the others, as far as they are understood."""
    template = GraphTemplate(Choices([]))
    tags = {tag: _anything(template) for tag in {*tags_in(rule.match), ROOT}}
    hints = Hints(template, Reader(template, tags, None), _ignore)
    try:
        for expr, wanted in demands:
            if not _is_unequal(expr, wanted) and not _may_wrap(expr):
                hints.demand(expr, wanted)
        template.system.propagate()
    except Contradiction:
        return False
    return True


def _anything(template: GraphTemplate) -> Slot:
    """A value or a shape, of any dims."""
    slot = template.blank()
    for dim in slot.dims:
        dim.low = 0
    return slot


def _is_unequal(expr: Expr, wanted: bool) -> bool:
    """A demand that the hints would turn into less or greater, by choice."""
    if not isinstance(expr, Call) or expr.function.name != ("NE" if wanted else "EQ"):
        return False
    return expr.args[0].kind is not Type.DTYPE


def _may_wrap(expr: Expr) -> bool:
    """A comparison of sizes with what may be below 0, where it wraps round to a large number."""
    sizes = any(part.kind is Type.SIZE for part in expr.parts())
    return any(
        (part.kind is Type.SIZE and isinstance(part, Call) and part.function.name in ("SUB", "NEG"))
        or (sizes and part.kind is Type.INT and not _is_natural(part))
        for part in walk(expr)
    )


def _is_natural(expr: Expr) -> bool:
    return isinstance(expr, Literal) and isinstance(expr.value, int) and expr.value >= 0


def _ignore(name: str, slot: Slot) -> None:
    """A consumer says nothing about the node."""

"""Constraints that hold for no graph.

AND, OR and NOT are expanded into branches of single demands, at most 64; each branch narrows a
graph template without ops by propagation. A constraint is impossible where each branch contradicts
itself. One that is not understood, or has more branches, counts as possible.

Example: `AND(LT(DIM_DEPTH("X"), 4), GT(DIM_DEPTH("X"), 8))` is one branch; the bounds 3 and 9 of
the depth exclude each other, and the second part is reported.
"""

from collections.abc import Iterator, Sequence

from ..definition.rule import Rule
from ..graph.names import GRAPH
from ..graph.tables import ROOT
from ..graph.types import ExprKind as Type
from ..soundness.drawing.choices import Choices
from ..soundness.drawing.constraint_system import Contradiction
from ..soundness.drawing.hints import Hints
from ..soundness.drawing.linear_form import LinearReader
from ..soundness.drawing.template import GraphTemplate, Slot
from ..tree.expr import Expr, Literal, tags_in, walk
from ..tree.function import Call, conjuncts
from .finding import Finding, FindingKind

_BRANCHES = 64
"""Maximum number of branches; a constraint with more counts as possible."""

Demand = tuple[Expr, bool]


def never_findings(rule: Rule) -> Iterator[Finding]:
    """Yield the first part that makes a constraint false for every graph.

    A constraint of too many branches is passed over.
    """
    parts = list(conjuncts(rule.constraint))
    if _branches([(part, True) for part in parts]) is None:
        message = f"its constraint has more than {_BRANCHES} branches, too many to compare"
        yield Finding(FindingKind.PASSED_OVER, rule, message)
    for count in range(1, len(parts) + 1):
        branches = _branches([(part, True) for part in parts[:count]])
        if branches is not None and not any(_consistent(rule, branch) for branch in branches):
            after = " beside what stands before it" if count > 1 else ""
            message = f"{parts[count - 1]} cannot hold{after}"
            yield Finding(FindingKind.NEVER_FIRES, rule, message)
            return


def _branches(demands: Sequence[Demand]) -> list[list[Demand]] | None:
    """Expand demands into branches without AND, OR and NOT; None where there are too many."""
    branches: list[list[Demand]] = [[]]
    for expr, wanted in demands:
        options = _options(expr, wanted)
        branches = [[*branch, *option] for branch in branches for option in options]
        if len(branches) > _BRANCHES:
            return None
    return branches


def _options(expr: Expr, wanted: bool) -> list[list[Demand]]:
    """Return the branches in which an expression has a truth value."""
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
    """Test that no demand contradicts the others, where they are understood."""
    template = GraphTemplate(Choices([]))
    tags = {tag: _anything(template) for tag in {*tags_in(rule.match), ROOT}}
    hints = Hints(template, LinearReader(template, tags, None), lambda name, slot: None)
    try:
        for expr, wanted in demands:
            if not (_is_unequal(expr, wanted) or _may_wrap(expr) or _asks_free_rank(rule, expr)):
                hints.demand(expr, wanted)
        template.system.propagate()
    except Contradiction:
        return False
    return True


def _anything(template: GraphTemplate) -> Slot:
    """Return a slot of any dims, for a value or a shape."""
    slot = template.blank()
    for dim in slot.dims:
        dim.low = 0
    return slot


def _is_unequal(expr: Expr, wanted: bool) -> bool:
    """Test for a demand that the hints turn into less or greater, by choice."""
    if not isinstance(expr, Call) or expr.function.name != ("NE" if wanted else "EQ"):
        return False
    return expr.args[0].kind is not Type.DTYPE


def _asks_free_rank(rule: Rule, expr: Expr) -> bool:
    """Test for a question about the rank in a graph rule: slots have rank 4, graphs have any."""
    return rule.package == GRAPH and any(
        isinstance(part, Call) and part.function.name == "RANK_OF" for part in walk(expr)
    )


def _may_wrap(expr: Expr) -> bool:
    """Test for a comparison of sizes with a number that may be below 0, and wrap round."""
    sizes = any(part.kind is Type.SIZE for part in expr.parts())
    return any(
        (part.kind is Type.SIZE and isinstance(part, Call) and part.function.name in ("SUB", "NEG"))
        or (
            sizes
            and part.kind is Type.INT
            and not (isinstance(part, Literal) and isinstance(part.value, int) and part.value >= 0)
        )
        for part in walk(expr)
    )

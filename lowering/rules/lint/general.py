"""Subsumption: one rule fires wherever another could.

The wide match is unified with the narrow one in one walk of both trees; each tag of the wide match
takes the part of the narrow match at its place, its role. Then each conjunct of the wide
constraint, with the roles in place of the tags, must occur among the conjuncts of the narrow one.
The test is sufficient, not necessary.

Example: `Op("Neg", "A")` with `IS_FLOAT("A")` covers `Op("Neg", Op("Abs", "X"))` only if its
constraint is `OK`: the role of A is the inner op, which has no tag. With `LET("B", Op("Abs", "X"))`
the role is B, and `IS_FLOAT("B")` among the narrow conjuncts suffices.
"""

from __future__ import annotations

from dataclasses import replace

from ..definition.rule import Rule
from ..graph.names import resolve
from ..tree.expr import Expr, Let, Literal, OpForm, Tag
from ..tree.function import Call
from ..tree.walk import conjuncts

Roles = dict[str, Expr]
"""The parts of the narrow match for which the wide tags stand."""


def covers(wide: Rule, narrow: Rule) -> bool:
    """Test that the wide rule could fire wherever the narrow one could."""
    roles: Roles = {}
    if not set(wide.flags) <= set(narrow.flags):
        return False
    if not _form_covers(wide.match, narrow.match, wide.package, narrow.package, roles):
        return False
    demanded = list(conjuncts(narrow.constraint))
    return all(
        (isinstance(part, Literal) and part.value is True) or _renamed(part, roles) in demanded
        for part in conjuncts(wide.constraint)
    )


def _covers(wide: Expr, narrow: Expr, mine: str, theirs: str, roles: Roles) -> bool:
    if isinstance(wide, Tag):
        return _takes_role(wide.name, narrow, roles)
    if isinstance(wide, Let):
        if not _takes_role(wide.tag, narrow, roles):
            return False
        wide = wide.op
    form = narrow.op if isinstance(narrow, Let) else narrow
    return (
        isinstance(wide, OpForm)
        and isinstance(form, OpForm)
        and _form_covers(wide, form, mine, theirs, roles)
    )


def _form_covers(wide: OpForm, narrow: OpForm, mine: str, theirs: str, roles: Roles) -> bool:
    counts = len(wide.inputs), len(narrow.inputs)
    exact = counts[0] == counts[1] and not narrow.at_least
    if not (exact or (wide.at_least and counts[0] <= counts[1])):
        return False
    return resolve(wide.name, mine) == resolve(narrow.name, theirs) and all(
        _covers(a, b, mine, theirs, roles) for a, b in zip(wide.inputs, narrow.inputs, strict=False)
    )


def _takes_role(tag: str, narrow: Expr, roles: Roles) -> bool:
    """Give a tag its role; false where it has another one."""
    if tag not in roles:
        roles[tag] = narrow
        return True
    role = _tag(roles[tag])
    return role is not None and role == _tag(narrow)


def _tag(expr: Expr) -> str | None:
    if isinstance(expr, Let):
        return expr.tag
    return expr.name if isinstance(expr, Tag) else None


def _renamed(expr: Expr, roles: Roles) -> Expr | None:
    """Return the expression with the narrow rule's tags; None where a role has no tag."""
    if isinstance(expr, Tag):
        if expr.name not in roles:
            return expr
        tag = _tag(roles[expr.name])
        return None if tag is None else Tag(tag)
    if not isinstance(expr, Call):
        return expr
    args = [_renamed(arg, roles) for arg in expr.args]
    renamed = tuple(arg for arg in args if arg is not None)
    return replace(expr, args=renamed) if len(renamed) == len(args) else None

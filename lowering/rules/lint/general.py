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

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from ..definition.rule import Rule
from ..graph.names import resolve
from ..tree.expr import Expr, Let, Literal, OpForm, Tag
from ..tree.function import Call
from ..tree.walk import conjuncts

Roles = dict[str, Expr]
"""The parts of the narrow match for which the wide tags stand."""
Packages = tuple[str, str]
"""The packages of the two rules, the wide one's first."""


def covers(wide: Rule, narrow: Rule) -> bool:
    """Test that the wide rule could fire wherever the narrow one could, whatever it chooses."""
    if wide.root != narrow.root or not set(wide.flags) <= set(narrow.flags):
        return False
    return all(
        any(_covers_one(mine, theirs) for mine in wide.written_out) for theirs in narrow.written_out
    )


def _covers_one(wide: Rule, narrow: Rule) -> bool:
    """Test the same of rules without alternatives."""
    demanded = list(conjuncts(narrow.constraint))
    return any(
        all(
            (isinstance(part, Literal) and part.value is True) or _renamed(part, roles) in demanded
            for part in conjuncts(wide.constraint)
        )
        for roles in _form_covers(wide.match, narrow.match, (wide.package, narrow.package), {})
    )


def _covers(wide: Expr, narrow: Expr, packages: Packages, roles: Roles) -> Iterator[Roles]:
    """Yield the roles with which an input covers another, added to those known."""
    known: Roles | None = roles
    if isinstance(wide, Let | Tag):
        known = _with_role(wide.tag if isinstance(wide, Let) else wide.name, narrow, roles)
    form, inner = (expr.op if isinstance(expr, Let) else expr for expr in (wide, narrow))
    if known is not None and isinstance(wide, Tag):
        yield known
    elif known is not None and isinstance(form, OpForm) and isinstance(inner, OpForm):
        yield from _form_covers(form, inner, packages, known)


def _form_covers(wide: OpForm, narrow: OpForm, packages: Packages, roles: Roles) -> Iterator[Roles]:
    """Yield the roles with which an op covers another; inputs in any order do so in some order.

    Inputs in one order cover none in any order.
    """
    counts = len(wide.inputs), len(narrow.inputs)
    exact = counts[0] == counts[1] and not narrow.at_least
    if not (exact or (wide.at_least and counts[0] <= counts[1])):
        return
    if narrow.any_order and not wide.any_order:
        return
    names = (resolve(form.name, of) for form, of in zip((wide, narrow), packages, strict=True))
    if len({*names}) > 1:
        return
    for order in permutations(wide.inputs) if wide.any_order else (wide.inputs,):
        tried = [roles]
        for mine, theirs in zip(order, narrow.inputs, strict=False):
            tried = [each for known in tried for each in _covers(mine, theirs, packages, known)]
        yield from tried


def _with_role(tag: str, narrow: Expr, roles: Roles) -> Roles | None:
    """Return the roles with that of a tag; None where it has another one."""
    if tag not in roles:
        return {**roles, tag: narrow}
    role = _tag(roles[tag])
    return roles if role is not None and role == _tag(narrow) else None


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

"""Rules with alternatives, written out: one rule for each choice of them.

The choices are in the order of writing, the last alternatives change first. In each, `BOUND` is
known, and what depends on it falls away. A tag of a LET whose alternative is a tag is that tag.

Example: the match `Op("Neg", LET("Y", ONE_OF(Op("Abs", "X"), "X")))` is written out as
`Op("Neg", LET("Y", Op("Abs", "X")))` and `Op("Neg", "X")`; the second replaces "X" where the rule
says "Y".
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import permutations, product

from ..graph.graph import ROOT, ExprKind
from .expr import Expr, Let, Literal, OneOf, OpForm, Tag, tags_in, walk
from .function import Call, Function, calls_in

Written = tuple[Expr, Expr, Expr]
"""The match, the constraint and the replacement of a rule."""
_ASKS = "BOUND"
"""The function that tells which tags are bound."""
_ALWAYS, _NEVER = Literal(True, ExprKind.BOOL), Literal(False, ExprKind.BOOL)
"""The constraints of a choice that a rule takes as it stands, and of one that it excludes."""


def written_out(match: Expr, constraint: Expr, replacement: Expr) -> Iterator[Written]:
    """Yield a rule with each choice of its alternatives that the constraint leaves.

    Choices with the same answers of `BOUND` share the constraint and the replacement.
    """
    asked = asked_tags(constraint, replacement)
    if not asked and not any(isinstance(part, OneOf) for part in walk(match)):
        yield match, constraint, replacement
        return
    settled: dict[tuple[frozenset[str], frozenset[tuple[str, str]]], tuple[Expr, Expr]] = {}
    every = (part for part in walk(match) if isinstance(part, Let))
    names = {let.tag for let in every if not isinstance(let.op, OpForm)}
    unsettled = _unsettled(constraint, names) | _unsettled(replacement, names)
    for chosen in _choices(match):
        lets = [part for part in walk(chosen) if isinstance(part, Let)]
        other = {let.tag: next(tags_in(let.op)) for let in lets if not isinstance(let.op, OpForm)}
        bound = {*tags_in(chosen), ROOT}
        settle = partial(_settled, other, bound)
        key = frozenset(asked & bound), frozenset(other.items())
        if key not in settled:
            condition = _rebuilt(constraint, settle, unsettled)
            settled[key] = condition, _rebuilt(replacement, settle, unsettled)
        if settled[key][0] != _NEVER:
            yield (_rebuilt(chosen, settle) if other else chosen, *settled[key])


def settled(expr: Expr, bound: Collection[str]) -> Expr:
    """Return an expression that asks which tags are bound without what the bound tags decide."""
    return _rebuilt(expr, partial(_settled, {}, bound)) if asked_tags(expr) else expr


def asked_tags(*parts: Expr) -> set[str]:
    """Return the tags of which `BOUND` asks."""
    return {tag for part in parts for call in calls_in(part, _ASKS) for tag in tags_in(call)}


def orders(form: OpForm) -> Iterator[OpForm]:
    """Yield a match with the inputs of each `OpAnyOrder` in all orders, as written first."""
    return (each for each in _choices(form, any_order=True) if isinstance(each, OpForm))


def _choices(expr: Expr, any_order: bool = False) -> Iterator[Expr]:
    """Yield a part of a match with each choice of its alternatives, and of its orders if asked."""
    match expr:
        case OneOf(ways):
            for way in ways:
                yield from _choices(way, any_order)
        case Let(tag, op):
            yield from (Let(tag, each) for each in _choices(op, any_order))
        case OpForm(inputs=inputs) if inputs:
            for chosen in product(*(list(_choices(each, any_order)) for each in inputs)):
                if any_order and expr.any_order:
                    yield from map(replace(expr, any_order=False).with_parts, permutations(chosen))
                else:
                    yield expr.with_parts(chosen)
        case _:
            yield expr


def _unsettled(expr: Expr, names: Collection[str]) -> set[int]:
    """Return the ids of the parts that a choice may change, where it may rename these tags."""
    inner = {each for part in expr.parts() for each in _unsettled(part, names)}
    renamed = isinstance(expr, Tag) and expr.name in names
    return {id(expr), *inner} if inner or renamed or _settled({}, (), expr) != expr else inner


def _rebuilt(
    expr: Expr, change: Callable[[Expr], Expr], only: Container[int] | None = None
) -> Expr:
    """Return an expression with its parts changed, inner ones first; `only` those of these ids."""
    if only is not None and id(expr) not in only:
        return expr
    parts = tuple(_rebuilt(part, change, only) for part in expr.parts())
    if any(new is not old for new, old in zip(parts, expr.parts(), strict=True)):
        expr = expr.with_parts(parts)
    return change(expr)


def _settled(other: Mapping[str, str], bound: Collection[str], part: Expr) -> Expr:
    """Return a part whose own parts are settled, without what the bound tags decide."""
    match part:
        case Tag(name) if name in other:
            return _settled(other, bound, Tag(other[name]))
        case Let(_, Let() | Tag()):
            return part.op
        case Call(Function(name="BOUND"), (Tag(name),)):
            return _ALWAYS if name in bound else _NEVER
        case Call(Function(name="NOT"), (Literal(value),)):
            return _NEVER if value else _ALWAYS
        case Call(Function(name="XOR"), args) if all(isinstance(arg, Literal) for arg in args):
            odd = sum(arg == _ALWAYS for arg in args) % 2 == 1
            return _ALWAYS if odd else _NEVER
        case Call(Function(name="SELECT"), (Literal(value), first, second)):
            return first if value else second
        case Call(Function(name="AND" | "OR" as name)):
            deciding, neutral = (_ALWAYS, _NEVER) if name == "OR" else (_NEVER, _ALWAYS)
            args = tuple(arg for arg in part.args if not isinstance(arg, Literal))
            left = part.with_parts(args) if args else neutral
            return deciding if deciding in part.args else left
        case _:
            return part

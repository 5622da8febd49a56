"""Rules that never fire: an earlier rule matches all that they match, or no graph fits them.

Of two rules, by subsumption: the wide match is unified with the narrow one in one walk of both
trees; each tag of the wide match takes the part of the narrow match at its place, its role. Then
each conjunct of the wide constraint, with the roles in place of the tags, must occur among the
conjuncts of the narrow one. The test is sufficient, not necessary. Cost: each rule asked for is
compared with those before it, at most O(n * n) comparisons of trees.

Example: `Op("Neg", "A")` with `IS_FLOAT("A")` covers `Op("Neg", Op("Abs", "X"))` only if its
constraint is `OK`: the role of A is the inner op, which has no tag. With `LET("B", Op("Abs", "X"))`
the role is B, and `IS_FLOAT("B")` among the narrow conjuncts suffices.

Of one rule: AND, OR and NOT of its constraint are expanded into branches of single demands, at most
64; each branch narrows a graph template without ops by propagation. A constraint is impossible
where each branch contradicts itself. One that is not understood, or has more branches, counts as
possible.

Example: `AND(LT(DIM_DEPTH("X"), 4), GT(DIM_DEPTH("X"), 8))` is one branch; the bounds 3 and 9 of
the depth exclude each other, and the second part is reported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from xdsl.ir import Operation

from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import CopyOp
from ..definition.rule import Rule
from ..graph.graph import GRAPH, ROOT, resolve
from ..graph.graph import ExprKind as Type
from ..graph.priorities import priority_name
from ..soundness.drawing.constraint_system import Choices, Contradiction
from ..soundness.drawing.hints import Hints
from ..soundness.drawing.template import GraphTemplate, LinearReader, Slot
from ..tree.build import OpClasses
from ..tree.expr import Expr, Let, Literal, OpForm, Tag, required_forms, tags_in, text_of, walk
from ..tree.function import Call, calls_in, conjuncts
from .restrictions import Finding, FindingKind

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


_MAY_DECLINE = ("EXTERNAL_REPLACE", "AUTOTHREAD_HVX", "AUTOTHREAD_HMX")
_NAMING = ("WrapOp", "WrapOpAlways")


def shadow_findings(
    rules: Sequence[Rule], classes: OpClasses, only: Sequence[Rule]
) -> Iterator[Finding]:
    """Yield the given rules that another rule of their group covers, or whose ops are not there.

    A rule that may decline to replace, or that builds its own root in full size, shadows none.
    """
    # A rule is compared by its tree; the rules asked for are members of the set.
    asked = {id(rule) for rule in only}
    for index, rule in enumerate(rules):
        if id(rule) not in asked:
            continue
        before = (other for other in rules[:index] if other.priority == rule.priority)
        wide = next((other for other in before if covers(other, rule) and _takes_all(other)), None)
        if wide is not None:
            message = f"{wide.label} stands before it in its group and fires wherever it could"
            yield Finding(FindingKind.SHADOWED, rule, message)
            continue
        yield from _gone(rule, rules, classes)
        yield from _unplaced(rule, rules, classes)


def _takes_all(rule: Rule) -> bool:
    """Test that the rule replaces every root it is tried at, and builds none like it."""
    if any(calls_in(rule.replacement, *_MAY_DECLINE)):
        return False
    split = [part for call in calls_in(rule.replacement, "AUTOSPLIT") for part in walk(call)]
    return not any(
        built == rule.root and not any(expr is part for part in split)
        for expr, built in _built(rule)
    )


def _built(rule: Rule) -> Iterator[tuple[Expr, str]]:
    """Yield the ops that a rule builds, each with its expression."""
    for expr in walk(rule.replacement):
        if isinstance(expr, OpForm):
            yield expr, resolve(expr.name, rule.package)
        elif isinstance(expr, Call) and expr.function.name in _NAMING:
            yield expr, resolve(text_of(expr.args[0]), rule.package)


def _gone(rule: Rule, rules: Sequence[Rule], classes: OpClasses) -> Iterator[Finding]:
    """Yield an op of the match that an earlier group replaces everywhere, and no rule builds."""
    names = (resolve(form.name, rule.package) for form in required_forms(rule.match))
    for name in dict.fromkeys(names):
        for other in rules:
            gone = other.priority < rule.priority and _removes(other, name, classes)
            if gone and not _comes_back(name, other, rule, rules):
                group = priority_name(other.priority)
                message = f"{other.label} in {group} leaves no {name} in the graph"
                yield Finding(FindingKind.NEVER_FIRES, rule, message)
                return


def _unplaced(rule: Rule, rules: Sequence[Rule], classes: OpClasses) -> Iterator[Finding]:
    """Yield a copy of the match that no rule builds."""
    names = (resolve(form.name, rule.package) for form in required_forms(rule.match))
    copies = [n for n in dict.fromkeys(names) if issubclass(classes.get(n, Operation), CopyOp)]
    built = {name for other in rules for _, name in _built(other)} if copies else set()
    for name in (name for name in copies if name not in built):
        message = f"no rule places {name}, and the compiler places copies when all rules have run"
        yield Finding(FindingKind.NEVER_FIRES, rule, message)
        return


def _removes(rule: Rule, name: str, classes: OpClasses) -> bool:
    """Test that the rule fires on every op of this name."""
    if rule.root != name:
        return False
    tags = [expr.name for expr in rule.match.inputs if isinstance(expr, Tag)]
    any_input = len(set(tags)) == len(rule.match.inputs)
    always = isinstance(rule.constraint, Literal) and rule.constraint.value is True
    return (
        any_input
        and always
        and not rule.flags
        and _takes_all(rule)
        and _fits_all(rule.match, classes.get(name))
    )


def _fits_all(form: OpForm, op_class: type[Operation] | None) -> bool:
    """Test that each op of this class has one result and the inputs of the form."""
    if op_class is None or not issubclass(op_class, NativeOp) or op_class.RESULTS != 1:
        return False
    names = op_class.OPERANDS
    needed = [n for n in names if not n.endswith("...") and n not in op_class.OPTIONAL]
    if len(needed) < len(names):
        return form.at_least and len(form.inputs) <= len(needed)
    return len(form.inputs) == len(names)


def _comes_back(name: str, since: Rule, until: Rule, rules: Sequence[Rule]) -> bool:
    """Test that a rule in between builds the op, or might."""
    for rule in rules:
        if since.priority <= rule.priority <= until.priority and rule is not since:
            external = any(calls_in(rule.replacement, "EXTERNAL_REPLACE"))
            if external or any(built == name for _, built in _built(rule)):
                return True
    return any(built == name for _, built in _built(since))


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

"""Rules that never fire because of earlier rules: subsumption of one match by another.

Cost: each rule asked for is compared with those before it, at most O(n * n) comparisons of trees.
Example: behind `Op("Neg", "X")` with OK a rule of the same group for `Op("Neg", Op("Abs", "X"))`
never fires: wherever it could, the first one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from ....dialects.htp.base import NativeOp
from ..definition.rule import Rule
from ..graph.names import resolve
from ..graph.priorities import priority_name
from ..tree.build import OpClasses
from ..tree.expr import Expr, Literal, OpForm, Tag
from ..tree.function import Call
from ..tree.walk import calls_in, required_forms, text_of, walk
from .finding import Finding, FindingKind
from .general import covers

_MAY_DECLINE = ("EXTERNAL_REPLACE", "AUTOTHREAD_HVX", "AUTOTHREAD_HMX")
_NAMING = ("WrapOp", "WrapOpAlways")


def shadow_findings(
    rules: Sequence[Rule], classes: OpClasses, only: Sequence[Rule]
) -> Iterator[Finding]:
    """Yield those of some rules that one of their group covers, or whose ops are gone.

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

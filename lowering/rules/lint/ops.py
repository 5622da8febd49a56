"""Op names that no package knows, and ops with a wrong number of inputs."""

from __future__ import annotations

from collections.abc import Iterator

from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.state import StateReadOp, StateWriteOp
from ..definition.rule import Rule
from ..graph.graph import INPUT, OUTPUT
from ..graph.names import resolve, suggestion
from ..tree.build import OpClasses
from ..tree.expr import OUT, Expr, OpForm
from ..tree.walk import calls_in, forms_in, text_of
from .finding import Finding, Kind

_READABLE = (StateReadOp.name, StateWriteOp.name, INPUT, OUTPUT)
_NAMING = (("WrapOp", 0), ("WrapOpAlways", 0), ("PRODUCER_FOR", 1))
"""Functions of the language with the index of the operand that is an op's name."""


def op_findings(rule: Rule, classes: OpClasses) -> Iterator[Finding]:
    """Yield unknown names, and wrong numbers of inputs."""
    for name in dict.fromkeys(_names(rule)):
        full = resolve(name, rule.package)
        if full not in classes and full not in _READABLE:
            hint = suggestion(full, classes)
            message = f"no package has {full}{f'; {hint}' if hint else ''}"
            yield Finding(Kind.UNKNOWN_OP, rule, message)
    for form in forms_in(rule.match):
        yield from _operands(rule, form, classes, "the match gives", "it never matches")
    for form in _built(rule.replacement):
        yield from _operands(rule, form, classes, "the replacement gives", "it is never valid")


def _names(rule: Rule) -> Iterator[str]:
    for part in (rule.match, rule.constraint, rule.replacement):
        forms = _built(part) if part is rule.replacement else forms_in(part)
        yield from (form.name for form in forms)
        for function, place in _NAMING:
            yield from (text_of(call.args[place]) for call in calls_in(part, function))


def _built(expr: Expr) -> Iterator[OpForm]:
    """Yield the ops that a replacement builds; $Out only takes one output of them."""
    return (form for form in forms_in(expr) if form.name != OUT)


def _operands(rule: Rule, form: OpForm, classes: OpClasses, who: str, so: str) -> Iterator[Finding]:
    name = resolve(form.name, rule.package)
    op_class, count = classes.get(name), len(form.inputs)
    if op_class is None or not issubclass(op_class, NativeOp) or not op_class.OPERANDS:
        return
    repeats = op_class.OPERANDS[-1].endswith("...")
    least = len(op_class.OPERANDS) - repeats
    if (count < least and not form.at_least) or (count > least and not repeats):
        takes = f"{least} or more" if repeats else f"{least}"
        message = f"{who} {name} {count} inputs, it takes {takes}; {so}"
        yield Finding(Kind.OPERANDS, rule, message)

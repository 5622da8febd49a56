"""Ops with a number of inputs that they never have."""

from __future__ import annotations

from collections.abc import Iterator

from ....dialects.htp.base import NativeOp
from ..definition.rule import Rule
from ..graph.names import resolve
from ..tree.build import OpClasses
from ..tree.expr import OUT, OpForm
from ..tree.walk import forms_in
from .finding import Finding, FindingKind


def operand_findings(rule: Rule, classes: OpClasses) -> Iterator[Finding]:
    """Yield wrong numbers of inputs in the match and in the replacement."""
    for form in forms_in(rule.match):
        yield from _operands(rule, form, classes, "the match gives", "it never matches")
    # $Out builds no op, it only takes one output of them.
    for form in (form for form in forms_in(rule.replacement) if form.name != OUT):
        yield from _operands(rule, form, classes, "the replacement gives", "it is never valid")


def _operands(rule: Rule, form: OpForm, classes: OpClasses, who: str, so: str) -> Iterator[Finding]:
    name = resolve(form.name, rule.package)
    op_class, count = classes.get(name), len(form.inputs)
    if op_class is None or not issubclass(op_class, NativeOp) or not op_class.OPERANDS:
        return
    wanted = max(count, op_class.least_operands()) if form.at_least else count
    if op_class.names_of(wanted) is None:
        message = f"{who} {name} {count} inputs, it takes {op_class.takes()}; {so}"
        yield Finding(FindingKind.OPERANDS, rule, message)

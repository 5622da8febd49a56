"""Op names that no package knows, and ops with a number of inputs that they never have."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from xdsl.ir import Operation

from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.state import StateReadOp, StateWriteOp
from ..definition.rule import Rule
from ..graph.graph import INPUT, OUTPUT
from ..graph.names import resolve
from ..tree.build import OpClasses
from ..tree.expr import OUT, Expr, OpForm
from ..tree.walk import calls_in, text_of, walk
from .finding import Finding, Kind

_READABLE = (StateReadOp.name, StateWriteOp.name, INPUT, OUTPUT)
_NAMING = (("WrapOp", 0), ("WrapOpAlways", 0), ("PRODUCER_FOR", 1))
"""Functions of the language with the operand that is an op's name."""


def op_findings(rule: Rule, classes: OpClasses) -> Iterator[Finding]:
    """Unknown names, and wrong numbers of inputs."""
    for name in dict.fromkeys(_names(rule)):
        full = resolve(name, rule.package)
        if full not in classes and full not in _READABLE:
            yield Finding(Kind.UNKNOWN_OP, rule, f"no package has {full}{_near(full, classes)}")
    for form in _forms(rule.match):
        yield from _operands(rule, form, classes, "the match gives", "it never matches")
    for form in _built(rule.replacement):
        yield from _operands(rule, form, classes, "the replacement gives", "it is never valid")


def _names(rule: Rule) -> Iterator[str]:
    for part in (rule.match, rule.constraint, rule.replacement):
        forms = _built(part) if part is rule.replacement else _forms(part)
        yield from (form.name for form in forms)
        for function, place in _NAMING:
            yield from (text_of(call.args[place]) for call in calls_in(part, function))


def _forms(expr: Expr) -> Iterator[OpForm]:
    return (held for held in walk(expr) if isinstance(held, OpForm))


def _built(expr: Expr) -> Iterator[OpForm]:
    """The ops that a replacement makes; $Out only takes one output of them."""
    return (form for form in _forms(expr) if form.name != OUT)


def _operands(rule: Rule, form: OpForm, classes: OpClasses, who: str, so: str) -> Iterator[Finding]:
    name = resolve(form.name, rule.package)
    bounds = _bounds(classes.get(name))
    if bounds is None:
        return
    (least, most), found = bounds, len(form.inputs)
    few = found < least and not form.at_least
    if few or (most is not None and found > most):
        wanted = f"{least}" if most == least else f"{least} or more"
        message = f"{who} {name} {found} inputs, it takes {wanted}; {so}"
        yield Finding(Kind.OPERANDS, rule, message)


def _bounds(op_class: type[Operation] | None) -> tuple[int, int | None] | None:
    """The least and the greatest number of operands of an op that says so."""
    if op_class is None or not issubclass(op_class, NativeOp) or not op_class.OPERANDS:
        return None
    names = op_class.OPERANDS
    if names[-1].endswith("..."):
        return len(names) - 1, None
    return len(names), len(names)


def _near(name: str, classes: OpClasses) -> str:
    near = get_close_matches(name, classes, n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""

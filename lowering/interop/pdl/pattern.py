"""Rules as patterns in PDL, one for each order and alternative, or the reason why PDL cannot.

Example: `rule(QNN, Op("ElementWiseAbs", "in"), OK, Op("Abs", "in"))` becomes

    pdl.pattern @element_wise_abs : benefit(1) {
      %type0 = pdl.type
      %type1 = pdl.type
      %value2 = pdl.operand : %type1
      %op3 = pdl.operation "htp.ElementWiseAbs"(%value2 : !pdl.value) -> (%type0 : !pdl.type)
      %value4 = pdl.result 0 of %op3
      pdl.rewrite %op3 {
        %op5 = pdl.operation "htp.Abs"(%value2 : !pdl.value) -> (%type0 : !pdl.type)
        %value6 = pdl.result 0 of %op5
        pdl.replace %op3 with (%value6 : !pdl.value)
      }
    }
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.htp.ops.const import const
from ....dialects.suggestions import did_you_mean
from ....dialects.text.printer import ModulePrinter
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from ...packages.packages import Packages
from ...rules import Rule, RuleSet
from ...rules.engine.run import op_classes
from ...rules.graph.env import Env
from ...rules.graph.names import resolve
from ...rules.graph.options import GraphOptions
from ...rules.graph.tables import ROOT
from ...rules.graph.types import EvaluationError
from ...rules.tree.build import Builder, OpClasses, Reference
from ...rules.tree.expr import OUT, Expr, External, Let, Literal, OpForm, Tag
from ...rules.tree.function import Call
from ...rules.tree.walk import conjuncts, options_in, walk
from ...rules.tree.written_out import orders
from ..irdl.names import lower_name
from .match import Matched
from .text import PatternText, Typed, Unsayable

_ONE = TensorSpec((1, 1, 1, 1), DType.Float32)


class Replacement:
    """Writes the body of a rewrite."""

    def __init__(self, matched: Matched, root: Typed) -> None:
        self._matched = matched
        self._text = matched.text
        self._tags = {**matched.tags, ROOT: root}

    def value(self, expr: Expr, type_: str) -> Typed:
        """Write an expression, whose ops give the type; return its value."""
        match expr:
            case Tag(tag):
                return self._tags[tag]
            case OpForm(name, inputs) if name != OUT:
                operands = [self.value(part, type_).value for part in inputs]
                full = resolve(name, self._matched.package)
                self._matched.op_class(full)
                return self._text.operation(full, operands, type_)[1]
            case Call(function, (Tag(tag), body)) if function.name == "WITH_SAME_OUTPUT":
                return self.value(body, self._tags[tag].type)
            case Call(function):
                # What reads neither the match nor an option is the same constant for each match.
                reads = any(isinstance(part, Tag | Let | OpForm) for part in walk(expr))
                if not reads and not options_in(expr):
                    return self._constant(expr)
                raise Unsayable(f"its replacement computes {function.name}")
            case _:
                raise Unsayable("its replacement takes one of several outputs")

    def _constant(self, expr: Expr) -> Typed:
        """Write the constant that the engine would make."""
        if self._matched.in_graph:
            raise Unsayable("it makes a constant of the graph")
        model = const(np.zeros(_ONE.shape), _ONE)
        env = Env({}, GraphOptions(), self._matched.package)
        builder = Builder(env, model, self._matched.classes)
        op = expr.build(builder, Reference(_ONE)).owner
        if not isinstance(op, Operation):
            raise TypeError(f"{expr} makes no op")
        type_ = self._text.define("type", f"pdl.type : {_text(op.results[0].type)}")
        return self._text.operation(op.name, [], type_, list(self._attributes(op)))[1]

    def _attributes(self, op: Operation) -> Iterator[str]:
        for name, value in op.properties.items():
            yield f'"{name}" = {self._text.define("attribute", f"pdl.attribute = {_text(value)}")}'


def _text(attribute: Attribute) -> str:
    stream = StringIO()
    ModulePrinter(stream).print_attribute(attribute)
    return stream.getvalue()


_MOST = 1 << 15
"""The greatest benefit that PDL takes."""


@dataclass(frozen=True)
class Exported:
    """A rule with its patterns in PDL, or with the reason why there are none."""

    rule: Rule
    patterns: tuple[PatternText, ...] = ()
    reason: str = ""

    @property
    def fault(self) -> Fault:
        """The reason as a note about the rule."""
        return Fault(self.rule.label, f"PDL cannot say it: {self.reason}", "htp-rules runs it")


def exported(rules: Sequence[Rule], rule_set: RuleSet) -> list[Exported]:
    """Return each of some rules of a set with its patterns."""
    classes = op_classes(rule_set)
    return [_exported(rule, classes) for rule in rules]


def pdl_text(rules: Sequence[Exported]) -> str:
    """Return the patterns of rules; those of earlier rules come first, by their benefit."""
    patterns = [(each.rule, text) for each in rules for text in each.patterns]
    parts: list[str] = []
    for number, (rule, text) in enumerate(patterns):
        symbol, benefit = f"{lower_name(rule.name)}_{number}", min(_MOST, len(patterns) - number)
        symbol = "".join(char if char.isalnum() else "_" for char in symbol)
        parts += [
            f"// {rule.label}\npdl.pattern @{symbol} : benefit({benefit}) {{\n",
            *text.lines,
            "}\n",
        ]
    return "".join(parts)


def _exported(rule: Rule, classes: OpClasses) -> Exported:
    try:
        if rule.flags:
            raise Unsayable("it runs where a graph option is on")
        texts = tuple(
            _pattern(each, form, classes, _equal_to_root(each))
            for each in rule.written_out
            for form in orders(each.match)
        )
    except Unsayable as error:
        return Exported(rule, reason=str(error))
    except EvaluationError as error:
        return Exported(rule, reason=f"it makes no constant: {error}")
    return Exported(rule, texts)


def _pattern(rule: Rule, form: OpForm, classes: OpClasses, equal: str | None) -> PatternText:
    text = PatternText()
    matched = Matched(rule.package, rule.in_graph, classes, text, equal)
    op, root = matched.root(form)
    text.line(f"pdl.rewrite {op} {{")
    text.depth += 1
    value = Replacement(matched, root).value(rule.replacement, root.type)
    text.line(f"pdl.replace {op} with ({value.value} : !pdl.value)")
    text.depth -= 1
    text.line("}")
    return text


def _equal_to_root(rule: Rule) -> str | None:
    """Return the tag whose type is the root's; Unsayable where the constraint asks for more.

    A replacement that is a value of the match has the root's shape and encoding, else the rule
    could not fire. So `SAME_SHAPE` of the two is equal types.
    """
    replacing = rule.replacement.name if isinstance(rule.replacement, Tag) else None
    for part in conjuncts(rule.constraint):
        if _holds(part, replacing):
            continue
        # The reason is a Python function, else the innermost one, of several the last.
        inside = tuple(walk(part))
        python = [f"the Python function {e.name}" for e in inside if isinstance(e, External)]
        calls = [each.function.name for each in inside if isinstance(each, Call)]
        raise Unsayable(f"its constraint asks {[*python[:1], *calls[::-1], str(part)][0]}")
    return replacing


def _holds(part: Expr, replacing: str | None) -> bool:
    match part:
        case Literal(value=True):
            return True
        case Call(function, (Tag(a), Tag(b))) if function.name == "SAME_SHAPE":
            return {a, b} == {ROOT, replacing}
        case _:
            return False


def rules_text(packages: Packages, names: Sequence[str]) -> str:
    """Return the patterns of the named rules, or of all, with the reasons for those left out.

    HtpError for an unknown name, and for one of which PDL can say no rule.
    """
    rule_set = packages.rules
    groups = [_named(name, rule_set.rules) for name in names] or [list(rule_set.rules)]
    chosen = exported(tuple(dict.fromkeys(chain.from_iterable(groups))), rule_set)
    said = {each.rule for each in chosen if each.patterns}
    lost = {rule for group in groups if said.isdisjoint(group) for rule in group}
    if names and lost:
        raise HtpError(*(each.fault for each in chosen if each.rule in lost))
    return "".join(_summary(chosen)) + pdl_text(chosen)


def _named(name: str, rules: Sequence[Rule]) -> list[Rule]:
    called = [rule for rule in rules if rule.is_called(name)]
    if not called:
        known = dict.fromkeys(rule.name for rule in rules)
        remedy = did_you_mean(name, known, "give its name, or FILE:LINE of it")
        raise fail(f"rule '{name}'", "no rule in use is called that", remedy)
    return called


def _summary(rules: Sequence[Exported]) -> Iterator[str]:
    """Yield comments that count the rules that are left out, by reason."""
    reasons = Counter(each.reason for each in rules if each.reason)
    yield f"// {len(rules) - reasons.total()} of {len(rules)} rules.\n"
    for reason, count in reasons.most_common():
        yield f"// {count} left out: {reason}.\n"


def pdl_module_text(module: ModuleOp, patterns: str) -> str:
    """Return a module of two, `@patterns` and `@ir`; the given module stays unchanged."""
    copy, text = module.clone(), StringIO()
    copy.properties["sym_name"] = StringAttr("ir")
    ModulePrinter(text, print_generic_format=True).print_op(copy)
    return f"builtin.module {{\nbuiltin.module @patterns {{\n{patterns}}}\n{text.getvalue()}\n}}\n"

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

A match is a tree of operations over operands.

Each value of the text is on a line, with a name of its own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, VarOperandDef
from xdsl.traits import Pure

from ...dialects.diagnostics import Fault, HtpError, did_you_mean, fail
from ...dialects.htp.ops.const import const
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.const import ConstOp as GraphConst
from ...dialects.text.printer import ModulePrinter
from ...dialects.value import DType, TensorSpec
from ..packages.packages import Packages
from ..rules import Env, GraphOptions, Rule, RuleSet
from ..rules.engine.engine import op_classes
from ..rules.graph.graph import CONST, INPUT, RESHAPE, ROOT, EvaluationError, params_of, resolve
from ..rules.tree.build import Builder, OpClasses, Reference
from ..rules.tree.expr import OUT, Expr, External, Let, Literal, OpForm, Tag, walk
from ..rules.tree.function import Call, conjuncts, options_in
from ..rules.tree.written_out import orders
from .irdl.body import lower_name

_INDENT = "  "


class Unsayable(Exception):
    """PDL cannot say this part of a rule; the text is the reason."""


@dataclass(frozen=True)
class Typed:
    """A value of the graph in a pattern, and its type, both by their names in PDL."""

    value: str
    type: str


@dataclass
class PatternText:
    """The lines of a pattern; names are counted within it."""

    depth: int = 1
    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(f"{_INDENT * self.depth}{text}\n")

    def define(self, prefix: str, text: str) -> str:
        """Add a line that defines a value; return its name."""
        name = f"%{prefix}{self.count}"
        self.count += 1
        self.line(f"{name} = {text}")
        return name

    def operation(
        self, name: str, operands: Sequence[str], type_: str, attributes: Sequence[str] = ()
    ) -> tuple[str, Typed]:
        """Add an op of one result; return the op and the result."""
        shown = f"({', '.join(operands)} : {', '.join(['!pdl.value'] * len(operands))})"
        text = f'pdl.operation "{name}"{shown if operands else ""}'
        if attributes:
            text += f" {{{', '.join(attributes)}}}"
        op = self.define("op", f"{text} -> ({type_} : !pdl.type)")
        return op, Typed(self.define("value", f"pdl.result 0 of {op}"), type_)


@dataclass
class Matched:
    """The text of a match as it grows, and what its tags are bound to.

    `equal` is the tag whose value is of the root's type, if one is.
    """

    package: str
    in_graph: bool
    classes: OpClasses
    text: PatternText
    equal: str | None = None
    tags: dict[str, Typed] = field(default_factory=dict[str, Typed])
    _root_type: str = ""

    def root(self, form: OpForm) -> tuple[str, Typed]:
        """Write the whole match; return the root op and its result."""
        name = self._name(form)
        if name == RESHAPE:
            raise Unsayable("its root is a Reshape, which stays where it makes the signature")
        if not self.classes[name].has_trait(Pure):
            raise Unsayable("its root has an effect")
        self._root_type = self.text.define("type", "pdl.type")
        return self._op(form, self._root_type)

    def op_class(self, name: str) -> type[Operation]:
        """Return the class of an op; Unsayable where nothing declares it, or PDL has no form."""
        if name not in self.classes:
            raise Unsayable(f"nothing declares the op {name}")
        check_op(self.classes[name])
        return self.classes[name]

    def _op(self, form: OpForm, type_: str) -> tuple[str, Typed]:
        operands = [self._input(part).value for part in form.inputs]
        return self.text.operation(self._name(form), operands, type_)

    def _input(self, part: Expr) -> Typed:
        match part:
            case Tag(tag):
                if tag not in self.tags:
                    type_ = self._type(tag)
                    self.tags[tag] = Typed(
                        self.text.define("value", f"pdl.operand : {type_}"), type_
                    )
                return self.tags[tag]
            case Let(tag, OpForm() as form):
                if tag in self.tags:
                    raise Unsayable("a tag stands for an operand before it names an op")
                self.tags[tag] = self._op(form, self._type(tag))[1]
                return self.tags[tag]
            case OpForm():
                return self._op(part, self._type())[1]
            case _:
                raise TypeError(f"{part} is no part of a match")

    def _type(self, tag: str | None = None) -> str:
        """Return the type of an input: the root's where that is asked for, else a new one."""
        is_root = tag is not None and tag == self.equal
        return self._root_type if is_root else self.text.define("type", "pdl.type")

    def _name(self, form: OpForm) -> str:
        """Return the IR name of an op that PDL can match as rules do."""
        name = resolve(form.name, self.package)
        if form.at_least:
            raise Unsayable("it matches an op of any number of inputs")
        if name == INPUT:
            raise Unsayable("it asks for an input of the graph")
        self.op_class(name)
        return GraphConst.name if name == CONST and self.in_graph else name


def check_op(op: type[Operation]) -> None:
    """Raise Unsayable for an op of several results, or with params that rules see as inputs."""
    if not issubclass(op, IRDLOperation):
        raise TypeError(f"{op.name} has no definition")
    definition = op.get_irdl_definition()
    if len(definition.results) != 1:
        raise Unsayable("an op of it has several results")
    if issubclass(op, GraphOp):
        if params_of(op):
            raise Unsayable("the params of a graph op are inputs to it, and attributes to PDL")
        if any(isinstance(operand, VarOperandDef) for _, operand in definition.operands):
            raise Unsayable("it matches an op of any number of inputs")


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

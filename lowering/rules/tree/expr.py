"""The tree of a rule, walks through it, its place in the user's file; calls are in `function`."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import HtpError, fail
from ....dialects.locations import shown_path
from ....dialects.value import DType, Shape
from ..graph.env import Env, UserFunction
from ..graph.graph import INT_MAX, INT_MIN, SIZE_MAX, EvaluationError, ExprKind, Node, Value
from .build import ABSENT_INPUT, Builder, Reference, checked_dim

_RULES = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
"""The folder of the rule language, whose frames are skipped."""


def caller() -> str:
    """Return `/path/file.py:12` of the nearest frame outside the rule language."""
    frame = inspect.currentframe()
    while frame and os.path.abspath(frame.f_code.co_filename).startswith(_RULES):
        frame = frame.f_back
    if frame is None:
        return "unknown place"
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def nth_place(where: str, nth: int) -> str:
    """Return `file:line, 2nd rule`, and for the number 0 of an only rule the line alone."""
    if not nth:
        return where
    teens = nth % 100 in (11, 12, 13)
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(nth % 10, "th")
    return f"{where}, {nth}{ending} rule"


def ill_typed(fault: str, remedy: str) -> HtpError:
    """Return the error of an ill-typed rule, with the place at which it is written."""
    return fail(shown_path(caller()), fault, remedy)


OUT = "$Out"
"""The form that takes one output of an op of several."""

ExternalFunction = Callable[..., object]
_LINE = 80
"""The most characters of an alternative that is written whole."""


# Not abstract: that makes `isinstance` slow, which each import asks of all parts of all rules.
class Expr:
    """A part of a rule; `str` gives the source text."""

    kind: ExprKind

    def evaluate(self, env: Env) -> Value:
        """Return the value for one match; EvaluationError where there is none."""
        raise NotImplementedError

    def build(self, builder: Builder, ref: Reference) -> SSAValue:
        """Return the IR value in a replacement, for a reference output; here an existing node.

        TypeError where the expression is not a node.
        """
        value = self.evaluate(builder.env)
        if not isinstance(value, Node):
            raise TypeError(f"{self} is no node")
        return value.value

    def parts(self) -> tuple[Expr, ...]:
        """Return the expressions directly inside."""
        return ()

    def with_parts(self, parts: tuple[Expr, ...]) -> Expr:
        """Return the expression with others inside; an expression without parts unchanged."""
        return self


@dataclass(frozen=True)
class Literal(Expr):
    """A number, a truth value or a dtype."""

    value: bool | int | float | DType
    kind: ExprKind

    def evaluate(self, env: Env) -> Value:
        return self.value

    def __str__(self) -> str:
        match self.value:
            case bool():
                return "true" if self.value else "false"
            case DType():
                return f"DType::{self.value.name}"
            case _ if self.kind is ExprKind.SIZE:
                return f"{self.value}U"
            case _:
                return repr(self.value)


@dataclass(frozen=True)
class Text(Expr):
    """A string that is not a tag, such as the name of an option or a message."""

    text: str
    kind: ExprKind = ExprKind.TEXT

    def evaluate(self, env: Env) -> Value:
        return self.text

    def __str__(self) -> str:
        return f'"{self.text}"'


@dataclass(frozen=True)
class Tag(Expr):
    """A name that the match binds to a node; `*` is the root."""

    name: str
    kind: ExprKind = ExprKind.NODE

    def evaluate(self, env: Env) -> Value:
        return env.node(self.name)

    def __str__(self) -> str:
        return f'"{self.name}"'


@dataclass(frozen=True)
class OpForm(Expr):
    """An op with its inputs, to match or to build.

    In a match `at_least` allows further inputs, `any_order` all orders of the inputs, and
    `any_output` an output other than the first.
    """

    name: str
    inputs: tuple[Expr, ...]
    at_least: bool = False
    any_order: bool = False
    any_output: bool = False
    kind: ExprKind = ExprKind.OP

    def evaluate(self, env: Env) -> Value:
        raise TypeError(f"{self} is no value")

    def build(self, builder: Builder, ref: Reference) -> SSAValue:
        if self.name == OUT:
            return self._output(builder, ref)
        inner = ref.bare()
        return builder.op(self.name, [expr.build(builder, inner) for expr in self.inputs], ref)

    def _output(self, builder: Builder, ref: Reference) -> SSAValue:
        """Return an output of the first input's op; the last dim of the second is its index."""
        op = builder.shared(self.inputs[0], ref).owner
        dims = extent(self.inputs[1], builder.env)
        if not dims or not isinstance(op, Operation) or dims[-1] >= len(op.results):
            raise EvaluationError(f"{self}: no output {dims[-1] if dims else 'is named'}")
        return op.results[dims[-1]]

    def parts(self) -> tuple[Expr, ...]:
        return self.inputs

    def with_parts(self, parts: tuple[Expr, ...]) -> OpForm:
        return OpForm(self.name, parts, self.at_least, self.any_order, self.any_output)

    def __str__(self) -> str:
        words = {self.at_least: "OpVarIn", self.any_order: "OpAnyOrder"}
        word = "OpAnyOutput" if self.any_output else words.get(True, "Op")
        name = f'"{self.name}"'
        if self.name.startswith("q::"):
            name = f'FROM_DEFAULT_PACKAGE("{self.name.removeprefix("q::")}")'
        return f"{word}({', '.join([name, *map(str, self.inputs)])})"


@dataclass(frozen=True)
class OneOf(Expr):
    """Alternatives for an input of a match, tried in the order of writing."""

    ways: tuple[Expr, ...]
    kind: ExprKind = ExprKind.OP

    def evaluate(self, env: Env) -> Value:
        raise TypeError(f"{self} is no value")

    def parts(self) -> tuple[Expr, ...]:
        return self.ways

    def __str__(self) -> str:
        return f"ONE_OF({', '.join(map(_outline, self.ways))})"


@dataclass(frozen=True)
class Absent(Expr):
    """An operand or a param that a graph op is built without, in front of others."""

    kind: ExprKind = ExprKind.OP

    def evaluate(self, env: Env) -> Value:
        raise TypeError(f"{self} is no value")

    def build(self, builder: Builder, ref: Reference) -> SSAValue:
        return ABSENT_INPUT

    def __str__(self) -> str:
        return "ABSENT"


@dataclass(frozen=True)
class Let(Expr):
    """A tag for the output of an inner op of a match, or for the alternative that matches."""

    tag: str
    op: Expr
    kind: ExprKind = ExprKind.OP

    def evaluate(self, env: Env) -> Value:
        raise TypeError(f"{self} is no value")

    def parts(self) -> tuple[Expr, ...]:
        return (self.op,)

    def with_parts(self, parts: tuple[Expr, ...]) -> Let:
        (op,) = parts
        return Let(self.tag, op)

    def __str__(self) -> str:
        return f'LET("{self.tag}", {self.op})'


@dataclass(frozen=True)
class External(Expr):
    """A Python function by its registered name; without a function, the rule set has it.

    One that takes the environment gets the `Env` of the match before its other operands. As a
    replacement one gives the first output of the root, or `all_outputs` that are read.
    """

    name: str
    function: ExternalFunction | None = None
    kind: ExprKind = ExprKind.EXTERNAL
    takes_env: bool = False
    all_outputs: bool = False

    def evaluate(self, env: Env) -> Value:
        return self.name

    def resolve(self, env: Env) -> UserFunction:
        """Return the function of this name."""
        return self if self.function else env.externals[self.name]

    def __call__(self, *args: object) -> object:
        """Call the function as plain Python would."""
        if self.function is None:
            raise TypeError(f"'{self.name}' is only a name here; the rule set has the function")
        return self.function(*args)

    def __str__(self) -> str:
        return self.name


def _outline(way: Expr) -> str:
    """Return the text of an alternative, or of a long one its beginning."""
    text = str(way)
    if len(text) <= _LINE:
        return text
    return "ONE_OF(...)" if isinstance(way, OneOf) else f"{text.partition(', ')[0]}, ...)"


Arg = Expr | bool | int | float | str | DType
"""An argument of a function of the rule language: an expression, a literal or a tag."""


def as_expr(arg: Arg) -> Expr:
    """Turn a Python value into an expression; a string is a tag."""
    match arg:
        case Expr():
            return arg
        case bool():
            return Literal(arg, ExprKind.BOOL)
        case int():
            if INT_MIN <= arg <= SIZE_MAX:
                return Literal(arg, ExprKind.INT if arg <= INT_MAX else ExprKind.SIZE)
            raise ill_typed(f"{arg} fits neither int nor size", f"{INT_MIN} to {SIZE_MAX} do")
        case float():
            return Literal(arg, ExprKind.FLOAT)
        case DType():
            return Literal(arg, ExprKind.DTYPE)
        case str():
            return Tag(arg)
    raise ill_typed(f"{arg!r} is no part of a rule", "give a tag, a number, a dtype or a function")


def extent(expr: Expr, env: Env) -> Shape:
    """Return the dims of a node or a shape; EvaluationError where no tensor can have them."""
    value = expr.evaluate(env)
    if isinstance(value, Node):
        return value.shape
    if not isinstance(value, tuple):
        raise TypeError(f"{expr} has no dims")
    return tuple(map(checked_dim, value))


def as_exprs(args: Sequence[Arg]) -> tuple[Expr, ...]:
    """Turn Python values into expressions."""
    return tuple(as_expr(arg) for arg in args)


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all inside it, outer ones first."""
    ahead = [expr]
    while ahead:
        yield (part := ahead.pop())
        ahead.extend(reversed(part.parts()))


def forms_in(expr: Expr) -> Iterator[OpForm]:
    """Yield all ops."""
    return (part for part in walk(expr) if isinstance(part, OpForm))


def required_forms(expr: Expr) -> Iterator[OpForm]:
    """Yield the ops that every match has: those outside of alternatives."""
    if isinstance(expr, OneOf):
        return
    if isinstance(expr, OpForm):
        yield expr
    for part in expr.parts():
        yield from required_forms(part)


def tags_in(expr: Expr) -> Iterator[str]:
    """Yield all tags, as often as they occur, including those of LETs."""
    for part in walk(expr):
        if isinstance(part, Tag):
            yield part.name
        elif isinstance(part, Let):
            yield part.tag


def text_of(expr: Expr) -> str:
    """Return the text of a string operand; empty for another operand."""
    return expr.text if isinstance(expr, Text) else ""

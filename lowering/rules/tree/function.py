"""Functions of the rule language, each written as a Python function with a docstring.

Its annotations state the types in the language: `node: Node` takes a node, `-> Size` gives a size.
An operand arrives as its value, one that is annotated as an expression (`Condition`, `Body`) as it
was written. A function of values may take the `Env` first; one that makes ops takes the `Builder`
and the `Reference` first.

Example: this makes `IS_ODD` a function of the language, and `IS_ODD("X")` an expression.

    @function
    def IS_ODD(node: Node) -> bool:
        "The rank is odd."
        return len(node.shape) % 2 == 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import cleandoc, signature
from itertools import chain, repeat
from typing import Annotated, TypeVar, get_args, get_type_hints

from xdsl.ir import SSAValue

from ....dialects.value import DType, Shape
from ..graph.env import Env, Split
from ..graph.graph import BUILT, INTEGERS, NUMBERS, VALUES, ExprKind, Node, Number, Value
from .build import Builder, Reference
from .expr import Arg, Expr, External, Tag, Text, as_expr, extent, ill_typed, text_of, walk

KindRule = Callable[[Sequence[ExprKind]], ExprKind | str]
"""Gives the type of a result by the operands' types, or the reason why there is none."""
T = TypeVar("T")


def evaluated(expr: Expr, env: Env) -> Value:
    """Read an operand as its value."""
    return expr.evaluate(env)


def as_written(expr: Expr, env: Env) -> Expr:
    """Read an operand as the expression that it is."""
    return expr


def split_of(expr: Expr, env: Env) -> Split:
    """Read a split tag as the slice that is being built."""
    return env.splits[str(expr.evaluate(env))]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: its name in messages and the types it takes.

    `read` turns the operand into the argument of the Python function. `copied`: the operand is an
    op to copy, not a value. `binds`: it is a split tag that the last operand may use.
    """

    name: str
    kinds: frozenset[ExprKind]
    read: Callable[[Expr, Env], object] = evaluated
    copied: bool = False
    binds: bool = False

    def take(self, arg: Arg, function: str) -> Expr:
        """Return the operand as an expression of an allowed type; HtpError else."""
        expr = self._expression(arg)
        if expr.kind not in self.kinds:
            wanted = ", ".join(sorted(kind.value for kind in self.kinds))
            raise ill_typed(
                f"{function}: operand '{self.name}' is {expr} of type {expr.kind.value}",
                f"allowed here: {wanted}",
            )
        return expr

    def _expression(self, arg: Arg) -> Expr:
        """Read a bare string as a tag, a text or a function's name, by the types."""
        name = arg.text if isinstance(arg, Text) else arg.name if isinstance(arg, Tag) else arg
        if isinstance(name, str):
            if ExprKind.EXTERNAL in self.kinds:
                return External(name)
            for kind in (ExprKind.VAR, ExprKind.TEXT):
                if kind in self.kinds:
                    return Text(name, kind)
        return as_expr(arg)


Condition = Annotated[Expr, Parameter("condition", frozenset({ExprKind.BOOL}), as_written)]
Body = Annotated[Expr, Parameter("replacement", BUILT, as_written)]
Model = Annotated[
    Expr, Parameter("op", frozenset({ExprKind.NODE, ExprKind.OP}), as_written, copied=True)
]
SplitTag = Annotated[str, Parameter("split tag", frozenset({ExprKind.VAR}), binds=True)]
Anything = Annotated[Value, Parameter("value", VALUES | BUILT)]
Size = Annotated[int, ExprKind.SIZE]

_PARAMETERS: dict[object, Parameter] = {
    bool: Parameter("condition", frozenset({ExprKind.BOOL})),
    int: Parameter("integer", INTEGERS),
    Number: Parameter("number", NUMBERS),
    DType: Parameter("dtype", frozenset({ExprKind.DTYPE})),
    Node: Parameter("node", frozenset({ExprKind.NODE})),
    Shape: Parameter("size", frozenset({ExprKind.NODE, ExprKind.SHAPE}), extent),
    Value: Parameter("value", VALUES),
    str: Parameter("name", frozenset({ExprKind.TEXT})),
    Split: Parameter("split tag", frozenset({ExprKind.VAR}), split_of),
    External: Parameter("function", frozenset({ExprKind.EXTERNAL}), as_written),
}
_RESULTS: dict[object, ExprKind] = {
    bool: ExprKind.BOOL,
    int: ExprKind.INT,
    float: ExprKind.FLOAT,
    DType: ExprKind.DTYPE,
    Node: ExprKind.NODE,
    Shape: ExprKind.SHAPE,
    SSAValue: ExprKind.OP,
}


@dataclass(frozen=True)
class Function:
    """A function of the language; a call of it makes a checked expression.

    `rest` takes any number of further operands, the last `optional` parameters may be left out.
    `evaluate` computes a value, `build` makes ops. `doc` is one line and an example.
    """

    name: str
    parameters: tuple[Parameter, ...]
    result: ExprKind | KindRule
    evaluate: Evaluate = field(compare=False, repr=False)
    build: Build | None = field(default=None, compare=False, repr=False)
    rest: Parameter | None = None
    optional: int = 0
    doc: str = field(default="", compare=False, repr=False)

    @property
    def binds(self) -> bool:
        """The last operand may use the split tag of the call."""
        return any(parameter.binds for parameter in self.parameters)

    def __call__(self, *args: Arg) -> Call:
        count, most = len(args), len(self.parameters)
        least = most - self.optional
        if count < least or (count > most and self.rest is None):
            wanted = f"{least} or more" if self.rest else str(least)
            wanted = f"{least} to {most}" if self.optional and not self.rest else wanted
            raise ill_typed(f"{self.name}: {count} operands", f"it takes {wanted}")
        taken = tuple(self.parameter(index).take(arg, self.name) for index, arg in enumerate(args))
        kind = self.result
        if not isinstance(kind, ExprKind):
            result = kind([expr.kind for expr in taken])
            if isinstance(result, str):
                written = f"{self.name}({', '.join(map(str, taken))})"
                raise ill_typed(f"{self.name}: {result}", f"found in {written}")
            kind = result
        return Call(self, taken, kind)

    def parameter(self, index: int) -> Parameter:
        """Return the parameter of the operand at a position."""
        if index < len(self.parameters) or self.rest is None:
            return self.parameters[index]
        return self.rest


@dataclass(frozen=True)
class Call(Expr):
    """A call of a function with checked operands."""

    function: Function
    args: tuple[Expr, ...]
    kind: ExprKind

    def evaluate(self, env: Env) -> Value:
        return self.function.evaluate(env, self)

    def build(self, builder: Builder, ref: Reference) -> SSAValue:
        if self.function.build:
            return self.function.build(builder, ref, self)
        if self.kind is ExprKind.SHAPE:
            return builder.shape(extent(self, builder.env))
        return super().build(builder, ref)

    def parts(self) -> tuple[Expr, ...]:
        return self.args

    def with_parts(self, parts: tuple[Expr, ...]) -> Call:
        return Call(self.function, parts, self.kind)

    def __str__(self) -> str:
        return f"{self.function.name}({', '.join(map(str, self.args))})"


Evaluate = Callable[[Env, Call], Value]
Build = Callable[[Builder, Reference, Call], SSAValue]


class FunctionParameters:
    """The parameters of a function of the language, by the annotations of a Python function."""

    def __init__(self, body: Callable[..., object]) -> None:
        hints = get_type_hints(body, include_extras=True)
        own = [p for p in signature(body).parameters.values() if hints[p.name] not in _CONTEXT]
        rest = [_parameter(hints[p.name]) for p in own if p.kind is p.VAR_POSITIONAL]
        self.parameters = tuple(_parameter(hints[p.name]) for p in own)[: len(own) - len(rest)]
        self.rest = rest[0] if rest else None
        self.optional = sum(p.default is not p.empty for p in own)
        self.result = hints["return"]
        self._takes_env = Env in hints.values()
        self._reads = {parameter.read for parameter in (*self.parameters, *rest)}

    def applied(self, body: Callable[..., T]) -> Callable[[Env, Call], T]:
        """Turn the Python function into one of an environment and a call."""
        # The first two are the general case for operands that are all read alike: twice as fast.
        if self._takes_env and self._reads == {as_written}:
            return lambda env, call: body(env, *call.args)
        if not self._takes_env and self._reads == {evaluated}:
            return lambda env, call: body(*[arg.evaluate(env) for arg in call.args])
        if self._takes_env:
            return lambda env, call: body(env, *self.read(env, call))
        return lambda env, call: body(*self.read(env, call))

    def read(self, env: Env, call: Call) -> list[object]:
        """Return the arguments of the Python function for a call."""
        parameters = chain(self.parameters, repeat(self.rest) if self.rest else ())
        return [p.read(arg, env) for p, arg in zip(parameters, call.args, strict=False)]


_CONTEXT = (Env, Builder, Reference)


def declared(
    body: Callable[..., object],
    evaluate: Evaluate,
    build: Build | None = None,
    result: ExprKind | KindRule | None = None,
    name: str = "",
    doc: str = "",
) -> Function:
    """Declare a function whose parameters are those of a Python function.

    Its result, name and docstring are taken over too, unless they are passed.
    """
    own = FunctionParameters(body)
    return Function(
        name or body.__name__,
        own.parameters,
        result or _kind(own.result),
        evaluate,
        build,
        own.rest,
        own.optional,
        doc or cleandoc(body.__doc__ or ""),
    )


def function(
    body: Callable[..., Value],
    name: str = "",
    doc: str = "",
    result: ExprKind | KindRule | None = None,
) -> Function:
    """Declare a function of values by a Python function; `name` and `doc` for one of a family."""
    return declared(body, FunctionParameters(body).applied(body), None, result, name, doc)


def builds(
    body: Callable[..., SSAValue],
    name: str = "",
    doc: str = "",
    result: ExprKind | KindRule | None = None,
) -> Function:
    """Declare a function that makes ops, by a Python function."""
    own = FunctionParameters(body)

    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        return body(builder, ref, *own.read(builder.env, call))

    return declared(body, _no_value, build, result, name, doc)


def _no_value(env: Env, call: Call) -> Value:
    raise TypeError(f"{call.function.name} builds, it has no value")


def _parameter(hint: object) -> Parameter:
    marks = [mark for mark in _marks(hint) if isinstance(mark, Parameter)]
    return marks[0] if marks else _PARAMETERS[hint]


def _kind(hint: object) -> ExprKind:
    marks = [mark for mark in _marks(hint) if isinstance(mark, ExprKind)]
    return marks[0] if marks else _RESULTS[hint]


def _marks(hint: object) -> Iterator[object]:
    """Yield the metadata of `Annotated`, for a type or a member of a union."""
    for part in (hint, *get_args(hint)):
        yield from getattr(part, "__metadata__", ())


_OPTIONS = ("OPTION_INT", "OPTION_UINT", "OPTION_BOOL", "OPTION_FLOAT")


def calls_in(expr: Expr, *names: str) -> Iterator[Call]:
    """Yield all calls of some functions of the language."""
    calls = (part for part in walk(expr) if isinstance(part, Call))
    return (call for call in calls if call.function.name in names)


def options_in(expr: Expr) -> set[str]:
    """Return the graph options that an expression reads."""
    return {text_of(call.args[0]) for call in calls_in(expr, *_OPTIONS)}


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """Yield the parts of an AND and of the ANDs in it; all must hold."""
    if isinstance(expr, Call) and expr.function.name == "AND":
        for part in expr.args:
            yield from conjuncts(part)
    else:
        yield expr

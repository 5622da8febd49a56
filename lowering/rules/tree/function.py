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
from inspect import Parameter, cleandoc, signature
from itertools import chain, repeat
from typing import Annotated, TypeVar, get_args, get_type_hints

from xdsl.ir import SSAValue

from ....dialects.value.dtypes import DType
from ....dialects.value.spec import Shape
from ..graph.env import Env, Split
from ..graph.graph import Node
from ..graph.types import BUILT, INTEGERS, NUMBERS, VALUES, Kind, Number, Value
from .build import Builder, Reference
from .expr import Arg, Expr, External, Tag, Text, as_expr, extent
from .source import ill_typed

KindRule = Callable[[Sequence[Kind]], Kind | str]
"""The type of a result by the operands' types, or the reason why there is none."""
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
class Slot:
    """One operand of a function: its name in messages and the types it takes.

    `copied`: the operand is an op to make another like it, not a value to be read. `binds`: it is a
    split tag that the function makes known to its last operand. `read` gives what the Python
    function sees of it.
    """

    name: str
    kinds: frozenset[Kind]
    read: Callable[[Expr, Env], object] = evaluated
    copied: bool = False
    binds: bool = False

    def take(self, arg: Arg, function: str) -> Expr:
        """The operand as an expression of an allowed type; HtpError else."""
        expr = self._expression(arg)
        if expr.kind not in self.kinds:
            wanted = ", ".join(sorted(kind.value for kind in self.kinds))
            raise ill_typed(
                f"{function}: operand '{self.name}' is {expr} of type {expr.kind.value}",
                f"allowed here: {wanted}",
            )
        return expr

    def _expression(self, arg: Arg) -> Expr:
        """A bare string is, as the slot says, a tag, a text or a function's name."""
        name = arg.text if isinstance(arg, Text) else arg.name if isinstance(arg, Tag) else arg
        if isinstance(name, str):
            if Kind.EXTERNAL in self.kinds:
                return External(name)
            for kind in (Kind.VAR, Kind.TEXT):
                if kind in self.kinds:
                    return Text(name, kind)
        return as_expr(arg)


Condition = Annotated[Expr, Slot("condition", frozenset({Kind.BOOL}), as_written)]
Body = Annotated[Expr, Slot("replacement", BUILT, as_written)]
Model = Annotated[Expr, Slot("op", frozenset({Kind.NODE, Kind.OP}), as_written, copied=True)]
SplitTag = Annotated[str, Slot("split tag", frozenset({Kind.VAR}), binds=True)]
Anything = Annotated[Value, Slot("value", VALUES | BUILT)]
Size = Annotated[int, Kind.SIZE]

_SLOTS: dict[object, Slot] = {
    bool: Slot("condition", frozenset({Kind.BOOL})),
    int: Slot("integer", INTEGERS),
    Number: Slot("number", NUMBERS),
    DType: Slot("dtype", frozenset({Kind.DTYPE})),
    Node: Slot("node", frozenset({Kind.NODE})),
    Shape: Slot("size", frozenset({Kind.NODE, Kind.SHAPE}), extent),
    Value: Slot("value", VALUES),
    str: Slot("name", frozenset({Kind.TEXT})),
    Split: Slot("split tag", frozenset({Kind.VAR}), split_of),
    External: Slot("function", frozenset({Kind.EXTERNAL}), as_written),
}
_RESULTS: dict[object, Kind] = {
    bool: Kind.BOOL,
    int: Kind.INT,
    float: Kind.FLOAT,
    DType: Kind.DTYPE,
    Node: Kind.NODE,
    Shape: Kind.SHAPE,
    SSAValue: Kind.OP,
}


@dataclass(frozen=True)
class Function:
    """A function as the language names it; calling it makes a checked expression.

    `slots` are the operands, `rest` the type of any number of further ones, `optional` how many of
    the last slots may be left out. `evaluate` computes a value, `build` makes ops. `doc` is one
    line of meaning and an example.
    """

    name: str
    slots: tuple[Slot, ...]
    result: Kind | KindRule
    evaluate: Evaluate = field(compare=False, repr=False)
    build: Build | None = field(default=None, compare=False, repr=False)
    rest: Slot | None = None
    optional: int = 0
    doc: str = field(default="", compare=False, repr=False)

    @property
    def binds(self) -> bool:
        """The function makes its split tag known to its last operand."""
        return any(slot.binds for slot in self.slots)

    def __call__(self, *args: Arg) -> Call:
        self._check_count(len(args))
        taken = tuple(self.slot(index).take(arg, self.name) for index, arg in enumerate(args))
        kind = self.result
        if not isinstance(kind, Kind):
            result = kind([expr.kind for expr in taken])
            if isinstance(result, str):
                written = f"{self.name}({', '.join(map(str, taken))})"
                raise ill_typed(f"{self.name}: {result}", f"found in {written}")
            kind = result
        return Call(self, taken, kind)

    def slot(self, index: int) -> Slot:
        """The slot of the operand at a position."""
        if index < len(self.slots) or self.rest is None:
            return self.slots[index]
        return self.rest

    def _check_count(self, count: int) -> None:
        least, most = len(self.slots) - self.optional, len(self.slots)
        if count < least or (count > most and self.rest is None):
            wanted = f"{least} or more" if self.rest else str(least)
            wanted = f"{least} to {most}" if self.optional and not self.rest else wanted
            raise ill_typed(f"{self.name}: {count} operands", f"it takes {wanted}")


@dataclass(frozen=True)
class Call(Expr):
    """A function of the language with its operands, checked when it was made."""

    function: Function
    args: tuple[Expr, ...]
    kind: Kind

    def evaluate(self, env: Env) -> Value:
        return self.function.evaluate(env, self)

    def build(self, builder: Builder, ref: Reference) -> SSAValue:
        if self.function.build:
            return self.function.build(builder, ref, self)
        if self.kind is Kind.SHAPE:
            return builder.shape(extent(self, builder.env))
        return super().build(builder, ref)

    def parts(self) -> tuple[Expr, ...]:
        return self.args

    def __str__(self) -> str:
        return f"{self.function.name}({', '.join(map(str, self.args))})"


Evaluate = Callable[[Env, Call], Value]
Build = Callable[[Builder, Reference, Call], SSAValue]


class Operands:
    """The operands of a function of the language, as a Python function's annotations state them."""

    def __init__(self, body: Callable[..., object]) -> None:
        hints = get_type_hints(body, include_extras=True)
        own = [p for p in signature(body).parameters.values() if hints[p.name] not in _CONTEXT]
        rest = [_slot(hints[p.name]) for p in own if p.kind is Parameter.VAR_POSITIONAL]
        self.slots = tuple(_slot(hints[p.name]) for p in own)[: len(own) - len(rest)]
        self.rest = rest[0] if rest else None
        self.optional = sum(p.default is not Parameter.empty for p in own)
        self.result = hints["return"]
        self._takes_env = Env in hints.values()
        self._plain = all(slot.read is evaluated for slot in (*self.slots, *rest))

    def applied(self, body: Callable[..., T]) -> Callable[[Env, Call], T]:
        """The Python function as one of an environment and a call."""
        if self._takes_env:
            return lambda env, call: body(env, *self.read(env, call))
        if self._plain:
            return lambda env, call: body(*[arg.evaluate(env) for arg in call.args])
        return lambda env, call: body(*self.read(env, call))

    def read(self, env: Env, call: Call) -> list[object]:
        """The operands of a call, as the Python function sees them."""
        slots = self.slots if self.rest is None else chain(self.slots, repeat(self.rest))
        return [slot.read(arg, env) for slot, arg in zip(slots, call.args, strict=False)]


_CONTEXT = (Env, Builder, Reference)


def declared(
    body: Callable[..., object],
    evaluate: Evaluate,
    build: Build | None = None,
    result: Kind | KindRule | None = None,
    name: str = "",
    doc: str = "",
) -> Function:
    """A function with the operands that a Python function states.

    The annotated result, the name and the docstring are the function's too, unless they are given.
    """
    own = Operands(body)
    return Function(
        name or body.__name__,
        own.slots,
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
    result: Kind | KindRule | None = None,
) -> Function:
    """A function of values, stated by a Python function; `name` and `doc` for one of a family."""
    return declared(body, Operands(body).applied(body), None, result, name, doc)


def builds(
    body: Callable[..., SSAValue],
    name: str = "",
    doc: str = "",
    result: Kind | KindRule | None = None,
) -> Function:
    """A function that makes ops and has no value, stated by a Python function."""
    own = Operands(body)

    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        return body(builder, ref, *own.read(builder.env, call))

    return declared(body, _no_value, build, result, name, doc)


def _no_value(env: Env, call: Call) -> Value:
    raise TypeError(f"{call.function.name} builds, it has no value")


def _slot(hint: object) -> Slot:
    return next((mark for mark in _marks(hint) if isinstance(mark, Slot)), None) or _SLOTS[hint]


def _kind(hint: object) -> Kind:
    return next((mark for mark in _marks(hint) if isinstance(mark, Kind)), None) or _RESULTS[hint]


def _marks(hint: object) -> Iterator[object]:
    """What `Annotated` says of a type, or of a member of a union."""
    for part in (hint, *get_args(hint)):
        yield from getattr(part, "__metadata__", ())

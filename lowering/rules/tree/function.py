"""A function of the rule language: its operands' types, its result's type, what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ..graph.env import Env
from ..graph.types import BUILT, INTEGERS, NUMBERS, VALUES, Kind, Value
from .expr import Arg, Call, Expr, External, Tag, Text, as_expr
from .source import ill_typed

if TYPE_CHECKING:
    from .build import Builder, Reference

Evaluate = Callable[[Env, Call], Value]
Build = Callable[["Builder", "Reference", Call], SSAValue]
KindRule = Callable[[Sequence[Kind]], Kind | str]


@dataclass(frozen=True)
class Slot:
    """One operand of a function: its name in messages and the types it takes.

    `copied`: the operand is an op to make another like it, not a value to be read.
    """

    name: str
    kinds: frozenset[Kind]
    copied: bool = False

    def take(self, arg: Arg, function: str) -> Expr:
        """The operand as an expression of an allowed type; HtpError else."""
        expr = self.read(arg)
        if expr.kind not in self.kinds:
            wanted = ", ".join(sorted(kind.value for kind in self.kinds))
            raise ill_typed(
                f"{function}: operand '{self.name}' is {expr} of type {expr.kind.value}",
                f"allowed here: {wanted}",
            )
        return expr

    def read(self, arg: Arg) -> Expr:
        """What a bare string means depends on the slot: a tag, a text, a function's name."""
        name = arg.text if isinstance(arg, Text) else arg.name if isinstance(arg, Tag) else arg
        if isinstance(name, str):
            if Kind.EXTERNAL in self.kinds:
                return External(name)
            for kind in (Kind.VAR, Kind.TEXT):
                if kind in self.kinds:
                    return Text(name, kind)
        return as_expr(arg)


def slot(name: str, *kinds: Kind) -> Slot:
    """A slot for these types."""
    return Slot(name, frozenset(kinds))


TRUTH = slot("condition", Kind.BOOL)
NUMBER = Slot("number", NUMBERS)
INTEGER = Slot("integer", INTEGERS)
NODE = slot("node", Kind.NODE)
EXTENT = slot("size", Kind.NODE, Kind.SHAPE)
TEXT = slot("name", Kind.TEXT)
VAR = slot("split tag", Kind.VAR)
VALUE = Slot("value", VALUES)
DTYPE = slot("dtype", Kind.DTYPE)
BUILDS = Slot("replacement", BUILT)
MODEL_OP = Slot("op", frozenset({Kind.NODE, Kind.OP}), copied=True)
EXTERNAL = slot("function", Kind.EXTERNAL)
ANYTHING = Slot("value", VALUES | BUILT)


@dataclass(frozen=True)
class Function:
    """A function as the language names it; calling it makes a checked expression.

    `slots` are the operands, `rest` the type of any number of further ones, `optional` how many of
    the last slots may be left out. `binds`: the function makes its split tag known to its last
    operand. `evaluate` computes a value, `build` makes ops. `doc` is one line of meaning and an
    example.
    """

    name: str
    slots: tuple[Slot, ...]
    result: Kind | KindRule
    evaluate: Evaluate = field(compare=False, repr=False)
    build: Build | None = field(default=None, compare=False, repr=False)
    rest: Slot | None = None
    optional: int = 0
    binds: bool = False
    doc: str = field(default="", compare=False, repr=False)

    def __call__(self, *args: Arg) -> Call:
        self._check_count(len(args))
        taken = tuple(self.slot(index).take(arg, self.name) for index, arg in enumerate(args))
        kind = self.result
        if not isinstance(kind, Kind):
            found = kind([expr.kind for expr in taken])
            if isinstance(found, str):
                raise ill_typed(f"{self.name}: {found}", f"found in {_written(self, taken)}")
            kind = found
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


def _written(function: Function, args: Sequence[Expr]) -> str:
    return f"{function.name}({', '.join(map(str, args))})"


def strict(function: Callable[..., Value]) -> Evaluate:
    """Evaluate every operand, then call a plain Python function."""

    def run(env: Env, call: Call) -> Value:
        return function(*[arg.evaluate(env) for arg in call.args])

    return run


def builds(
    name: str,
    slots: tuple[Slot, ...],
    build: Build,
    *,
    doc: str,
    result: KindRule | Kind = Kind.OP,
    rest: Slot | None = None,
    optional: int = 0,
    binds: bool = False,
) -> Function:
    """A function that makes ops, and has no value."""
    return Function(name, slots, result, _no_value, build, rest, optional, binds, doc)


def _no_value(env: Env, call: Call) -> Value:
    """What a function that only builds does when a value is asked for."""
    raise TypeError(f"{call.function.name} builds, it has no value")

"""The declaration of an op of a C++ package: its operands and results, said once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from keyword import iskeyword

from ...dialects.diagnostics import fail
from ...dialects.htp.access import Access, access
from ...dialects.htp.base import NativeOp
from ...dialects.htp.constraints import Constraint, ParamConstraint, ShapeConstraint
from ...dialects.htp.fields import MANY, Field
from ...dialects.value.kinds import Kind
from ...dialects.value.spec import TensorSpec

InferResult = Callable[[NativeOp], TensorSpec]
"""A function of an op to the spec of its result; VerifyException where its operands do not fit."""


@dataclass(frozen=True)
class Operand:
    """An operand: its constraint, and whether it may be left out or stands for any number."""

    constraint: Constraint
    optional: bool = False
    many: bool = False


@dataclass(frozen=True)
class Result:
    """A result: an access map or a function says what it is like; its dtype is one of a kind."""

    shape: Access | InferResult
    kind: Kind = Kind.ANY


@dataclass(frozen=True)
class OpDeclaration:
    """An op of a C++ package: its operands by name in order, and its results.

    `results` is empty where nobody says what they are like, and the rest was inferred; `count` is
    their number.
    """

    op: str
    operands: Mapping[str, Operand]
    results: tuple[Result, ...] = ()
    count: int = 1

    @property
    def optional(self) -> tuple[str, ...]:
        """The operands that may be left out."""
        return tuple(name for name, operand in self.operands.items() if operand.optional)

    def line(self) -> str:
        """Return the line of Python that would declare the op, results like its first operand."""
        told = {n: each for n, each in self.operands.items() if not (each.many and each.optional)}
        like = f'"{next(iter(told)).removesuffix(MANY)}"' if told else "..."
        parts = [f'"{self.op}"', *[like] * self.count]
        parts += [f"{_keyword(name)}={_text(operand)}" for name, operand in told.items()]
        return f"@bodies.op({', '.join(parts)})"


def result(shape: str | InferResult, kind: Kind = Kind.ANY) -> Result:
    """Declare a result by the operand that it is like, by an access map, or by a function.

    Its dtype is one of the kind, and for any that of the first operand in the map. HtpError where
    the text is neither an operand's name nor a map.

    Example: `result("in", Kind.HTP_FLOAT)`, `result("act[b, h, w, c] * weights[0, 0, c, d]")`
    """
    if callable(shape):
        return Result(shape, kind)
    try:
        return Result(access(shape if "[" in shape else f"{shape}[b, h, w, d]"), kind)
    except ValueError as error:
        remedy = 'name an operand, or write a map such as "in[b, h, w, d]"'
        raise fail(f"result '{shape}'", str(error), remedy) from error


def optional(operand: Field[object]) -> Operand:
    """Declare an operand that may be left out.

    Example: `bodies.op("Conv", "act", act=tensor_def(), bias=optional(tensor_def()))`
    """
    return replace(_operand(operand), optional=True)


def declaration(
    op: str,
    results: tuple[str | InferResult | Result, ...],
    operands: Mapping[str, Field[object] | Operand],
) -> OpDeclaration:
    """Return an op's declaration; HtpError where a result speaks of an operand that is not there.

    A name that Python keeps to itself takes a `_`: `in_` is the operand `in`.
    """
    declared = {
        name.removesuffix("_") + MANY * operand.many: operand
        for name, operand in ((n, _operand(each)) for n, each in operands.items())
    }
    own = tuple(each if isinstance(each, Result) else result(each) for each in results)
    for each in own:
        read = each.shape.operands if isinstance(each.shape, Access) else ()
        for name in read:
            if name not in declared:
                known = ", ".join(declared) or "none"
                raise fail(f"op {op}", f"has no operand '{name}' for a result", f"it has {known}")
    if not own:
        raise fail(f"op {op}", "is declared without a result", f'name one: op("{op}", "in", ...)')
    return OpDeclaration(op, declared, own, len(own))


def _operand(operand: Field[object] | Operand) -> Operand:
    if isinstance(operand, Operand):
        return operand
    return Operand(operand.constraint, many=operand.many)


def _keyword(name: str) -> str:
    word = name.removesuffix(MANY)
    return f"{word}_" if iskeyword(word) else word


def _text(operand: Operand) -> str:
    text = "".join(_calls(operand))
    return f"optional({text})" if operand.optional else text


def _calls(operand: Operand) -> Iterator[str]:
    if operand.many:
        yield "tensors_def()"
    elif isinstance(operand.constraint, ShapeConstraint):
        yield "shape_def()"
    elif isinstance(operand.constraint, ParamConstraint):
        usual = operand.constraint.usual
        yield f"param_def({'' if usual is None else f'usual={usual!r}'})"
    else:
        yield "tensor_def()"

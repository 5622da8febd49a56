"""An op of a C++ package as it is declared: its operands and results, as value objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ....dialects.diagnostics import fail
from ....dialects.htp.access import RESULT, Access, Number, access
from ....dialects.htp.base import NativeOp
from ....dialects.htp.constraints import (
    Constraint,
    ParamConstraint,
    ShapeConstraint,
    TensorConstraint,
)
from ....dialects.value import Kind, TensorSpec


def _access_faults(access: Access, operands: Mapping[str, Constraint]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a map among an op's operands, and the remedy.

    Operands have four indices each, letters that run inside have an extent, and numbers are dims
    of an operand or elements of a param that says how many it has.
    """
    for name, indices in access.operands.items():
        if name not in operands:
            known = ", ".join(operands) or "none"
            yield f"has no operand '{name}' for a result", f"it has {known}"
        elif len(indices) != len(RESULT):
            yield f"reads '{name}' by {len(indices)} indices", "write one for each of the four dims"
    for letter in access.summed:
        if letter not in access.extents and not access.holders(letter):
            problem = f"does not say how far '{letter}' runs"
            yield problem, f"make '{letter}' alone an index of an operand"
        elif fault := _number_fault(access.extent(letter), operands):
            yield fault
    for index in (index for indices in access.operands.values() for index in indices):
        for number in (index.by, index.spacing, index.start, index.before, index.after):
            if number is not None and (fault := _number_fault(number, operands)):
                yield fault


def _number_fault(number: Number, operands: Mapping[str, Constraint]) -> tuple[str, str] | None:
    name, place = number.operand, number.place
    constraint = operands.get(name)
    if constraint is None:
        return f"has no operand '{name}' for a number", f"it has {', '.join(operands)}"
    is_param = isinstance(constraint, ParamConstraint)
    count = constraint.count or 0 if isinstance(constraint, ParamConstraint) else len(RESULT)
    if place < count:
        return None
    remedy = "say how many numbers it has" if is_param else f"it has {count} dims"
    return f"has no {name}.{place} for a result", remedy


InferResult = Callable[[NativeOp], TensorSpec]
"""A function of an op to the spec of its result; VerifyException where its operands do not fit."""


@dataclass(frozen=True)
class DeclaredOperand:
    """An operand: its constraint, and whether it may be left out or represents any number."""

    constraint: Constraint
    optional: bool = False
    many: bool = False


@dataclass(frozen=True)
class DeclaredResult:
    """A result: an access map or a function says what it is like; its dtype is one of a kind.

    `text` is the map, or the operand's name, as it was written; empty for a function.
    """

    shape: Access | InferResult
    kind: Kind = Kind.ANY
    text: str = ""


@dataclass(frozen=True)
class OpDeclaration:
    """An op of a C++ package: its operands by name in order, and its results.

    `results` is empty where nobody says what they are like, and the rest was inferred; `count` is
    their number.
    """

    op: str
    operands: Mapping[str, DeclaredOperand]
    results: tuple[DeclaredResult, ...] = ()
    count: int = 1

    @property
    def optional(self) -> tuple[str, ...]:
        """The operands that may be left out."""
        return tuple(name for name, operand in self.operands.items() if operand.optional)

    def suggested(self) -> OpDeclaration:
        """Return the declaration to propose where this was inferred: results like operand 0."""
        told = {n: each for n, each in self.operands.items() if not (each.many and each.optional)}
        first = next(iter(told), "")
        like = DeclaredResult(access(""), text=first.removesuffix("...") or "...")
        return OpDeclaration(self.op, told, (like,) * self.count, self.count)


def result(shape: str | InferResult, kind: Kind = Kind.ANY) -> DeclaredResult:
    """Declare a result by the operand that it is like, by an access map, or by a function.

    Its dtype is one of the kind, and for any that of the first operand in the map. HtpError where
    the text is neither an operand's name nor a map.

    Example: `result("in", Kind.HTP_FLOAT)`, `result("act[b, h, w, c] * weights[0, 0, c, d]")`
    """
    if callable(shape):
        return DeclaredResult(shape, kind)
    try:
        map_ = access(shape if "[" in shape else f"{shape}[b, h, w, d]")
    except ValueError as error:
        remedy = 'name an operand, or write a map such as "in[b, h, w, d]"'
        raise fail(f"result '{shape}'", str(error), remedy) from error
    return DeclaredResult(map_, kind, shape)


def declared(
    op: str, operands: Mapping[str, DeclaredOperand], results: tuple[DeclaredResult, ...]
) -> OpDeclaration:
    """Return an op's declaration; HtpError where it speaks of what the op does not have."""
    constraints = {name: operand.constraint for name, operand in operands.items()}
    for each in results:
        faults = _access_faults(each.shape, constraints) if isinstance(each.shape, Access) else ()
        for fault in faults:
            raise fail(f"op {op}", *fault)
    for fault in _like_faults(constraints):
        raise fail(f"op {op}", *fault)
    return OpDeclaration(op, operands, results, len(results))


def _like_faults(operands: Mapping[str, Constraint]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with operands of the dtype of another, and the remedy.

    The other is there, has a dtype, and does not take it from them.
    """
    constraints = {n: c for n, c in operands.items() if isinstance(c, TensorConstraint)}
    likes = {name: constraint.like for name, constraint in constraints.items() if constraint.like}
    for name, like in likes.items():
        if like not in operands:
            known = f"it has {', '.join(operands)}"
            yield f"has no operand '{like}' for '{name}' to be like", known
        elif isinstance(operands[like], ShapeConstraint):
            yield f"has '{name}' like '{like}', and a shape has no dtype", "name a tensor"
        passed = {name}
        while like in likes and like not in passed:
            passed.add(like)
            like = likes[like]
        if like == name:
            yield f"has '{name}' like itself", "say of one operand which dtypes it takes"

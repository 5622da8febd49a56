"""An op of a C++ package as it is declared: its operands and results, as value objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ....dialects.diagnostics import fail
from ....dialects.htp.access import Access, access
from ....dialects.htp.base import NativeOp
from ....dialects.htp.constraints import Constraint, ShapeConstraint, TensorConstraint
from ....dialects.value.kinds import Kind
from ....dialects.value.spec import TensorSpec
from .access_faults import access_faults

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
        faults = access_faults(each.shape, constraints) if isinstance(each.shape, Access) else ()
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

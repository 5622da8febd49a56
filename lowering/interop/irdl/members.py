"""The operands and results of an op class, as its declaration has them, and those of any number.

IRDL wants all members of a variadic operand to be of one type, and ours may differ. So a variadic
one is written as many variadic ones, each of which takes a run of equal types.

Example: of parts of the types A, A, B behind an axis the segment sizes are 1, 2, 1, 0, 0, ...
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    BaseAttr,
    IRDLOperation,
    OperandDef,
    OptionalDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    ResultDef,
    VariadicDef,
)

from ....dialects.diagnostics import fail
from ....dialects.htp.constraints import ANY, TensorConstraint
from ....dialects.htp.fields import MANY, FieldsOp
from ....dialects.htp.types import ShapeType
from ....dialects.text.own_op import OwnOp
from ...packages.ops.declared_op import DeclaredOp
from .body import Member, lower_name
from .constraints import ANYTHING, TENSOR, in_irdl, in_words
from .own_attributes import Constraint

OpClass = type[IRDLOperation]
_SHAPE = in_irdl(BaseAttr(ShapeType))
_TENSOR_OR_SHAPE: Constraint = (*TENSOR, *_SHAPE)


def operands_of(op: OpClass) -> list[Member]:
    """Return the operands of an op."""
    definitions = op.get_irdl_definition().operands
    if issubclass(op, DeclaredOp):
        return _declared(op)
    if not issubclass(op, FieldsOp):
        return _members(op, definitions, [""] * len(definitions))
    about = [in_words(op.CONSTRAINTS.get(name, ANY)) for name in op.OPERANDS]
    return _members(op, definitions, about)


def _declared(op: type[DeclaredOp]) -> list[Member]:
    """Return the operands that a C++ package declares.

    From the first on that may be left out, or be any number, they are any number of values.
    """
    members: list[Member] = []
    for name in op.OPERANDS:
        if name in op.OPTIONAL or name.endswith(MANY):
            return [*members, Member("further", _TENSOR_OR_SHAPE, "variadic")]
        constraint, about = _TENSOR_OR_SHAPE, ""
        if op.DECLARATION.results:
            constraint = _SHAPE if name in op.SHAPES else TENSOR
            about = in_words(op.CONSTRAINTS.get(name, ANY))
        members.append(Member(lower_name(name), constraint, about=about))
    return members


def results_of(op: OpClass) -> list[Member]:
    """Return the results."""
    definitions = op.get_irdl_definition().results
    if not issubclass(op, FieldsOp):
        return _members(op, definitions, [""] * len(definitions))
    return _members(op, definitions, [in_words(TensorConstraint(kind)) for kind in op.RESULT_KINDS])


def _members(
    op: OpClass, definitions: Sequence[tuple[str, OperandDef | ResultDef]], about: Sequence[str]
) -> list[Member]:
    return [
        Member(lower_name(name), _of_value(op, each.constr), _often(each), words)
        for (name, each), words in zip(definitions, about, strict=True)
    ]


def _often(definition: OperandDef | ResultDef) -> str:
    many = "variadic" if isinstance(definition, VariadicDef) else ""
    return "optional" if isinstance(definition, OptionalDef) else many


def _of_value(op: OpClass, constraint: RangeConstraint) -> Constraint:
    """Return the constraint of an operand or a result; where ours declare none, it is a tensor."""
    match constraint:
        case RangeLengthConstraint(inner):
            return _of_value(op, inner)
        case RangeOf(AnyAttr()):
            own = _TENSOR_OR_SHAPE if issubclass(op, FieldsOp) else TENSOR
            return own if issubclass(op, OwnOp) else ANYTHING
        case RangeOf(inner):
            return in_irdl(inner)
        case _:
            return ANYTHING


MOST_RUNS = 32
"""Runs of equal types that an operand or result of any number may have."""
SEGMENTS, RESULT_SEGMENTS = "operandSegmentSizes", "resultSegmentSizes"
"""The attributes that say how many values stand in each place; mlir-opt asks for them by itself."""
_MANY = "variadic"


def in_runs(members: Sequence[Member]) -> Iterator[Member]:
    """Yield the operands or results of an op, runs in place of one of any number."""
    for member in members:
        if member.often == _MANY:
            for number in range(MOST_RUNS):
                yield replace(member, name=f"{member.name}{number}")
        else:
            yield member


def segments(
    op: Operation, members: Sequence[Member], values: Sequence[SSAValue]
) -> list[int] | None:
    """Return the segment sizes of values; None where none of the members is of any number.

    One that is stands behind all others. HtpError where its values are of too many runs.
    """
    if not members or members[-1].often != _MANY:
        return None
    single = len(members) - 1
    runs = [len(list(run)) for _, run in groupby(value.type for value in values[single:])]
    if len(runs) > MOST_RUNS:
        problem = f"{len(runs)} values in a row are of different types"
        raise fail(op.name, problem, f"the definitions in IRDL take {MOST_RUNS}; join some before")
    return [*[1] * single, *runs, *[0] * (MOST_RUNS - len(runs))]

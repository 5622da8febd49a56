"""The operands and results of an op class, as its declaration has them."""

from __future__ import annotations

from collections.abc import Sequence

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

from ....dialects.htp.constraints import TensorConstraint
from ....dialects.htp.fields import FieldsOp
from ....dialects.htp.types import ShapeType
from ...packages.from_cpp import DeclaredOp
from .body import Member
from .constraints import ANYTHING, TENSOR, in_irdl
from .names import lower_name
from .own_attributes import Constraint
from .words import in_words

OpClass = type[IRDLOperation]
_TENSOR_OR_SHAPE: Constraint = (*TENSOR, *in_irdl(BaseAttr(ShapeType)))


def operands_of(op: OpClass) -> list[Member]:
    """Return the operands; of an op that C++ declares, those that must be there by their names."""
    definitions = op.get_irdl_definition().operands
    if issubclass(op, DeclaredOp):
        *named, rest = op.OPERANDS
        needed = named[: len(named) - op.OPTIONAL]
        members = [Member(lower_name(name), _TENSOR_OR_SHAPE) for name in needed]
        return [*members, Member(lower_name(rest), _TENSOR_OR_SHAPE, "variadic")]
    if not issubclass(op, FieldsOp):
        return _members(op, definitions, [""] * len(definitions))
    declared = [op.CONSTRAINTS.get(name) for name in op.OPERANDS]
    return _members(op, definitions, [in_words(each) if each else "" for each in declared])


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
    """Return the constraint of an operand or a result; what declares none is a tensor."""
    match constraint:
        case RangeLengthConstraint(inner):
            return _of_value(op, inner)
        case RangeOf(AnyAttr()):
            return _TENSOR_OR_SHAPE if issubclass(op, FieldsOp) else TENSOR
        case RangeOf(inner):
            return in_irdl(inner)
        case _:
            return ANYTHING

"""The dialects of packages as IRDL text, which `mlir-opt --irdl-file` loads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc
from itertools import chain, starmap

from xdsl.ir import Attribute, TypeAttribute
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
)

from ....dialects.diagnostics import fail
from ....dialects.htp import HTP
from ....dialects.htp.fields import FieldsOp
from ....dialects.htp.types import ShapeType
from ....dialects.qti_aisw import QTI_AISW
from ...packages.packages import Packages
from .body import Body, Member
from .constraints import ANYTHING, TENSOR, in_irdl
from .names import attribute_name, lower_name, op_name
from .own_attributes import OWN_ATTRIBUTES, Constraint
from .runs import MOST_RUNS, is_variadic
from .words import in_words

SEGMENTS = "operandSegmentSizes"
"""The attribute that says which optional operands are there; mlir-opt asks for it by itself."""

OpClass = type[IRDLOperation]
_OWN = (QTI_AISW, HTP)
_TENSOR_OR_SHAPE: Constraint = (*TENSOR, *in_irdl(BaseAttr(ShapeType)))


def op_classes(packages: Packages) -> dict[str, OpClass]:
    """Return the class of each op of both dialects and of the packages, by name."""
    own = chain.from_iterable(dialect.operations for dialect in _OWN)
    ops = {op.name: op for op in own if issubclass(op, IRDLOperation)}
    return {**packages.ops, **ops}


def irdl_text(packages: Packages) -> str:
    """Return the definitions of all dialects, one after the other.

    HtpError where two ops have names that are alike in lower case.
    """
    ops = op_classes(packages)
    _check_names(ops)
    definitions = [(attribute_name(kind), _attribute(kind)) for kind in OWN_ATTRIBUTES]
    definitions += [(op_name(name), _op(op)) for name, op in ops.items()]
    dialects: dict[str, list[str]] = {}
    for name, lines in definitions:
        dialects.setdefault(name.partition(".")[0], []).extend(lines)
    return "\n".join(starmap(_dialect, sorted(dialects.items())))


def _check_names(names: Iterable[str]) -> None:
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(op_name(name), name)
        if other != name:
            problem = f"is {op_name(name)} in IRDL, as {other} is"
            raise fail(name, problem, "rename one of the two: upper case, '.' and '_' do not count")


def _dialect(name: str, lines: Iterable[str]) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"irdl.dialect @{name} {{\n{body}}}\n"


def _attribute(kind: type[Attribute]) -> list[str]:
    body = Body()
    members = (Member(n, constraint) for n, constraint in OWN_ATTRIBUTES[kind].parameters.items())
    body.clause("parameters", members)
    word = "type" if issubclass(kind, TypeAttribute) else "attribute"
    return _definition(kind, f"{word} @{attribute_name(kind).partition('.')[2]}", body)


def _op(op: OpClass) -> list[str]:
    definition, body = op.get_irdl_definition(), Body()
    operands, results = _about(op)
    body.clause("operands", _values(op, definition.operands, operands))
    body.clause("results", _values(op, definition.results, results))
    properties = definition.properties.items()
    body.attributes(
        Member(name, in_irdl(prop.constr))
        for name, prop in properties
        if name != SEGMENTS and not isinstance(prop, OptionalDef)
    )
    optional = [
        name for name, prop in properties if name != SEGMENTS and isinstance(prop, OptionalDef)
    ]
    if optional:
        body.lines.append(f"// optional attributes: {', '.join(optional)}")
    return _definition(op, f"operation @{op_name(op.name).partition('.')[2]}", body)


def _definition(kind: type[Attribute] | OpClass, head: str, body: Body) -> list[str]:
    about = cleandoc(kind.__doc__ or "").partition("\n")[0]
    return [
        f"// {kind.name}: {about}",
        f"irdl.{head} {{",
        *(f"  {line}" for line in body.lines),
        "}",
    ]


def _values(
    op: OpClass, definitions: Sequence[tuple[str, OperandDef | ResultDef]], about: Sequence[str]
) -> Iterator[Member]:
    """Yield the operands or the results of an op, with what is declared of each in words."""
    for (name, each), words in zip(definitions, about or [""] * len(definitions), strict=True):
        constraint = _of_value(op, each.constr)
        if is_variadic(each):
            for number in range(MOST_RUNS):
                yield Member(f"{lower_name(name)}{number}", constraint, "variadic", words)
        else:
            often = "optional" if isinstance(each, OptionalDef) else ""
            yield Member(lower_name(name), constraint, often, words)


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


def _about(op: OpClass) -> tuple[list[str], list[str]]:
    """Return what is declared of each operand and of each result, in words."""
    if not issubclass(op, FieldsOp):
        return [], []
    operands = [in_words(op.CONSTRAINTS[n]) if n in op.CONSTRAINTS else "" for n in op.OPERANDS]
    return operands, [kind.value[0] if kind.only else "" for kind in op.RESULT_KINDS]

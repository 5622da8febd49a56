"""The dialects of packages as IRDL text, which `mlir-opt --irdl-file` loads.

IRDL wants all members of a variadic operand to be of one type, and ours may differ. So a variadic
one is written as many variadic ones, each of which takes a run of equal types.

Example: of parts of the types A, A, B behind an axis the segment sizes are 1, 2, 1, 0, 0, ...

IRDL names the class of a builtin attribute or type and no more: of `tensor<1x2xf32>` it sees a
tensor. What else is declared goes into a comment, in words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from inspect import cleandoc
from itertools import chain, groupby, starmap

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OperandDef,
    OptionalDef,
    ParamAttrConstraint,
    PropertyDef,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    ResultDef,
    VariadicDef,
)

from ....dialects.diagnostics import fail
from ....dialects.htp import HTP, ShapeType
from ....dialects.htp import constraints as native
from ....dialects.htp.constraints import ANY, ParamConstraint, ShapeConstraint, TensorConstraint
from ....dialects.htp.fields import MANY, FieldsOp
from ....dialects.qti_aisw import QTI_AISW
from ....dialects.text.own_op import OwnOp
from ....dialects.value import Kind
from ....runtime.installed.universe import guest_ops, guests
from ...packages.ops.declared_op import DeclaredOp
from ...packages.packages import Packages
from .body import (
    INTEGER,
    OWN_ATTRIBUTES,
    Constraint,
    DefinitionBody,
    Member,
    attribute_name,
    lower_name,
    op_name,
)

ANYTHING: Constraint = ("irdl.any",)
TENSOR: Constraint = ('irdl.base "!builtin.tensor"',)
_STRING: Constraint = ('irdl.base "#builtin.string"',)
_TRUTH: Constraint = ("irdl.is true", "irdl.is false")

_BUILTIN: dict[type[Attribute], Constraint] = {
    TensorType: TENSOR,
    StringAttr: _STRING,
    IntegerAttr: INTEGER,
    FloatAttr: ('irdl.base "#builtin.float"',),
    ArrayAttr: ('irdl.base "#builtin.array"',),
    DenseArrayBase: ('irdl.base "#builtin.dense_array"',),
    DictionaryAttr: ('irdl.base "#builtin.dictionary"',),
    TypeAttribute: ('irdl.base "#builtin.type"',),
    SymbolRefAttr: ('irdl.base "#builtin.symbol_ref"',),
    DenseIntOrFPElementsAttr: (
        'irdl.base "#builtin.dense_int_or_fp_elements"',
        'irdl.base "#builtin.dense_resource_elements"',
    ),
}


def in_irdl(constraint: AttrConstraint) -> Constraint:
    """Return what IRDL can say of a constraint; `irdl.any` where that is nothing."""
    match constraint:
        case MessageConstraint(inner):
            return in_irdl(inner)
        case SymbolNameConstraint():
            return _STRING
        case ParamAttrConstraint(base, (_, EqAttrConstraint(IntegerType(width=width)))) if (
            base is IntegerAttr and width.data == 1
        ):
            return _TRUTH
        case BaseAttr(base) | ParamAttrConstraint(base, _) if base in OWN_ATTRIBUTES:
            return (f"irdl.base @{attribute_name(base).replace('.', '::@')}",)
        case BaseAttr(base) | ParamAttrConstraint(base, _):
            return _BUILTIN.get(base, ANYTHING)
        case _:
            return ANYTHING


def element_of(constraint: AttrConstraint) -> str:
    """Return the type that the numbers of a param are of, which IRDL does not see; empty for none.

    A truth value has its own constraint.
    """
    if not isinstance(constraint, ParamAttrConstraint) or in_irdl(constraint) == _TRUTH:
        return ""
    types = [part.attr for part in constraint.param_constrs if isinstance(part, EqAttrConstraint)]
    return str(types[0]) if types else ""


def in_words(constraint: native.Constraint) -> str:
    """Return what is declared of an operand; empty where nothing is."""
    match constraint:
        case ShapeConstraint(plane=plane):
            return "1xHxWx1, all >= 1" if plane else ""
        case ParamConstraint(count, least, most, once):
            numbers = "" if count is None else f"{count} number{'s' * (count != 1)}"
            bounds = f"integers >= {least}" if most is None else f"integers from {least} to {most}"
            parts = (numbers, "" if least is None else bounds, "each once" * once)
            return ", ".join(filter(None, parts))
        case _ if constraint.like:
            return f"the dtype of {constraint.like}, or both quantised"
        case _ if constraint.kin:
            return f"a number; float exactly where {constraint.kin} is"
        case _:
            return "" if constraint.kind is Kind.ANY else constraint.kind.value[0]


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


_OWN = (QTI_AISW, HTP)


def op_classes(packages: Packages) -> dict[str, OpClass]:
    """Return the class of each op of both dialects, of the packages and of plugins, by name."""
    own = chain.from_iterable(dialect.operations for dialect in _OWN)
    ops = {op.name: op for op in own if issubclass(op, IRDLOperation)}
    for dialect in guests():
        ops |= guest_ops(dialect)
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
    body = DefinitionBody()
    members = (Member(n, constraint) for n, constraint in OWN_ATTRIBUTES[kind].parameters.items())
    body.clause("parameters", members)
    word = "type" if issubclass(kind, TypeAttribute) else "attribute"
    return _definition(kind, f"{word} @{attribute_name(kind).partition('.')[2]}", body)


def _op(op: OpClass) -> list[str]:
    definition, body = op.get_irdl_definition(), DefinitionBody()
    body.clause("operands", in_runs(operands_of(op)))
    body.clause("results", in_runs(results_of(op)))
    body.attributes(
        Member(name, _of_property(prop), about=element_of(prop.constr))
        for name, prop in definition.properties.items()
        if name != SEGMENTS
    )
    return _definition(op, f"operation @{op_name(op.name).partition('.')[2]}", body)


def _of_property(prop: PropertyDef) -> Constraint:
    """Return the constraint of a param; one that may be absent is `unit` then."""
    absent = ("irdl.is unit",) if isinstance(prop, OptionalDef) else ()
    return (*absent, *in_irdl(prop.constr))


def _definition(kind: type[Attribute] | OpClass, head: str, body: DefinitionBody) -> list[str]:
    about = cleandoc(kind.__doc__ or "").partition("\n")[0]
    return [
        f"// {kind.name}: {about}",
        f"irdl.{head} {{",
        *(f"  {line}" for line in body.lines),
        "}",
    ]

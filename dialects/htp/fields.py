"""Native ops as classes with typed fields, and the op definitions that follow from them.

`act = tensor_def()` in a class makes `op.act` its next operand. Fields of base classes come first;
one that is declared again moves to the end. A name that Python keeps to itself takes a `_`: `in_`
is the operand `in`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Generic, Self, TypeAlias, TypeVar, cast, overload

from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType
from xdsl.ir import Attribute, OpResult, SSAValue, SSAValues
from xdsl.irdl import (
    BaseAttr,
    OpDef,
    OperandDef,
    ResultDef,
    VarOperandDef,
    irdl_op_definition,
    opt_prop_def,
    traits_def,
)
from xdsl.traits import Pure

from ..text.own_op import OwnOp
from ..value import Kind
from .constraints import ANY, Constraint, ParamConstraint, ShapeConstraint, TensorConstraint, Usual
from .types import ShapeType

V = TypeVar("V")
TensorOperand: TypeAlias = SSAValue[TensorType[Attribute]]
TensorResult: TypeAlias = OpResult[TensorType[Attribute]]

_TENSOR: BaseAttr[TensorType[Attribute]] = BaseAttr(TensorType)
MANY = "..."
"""The end of an operand's name that represents any number of operands."""


class Field(Generic[V]):
    """An operand of an op; on an instance, its value."""

    attribute = ""

    def __init__(self, definition: OperandDef, constraint: Constraint = ANY) -> None:
        self.definition = definition
        self.constraint = constraint

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute

    @property
    def many(self) -> bool:
        """True where the operand may be any number of tensors."""
        return isinstance(self.definition, VarOperandDef)

    @property
    def param(self) -> bool:
        """True for a param, which says how to compute."""
        return not isinstance(self.constraint, TensorConstraint)

    @property
    def shape(self) -> bool:
        """True for a param of type !htp.shape."""
        return isinstance(self.constraint, ShapeConstraint)

    @property
    def name(self) -> str:
        """The name in text; it ends in `...` if there may be any number."""
        return self.attribute.removesuffix("_") + (MANY if self.many else "")

    @overload
    def __get__(self, op: None, owner: type) -> Self: ...
    @overload
    def __get__(self, op: FieldsOp, owner: type) -> V: ...
    def __get__(self, op: FieldsOp | None, owner: type) -> Self | V:
        if op is None:
            return self
        index = op.POSITIONS[self.attribute]
        return cast(V, op.operands[index:] if self.many else op.operands[index])


class ResultField:
    """A result of an op; on an instance, its value."""

    attribute = ""
    definition = ResultDef(_TENSOR)

    def __init__(self, kind: Kind = Kind.ANY) -> None:
        self.kind = kind

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute

    @overload
    def __get__(self, op: None, owner: type) -> Self: ...
    @overload
    def __get__(self, op: FieldsOp, owner: type) -> TensorResult: ...
    def __get__(self, op: FieldsOp | None, owner: type) -> Self | TensorResult:
        return self if op is None else cast(TensorResult, op.results[op.POSITIONS[self.attribute]])


@irdl_op_definition
class AllocatedOp(OwnOp):
    """An op that may name its kernel and, as types with their places, the kernel's scratch."""

    name = "htp.native"

    kernel = opt_prop_def(StringAttr)
    scratch = opt_prop_def(ArrayAttr)

    traits = traits_def(Pure())


class FieldsOp(AllocatedOp):
    """An op whose definition follows from the fields of its class."""

    OPERANDS: ClassVar[tuple[str, ...]]
    """The names of the operands; a last one that ends in `...` represents any number."""
    PARAMS: ClassVar[tuple[str, ...]]
    """The operands that are params, not data."""
    SHAPES: ClassVar[tuple[str, ...]]
    """The params of type !htp.shape."""
    CONSTRAINTS: ClassVar[dict[str, Constraint]]
    """The constraint of each operand that has one."""
    RESULTS: ClassVar[int]
    """The number of results."""
    RESULT_KINDS: ClassVar[tuple[Kind, ...]]
    """The dtypes of each result."""
    POSITIONS: ClassVar[dict[str, int]]
    """The index of each field among the operands, or among the results."""
    DEFINITION: ClassVar[OpDef]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        operands: dict[str, Field[object]] = {}
        results: dict[str, ResultField] = {}
        members = (item for base in reversed(cls.__mro__) for item in vars(base).items())
        for name, member in members:
            if isinstance(member, Field):
                operands.pop(name, None)
                operands[name] = member
            elif isinstance(member, ResultField):
                results[name] = member
        cls.OPERANDS = tuple(field.name for field in operands.values())
        cls.PARAMS = tuple(field.name for field in operands.values() if field.param)
        cls.SHAPES = tuple(field.name for field in operands.values() if field.shape)
        cls.CONSTRAINTS = {
            field.name: field.constraint for field in operands.values() if field.constraint != ANY
        }
        cls.RESULTS = len(results)
        cls.RESULT_KINDS = tuple(field.kind for field in results.values())
        cls.POSITIONS = {n: i for names in (operands, results) for i, n in enumerate(names)}
        cls.DEFINITION = replace(
            AllocatedOp.get_irdl_definition(),
            name=cls.name,
            operands=[(name, field.definition) for name, field in operands.items()],
            results=[(name, field.definition) for name, field in results.items()],
            traits=cls.traits,
        )

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return cls.DEFINITION


def tensor_def(
    kind: Kind = Kind.ANY, *, like: str = "", kin: str = "", stored: bool = False
) -> Field[TensorOperand]:
    """Declare an operand that is data.

    `kind` says its dtypes. `like` names an operand of the same dtype. `kin` names the operand that
    it scales, or whose products it is added to: both are numbers, and both float, or neither.
    With `stored` it may be quantised beside floats.
    """
    return Field(OperandDef(_TENSOR), TensorConstraint(kind, like, kin, stored))


def tensors_def() -> Field[SSAValues[TensorOperand]]:
    """Declare any number of operands that are data, after all others."""
    return Field(VarOperandDef(_TENSOR))


def param_def(
    count: int | None = None,
    *,
    least: int | None = None,
    most: int | None = None,
    once: bool = False,
    usual: Usual | None = None,
) -> Field[TensorOperand]:
    """Declare an operand that is a param: a tensor that says how to compute.

    It holds `count` numbers, any number of them for None. With `least` they are integers, from
    there up to `most`; `once` says that none of them repeats. `usual` is a value that it often has,
    for the graphs that are made to check rules.
    """
    return Field(OperandDef(_TENSOR), ParamConstraint(count, least, most, once, usual))


def shape_def(plane: bool = False) -> Field[SSAValue[ShapeType]]:
    """Declare an operand that is a param of type !htp.shape; a plane is 1xHxWx1, all >= 1."""
    return Field(OperandDef(BaseAttr(ShapeType)), ShapeConstraint(plane))


def out_def(kind: Kind = Kind.ANY) -> ResultField:
    """Declare a result; `kind` says its dtypes.

    An op with an access map gives its one result the dtype of a kind of one, else that of the first
    operand in the map.
    """
    return ResultField(kind)

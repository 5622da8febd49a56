"""The base class of graph ops: shape inference, its check, text form.

And their params, as a class declares them and Python reads them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    BaseAttr,
    OpDef,
    OperandDef,
    OptionalDef,
    OptOperandDef,
    PropertyDef,
    VarOperandDef,
    VarResultDef,
    opt_prop_def,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..assembly import parse_operands, parse_signature, place_operands, print_table_op
from ..attributes import verify_attributes
from ..diagnostics import counted, listed
from ..spec_of import dtype_of, require, require_results, spec_of, type_of
from ..text.own_op import OwnOp
from ..value import TensorSpec

ParamValue = int | float | bool | str | tuple[int, ...]
Ints = DenseArrayBase[IntegerType]
Int = IntegerAttr[IntegerType]
Float = FloatAttr[Float32Type]

_I64 = IntegerType(64)
_F32 = Float32Type()
_LARGE = 2**31
"""From here on a number does not stand in for what was to be written."""


def ints_attr(values: Sequence[int]) -> Ints:
    """A list of ints as a property: `array<i64: 1, 2>`."""
    return DenseArrayBase.from_list(_I64, values)


def ints(attribute: Ints) -> tuple[int, ...]:
    """The values of a list param."""
    return tuple(int(value) for value in attribute.get_values())


def int_attr(value: int) -> Int:
    """An int as a property: `1 : i64`."""
    return IntegerAttr(value, _I64)


def float_attr(value: float) -> Float:
    """A float as a property, rounded to f32."""
    return FloatAttr(value, _F32)


def bool_attr(value: bool) -> BoolAttr:
    """A truth value as a property: `true`."""
    return BoolAttr.from_bool(value)


def ints_def(*default: int) -> Ints:
    """Declares a list param; without a default it is mandatory."""
    return prop_def(DenseArrayBase.constr(_I64), ints_attr(default) if default else None)


def int_def(default: int | None = None) -> Int:
    """Declares an int param; without a default it is mandatory."""
    return prop_def(IntegerAttr.constr(_I64), None if default is None else int_attr(default))


def float_def(default: float | None = None) -> Float:
    """Declares a float param; without a default it is mandatory."""
    return prop_def(FloatAttr.constr(_F32), None if default is None else float_attr(default))


def opt_float_def() -> Float | None:
    """Declares a float param that may be absent."""
    return opt_prop_def(FloatAttr.constr(_F32))


def bool_def(default: bool) -> BoolAttr:
    """Declares a truth value."""
    return prop_def(BoolAttr.constr(IntegerType(1)), bool_attr(default))


def type_def() -> TypeAttribute:
    """Declares an element type, which is mandatory."""
    return prop_def(BaseAttr(TypeAttribute))


def param_value(attribute: Attribute) -> ParamValue:
    """A property as a Python value: int, float, bool, tuple of ints, str.

    A named value gives its name, an element type the name of its dtype.
    """
    match attribute:
        case DenseArrayBase():
            return ints(attribute)
        case IntegerAttr(type=IntegerType(width=width)) if width.data == 1:
            return bool(attribute.value.data)
        case IntegerAttr():
            return attribute.value.data
        case FloatAttr():
            return attribute.value.data
        case StringAttr() | EnumAttribute():
            return str(attribute.data)
        case TypeAttribute():
            return dtype_of(attribute)[0].name
        case _:
            raise TypeError(f"{attribute} is no param")


def param_fault(definition: OpDef, params: Mapping[str, Attribute]) -> str | None:
    """Describe the first param of another type than the op declares, and what to write.

    None where all fit.
    """
    for name, value in params.items():
        declared = definition.properties.get(name)
        if declared is not None and not declared.constr.verifies(value):
            return f"param '{name}': write {_written(declared, value)}, not {value}"
    return None


def _written(declared: PropertyDef, value: Attribute) -> str:
    """A value of the declared type, with the numbers that were given where it takes them."""
    numbers = [number for number in _numbers(value) if abs(number) < _LARGE] or [0]
    first = numbers[0]
    forms = (
        ints_attr([int(number) for number in numbers]),
        bool_attr(bool(first)),
        int_attr(int(first)),
        float_attr(first),
        IntegerType(32),
        declared.default_value,
    )
    fitting = (form for form in forms if form is not None and declared.constr.verifies(form))
    return str(next(fitting, "another type"))


def _numbers(attribute: Attribute) -> Iterator[float]:
    match attribute:
        case IntegerAttr(type=IntegerType(width=width)) if width.data == 1:
            yield bool(attribute.value.data)
        case IntegerAttr() | FloatAttr():
            yield attribute.value.data
        case DenseArrayBase() | DenseIntOrFPElementsAttr():
            yield from attribute.get_values()
        case ArrayAttr():
            for element in attribute:
                yield from _numbers(element)


CustomParam = ParamValue | tuple[float, ...]
"""A param of a package's op: a number, a truth value, text, a list of numbers."""


def custom_attr(value: CustomParam) -> Attribute:
    """A Python value as the attribute that a param of a package's op is kept in."""
    match value:
        case bool():
            return bool_attr(value)
        case int():
            return int_attr(value)
        case float():
            return float_attr(value)
        case str():
            return StringAttr(value)
        case _ if any(isinstance(number, float) for number in value):
            return DenseArrayBase.from_list(_F32, [float(number) for number in value])
        case _:
            return ints_attr([int(number) for number in value])


Operand = SSAValue | Sequence[SSAValue] | None
G = TypeVar("G", bound="GraphOp")


class GraphOp(OwnOp, ABC):
    """A node of the source model: tensors in, params as properties, tensors out.

    A leaf states its name, its docstring and what is its own; a family base class holds the
    operands, the params and `infer`.
    """

    KEEPS_ENCODING: ClassVar[bool] = False
    """True where a quantised result has the encoding that `infer` gives; else it is free."""

    @property
    def keeps_encoding(self) -> bool:
        """True as KEEPS_ENCODING says, unless a param decides."""
        return self.KEEPS_ENCODING

    @abstractmethod
    def infer(self) -> tuple[TensorSpec, ...]:
        """The results' specs from operands and params; VerifyException where a rule is broken."""

    def verify(self, verify_nested_ops: bool = True) -> None:
        self.verify_params()
        super().verify(verify_nested_ops)

    def verify_params(self) -> None:
        """Check that each param is of the type that the op declares."""
        fault = param_fault(self.get_irdl_definition(), self.properties)
        require(fault is None, self, fault or "")

    def verify_(self) -> None:
        for value in (*self.operands, *self.results):
            require(spec_of(value).place is None, self, "a graph tensor carries no #htp.place")
        for name in (name for name in self.attributes if "." not in name):
            # A misspelt param: what is not a param has the prefix of a dialect.
            known = listed(name, self.params(), "its params are")
            raise VerifyException(f"{self.name}: unknown param '{name}'; {known}")
        verify_attributes(self)
        require_results(self, self._allowed(self.infer()))

    def params(self) -> dict[str, ParamValue]:
        """Every param that is set or has a default, by its name in the op's specification."""
        return {
            name: param_value(value)
            for name, value in self.properties.items()
            if name != "operandSegmentSizes"
        }

    def int_param(self, name: str) -> int:
        """The value of an int param; TypeError for a param of another type."""
        value = self.params()[name]
        if not isinstance(value, int):
            raise TypeError(f"{self.name}: param '{name}' is no int")
        return value

    def ints_param(self, name: str) -> tuple[int, ...]:
        """The values of a list param; TypeError for a param of another type."""
        value = self.params()[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{self.name}: param '{name}' is no list")
        return value

    def named_operands(self) -> dict[str, SSAValue]:
        """The operands that are there, by the names of the op's definition; no variadic ones."""
        names = [name for name, _ in self.get_irdl_definition().operands]
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if isinstance(value, SSAValue)}

    def _allowed(self, inferred: Sequence[TensorSpec]) -> list[TensorSpec]:
        """`inferred` with the scale and zero point that was found, where they are free."""
        if self.keeps_encoding or len(inferred) != len(self.results):
            return list(inferred)
        specs = [spec_of(result) for result in self.results]
        return [
            expected.with_type(spec)
            if expected.dtype.is_quantized is spec.dtype.is_quantized is True
            else expected
            for expected, spec in zip(inferred, specs, strict=True)
        ]

    @classmethod
    def parse(cls: type[G], parser: Parser) -> G:
        start = parser.pos
        slots = parse_operands(parser)
        attributes, operands, results = parse_signature(parser, slots)
        definition = cls.get_irdl_definition()
        variadic = any(isinstance(result, VarResultDef) for _, result in definition.results)
        known = definition.properties
        segments = place_operands(cls, parser, slots, operands)
        _check_counts(parser, start, definition, segments, results)
        op = cls.build(
            operands=segments,
            result_types=[list(results)] if variadic else list(results),
            properties={name: value for name, value in attributes.items() if name in known},
            attributes={name: value for name, value in attributes.items() if name not in known},
        )
        try:
            op.verify_params()
        except VerifyException as error:
            parser.raise_error(str(error), start)
        return op

    def print(self, printer: Printer) -> None:
        print_table_op(self, printer)


def _check_counts(
    parser: Parser,
    start: int,
    definition: OpDef,
    operands: Sequence[Sequence[SSAValue]],
    results: Sequence[Attribute],
) -> None:
    for (name, operand), values in zip(definition.operands, operands, strict=True):
        least, most = _bounds(operand)
        if not least <= len(values) <= most:
            surplus = [] if isinstance(operand, OptOperandDef) else values[1:]
            problem = f"{definition.name}: operand '{name}' is given {len(values)} times"
            parser.raise_error(problem + _by_name(definition, operands, surplus), start)
    wanted = len(definition.results)
    if len(results) != wanted and not isinstance(definition.results[0][1], VarResultDef):
        problem = f"{definition.name}: has {counted(len(results), 'result')}, it gives {wanted}"
        parser.raise_error(problem, start)


def _by_name(
    definition: OpDef, operands: Sequence[Sequence[SSAValue]], surplus: Sequence[SSAValue]
) -> str:
    """Say how to write surplus operands by the names of optional ones that are absent."""
    free = [
        name
        for (name, operand), values in zip(definition.operands, operands, strict=True)
        if isinstance(operand, OptOperandDef) and not values
    ]
    named = [
        f"{name} = %{value.name_hint or 'value'}"
        for name, value in zip(free, surplus, strict=False)
    ]
    return f"; write optional ones by name: {', '.join(named)}" if named else ""


def _bounds(operand: OperandDef) -> tuple[int, float]:
    if isinstance(operand, OptOperandDef):
        return 0, 1
    return (0, inf) if isinstance(operand, VarOperandDef) else (1, 1)


def build(
    op_class: type[G], operands: Sequence[Operand], properties: dict[str, Attribute] | None = None
) -> G:
    """A new op whose result types follow from its operands and params.

    Operands in the order of the op's definition: None for an absent optional one, a list for a
    variadic one. Raises VerifyException where the op's rules are broken.
    """
    present = [
        [] if operand is None else [operand] if isinstance(operand, SSAValue) else list(operand)
        for operand in operands
    ]
    results = op_class.get_irdl_definition().results
    variadic = [isinstance(result, VarResultDef) for _, result in results]
    probe = op_class.build(
        operands=present,
        result_types=[[] if many else Float32Type() for many in variadic],
        properties=dict(properties or {}),
    )
    try:
        _check_mandatory(probe)
        probe.verify_params()
        types = [type_of(spec) for spec in probe.infer()]
    finally:
        probe.erase()
    return op_class.build(
        operands=present,
        result_types=[types] if any(variadic) else list(types),
        properties=dict(properties or {}),
    )


def _check_mandatory(op: GraphOp) -> None:
    for name, definition in op.get_irdl_definition().properties.items():
        present = name in op.properties or isinstance(definition, OptionalDef)
        require(present, op, f"param '{name}' is missing")

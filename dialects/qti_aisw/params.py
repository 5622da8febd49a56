"""Params of graph ops: how a class declares them and how Python reads them."""

from collections.abc import Iterator, Mapping, Sequence

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
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import BaseAttr, OpDef, PropertyDef, opt_prop_def, prop_def

from ..spec_of import dtype_of

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

"""What all graph ops share: shape inference, its check, params as Python values, the text form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..assembly import parse_operands, parse_signature, place_operands, print_table_op
from ..checks import require_results
from ..spec import TensorSpec, type_of

ParamValue = int | float | bool | str | tuple[int, ...]
Operand = SSAValue | Sequence[SSAValue] | None
G = TypeVar("G", bound="GraphOp")


class GraphOp(IRDLOperation, ABC):
    """A node of the source model: tensors in, params as properties, tensors out."""

    @abstractmethod
    def infer(self) -> tuple[TensorSpec, ...]:
        """The results' specs from operands and params; VerifyException where a rule is broken."""

    def verify_(self) -> None:
        require_results(self, self.infer())

    def params(self) -> dict[str, ParamValue]:
        """Every param that is set or has a default, by its name in the op's specification."""
        return {
            name: param_value(value)
            for name, value in self.properties.items()
            if name != "operandSegmentSizes"
        }

    @classmethod
    def parse(cls: type[G], parser: Parser) -> G:
        slots = parse_operands(parser)
        attributes, operands, results = parse_signature(parser, slots)
        known = cls.get_irdl_definition().properties
        properties = {name: value for name, value in attributes.items() if name in known}
        return cls.build(
            operands=place_operands(cls, parser, slots, operands),
            result_types=list(results),
            properties=properties,
            attributes={name: v for name, v in attributes.items() if name not in known},
        )

    def print(self, printer: Printer) -> None:
        print_table_op(self, printer)


def build(
    op_class: type[G], operands: Sequence[Operand], properties: dict[str, Attribute] | None = None
) -> G:
    """A new op whose result types follow from its operands and params.

    Operands in the order of the op's definition: None for an absent optional one, a list for a
    variadic one. Raises VerifyException where the op's rules are broken.
    """
    held = [
        [] if operand is None else [operand] if isinstance(operand, SSAValue) else list(operand)
        for operand in operands
    ]
    probe = op_class.build(
        operands=held,
        result_types=[[] for _ in op_class.get_irdl_definition().results],
        properties=dict(properties or {}),
    )
    results = [type_of(spec) for spec in probe.infer()]
    probe.erase()
    return op_class.build(operands=held, result_types=results, properties=dict(properties or {}))


def param_value(attribute: Attribute) -> ParamValue:
    """A property as a Python value: int, float, bool, str (enum cases too) or tuple of ints."""
    match attribute:
        case DenseArrayBase():
            return tuple(int(value) for value in attribute.get_values())
        case IntegerAttr(type=IntegerType(width=width)) if width.data == 1:
            return bool(attribute.value.data)
        case IntegerAttr():
            return attribute.value.data
        case FloatAttr():
            return attribute.value.data
        case StringAttr() | EnumAttribute():
            return str(attribute.data)
        case _:
            raise TypeError(f"{attribute} is no param")


def bool_attr(value: bool) -> BoolAttr:
    """A truth value as a property."""
    return BoolAttr.from_bool(value)

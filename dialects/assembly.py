"""The one pretty form that all table-like ops share.

`dialect.Name(%a, %b, bias = %c) {stride = array<i64: 1, 1>} : (types) -> types`: required operands
by position, optional ones by name, properties that differ from their default in the dictionary.
"""

from collections.abc import Sequence
from itertools import chain, repeat

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, OptOperandDef
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from .diagnostics import listed

Slot = tuple[str | None, UnresolvedOperand]


def print_table_op(op: IRDLOperation, printer: Printer) -> None:
    """Print the operands, the properties and the function type of an op."""
    definition = op.get_irdl_definition()
    optional = [name for name, each in definition.operands if isinstance(each, OptOperandDef)]
    by_name = [(name, getattr(op, name)) for name in optional]
    named: list[tuple[str | None, SSAValue]] = [(n, v) for n, v in by_name if v is not None]
    plain = [(None, value) for value in op.operands[: len(op.operands) - len(named)]]
    printer.print_string("(")
    printer.print_list([*plain, *named], lambda slot: _print_slot(printer, *slot))
    printer.print_string(")")
    defaults = {name: prop.default_value for name, prop in definition.properties.items()}
    shown = {
        name: value
        for name, value in op.properties.items()
        if name != "operandSegmentSizes" and value != defaults.get(name)
    }
    printer.print_op_attributes({**shown, **op.attributes})
    printer.print_string(" : ")
    printer.print_function_type(op.operand_types, op.result_types)


def parse_operands(parser: Parser) -> list[Slot]:
    """Parse `(%a, %b, name = %c)`."""
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_slot(parser))


def parse_signature(
    parser: Parser, slots: Sequence[Slot]
) -> tuple[dict[str, Attribute], Sequence[SSAValue], Sequence[Attribute]]:
    """Parse the dictionary and the function type; give attributes, operands and result types."""
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    position = parser.pos
    type_ = parser.parse_function_type()
    operands = parser.resolve_operands([value for _, value in slots], type_.inputs.data, position)
    return attributes, operands, type_.outputs.data


def place_operands(
    op_class: type[IRDLOperation],
    parser: Parser,
    slots: Sequence[Slot],
    operands: Sequence[SSAValue],
) -> list[list[SSAValue]]:
    """Sort operands into the segments of the op's definition."""
    names = [name for name, _ in op_class.get_irdl_definition().operands]
    optional = {
        name
        for name, operand in op_class.get_irdl_definition().operands
        if isinstance(operand, OptOperandDef)
    }
    segments: dict[str, list[SSAValue]] = {name: [] for name in names}
    *single, last = [name for name in names if name not in optional]
    positions = chain(single, repeat(last))
    for (name, _), value in zip(slots, operands, strict=True):
        if name is None:
            name = next(positions)
        elif name not in optional:
            known = listed(name, sorted(optional))
            parser.raise_error(f"unknown optional operand '{name}'; {known}")
        segments[name].append(value)
    return list(segments.values())


def _print_slot(printer: Printer, name: str | None, value: SSAValue) -> None:
    if name is not None:
        printer.print_string(f"{name} = ")
    printer.print_ssa_value(value)


def _parse_slot(parser: Parser) -> Slot:
    name = parser.parse_optional_identifier()
    if name is not None:
        parser.parse_punctuation("=")
    return name, parser.parse_unresolved_operand()

"""Dense data in the pretty form of an op, bit for bit with any xDSL tool's parser and printer."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from .parse_dense import parse_dense
from .print_dense import print_dense
from .printer import ModulePrinter


@irdl_custom_directive
class DenseData(CustomDirective):
    """`custom<DenseData>($value)`: dense data, or a handle for it."""

    value: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("dense"):
            self.value.set(state, parse_dense(parser))
        else:
            self.value.set(state, parser.parse_attribute())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        value = self.value.get(op)
        state.print_whitespace(printer)
        if isinstance(value, DenseIntOrFPElementsAttr) and not isinstance(printer, ModulePrinter):
            print_dense(printer, value)
        elif value is not None:
            printer.print_attribute(value)

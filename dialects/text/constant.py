"""The base class of constants at every level: the data, its check, its text form."""

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.irdl import IRDLOperation, prop_def, result_def, traits_def
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from ..attributes import verify_attributes
from ..spec_of import Array, array_of, dtype_of, require, spec_of, text
from .own_op import OwnOp
from .printer import ModulePrinter, parse_dense, print_dense


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


class Constant(OwnOp):
    """Constant data; `value` holds stored integers where the result is quantised.

    Constraints: (C1) value and result have one shape; (C2) value's element type is the storage
    type of the result's.
    """

    value = prop_def(DenseIntOrFPElementsAttr)
    out = result_def()

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "custom<DenseData>($value) attr-dict `->` type($out)"
    custom_directives = (DenseData,)

    def verify_(self) -> None:
        verify_attributes(self)
        spec = spec_of(self.out)
        shape = self.value.get_shape()
        message = f"(C1) value has shape {text(shape)}, the result {text(spec.shape)}"
        require(shape == spec.shape, self, f"{message}; they must be equal")
        stored, _ = dtype_of(self.value.get_element_type())
        message = f"(C2) value is stored as {stored.name}, the result as {spec.dtype.storage}"
        require(stored.storage == spec.dtype.storage, self, message)

    @property
    def array(self) -> Array:
        """The data as a read-only array of the result's shape, stored integers if quantised."""
        return array_of(self.value)

"""The printers of our tools."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FusedLoc,
    ModuleOp,
)
from xdsl.ir import Attribute
from xdsl.printer import Printer

from .dense_text import literal, print_dense, value_of

ELIDED = "__elided__"
"""The handle of data that is left out of a text for reading."""
Handles = Callable[[DenseIntOrFPElementsAttr], str | None]
"""Gives the name that represents dense data in text, None where the data itself does."""


def no_handles(_: DenseIntOrFPElementsAttr) -> str | None:
    """Let all data stand in the text itself."""
    return None


@dataclass(eq=False, repr=False)
class ModulePrinter(Printer):
    """Prints every number so that it reads back to the same bits."""

    handle_of: Handles = no_handles
    _aliases: dict[Attribute, str] = field(default_factory=dict)

    def print_module(self, module: ModuleOp) -> None:
        """Print a module; with locations, one that several ops share stands in front as an alias.

        Only a FusedLoc gets an alias: the others are short.
        """
        if self.print_debuginfo:
            counts = Counter(op.location for op in module.walk())
            for location, count in counts.items():
                if count > 1 and isinstance(location, FusedLoc):
                    alias = f"#loc{len(self._aliases) + 1}"
                    self.print_string(f"{alias} = ")
                    self.print_attribute(location)
                    self.print_string("\n")
                    self._aliases[location] = alias
        self.print_op(module)

    def print_attribute(self, attribute: Attribute) -> None:
        match attribute:
            case FusedLoc() if attribute in self._aliases:
                with self.in_location():
                    self.print_string(self._aliases[attribute])
            case DenseIntOrFPElementsAttr():
                self._print_dense(attribute)
            case DenseArrayBase(elt_type=type_) if isinstance(type_, AnyFloat) and len(attribute):
                size, data = type_.compile_time_size, attribute.data.data
                parts = (data[i : i + size] for i in range(0, len(data), size))
                values = (value_of(int.from_bytes(part, "little"), type_) for part in parts)
                with self.delimited(f"array<{type_}: ", ">"):
                    self.print_list(values, lambda value: self.print_float(value, type_))
            case _:
                super().print_attribute(attribute)

    def print_float(self, value: float, type: AnyFloat) -> None:
        self.print_string(literal(value, type))

    def _print_dense(self, dense: DenseIntOrFPElementsAttr) -> None:
        handle = self.handle_of(dense)
        if handle is None:
            print_dense(self, dense)
        else:
            self.print_string(f"dense_resource<{handle}> : ")
            self.print_attribute(dense.type)

"""A printer for reading: constants of many elements as a handle."""

from __future__ import annotations

from typing import IO

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute
from xdsl.printer import Printer


class ElidingPrinter(Printer):
    """Prints dense data of more than `limit` elements as `dense_resource<__elided__>`.

    The text is for people: it says which constant stands where, not what it holds.
    """

    def __init__(
        self, stream: IO[str], limit: int, generic: bool = False, locations: bool = False
    ) -> None:
        super().__init__(stream, print_generic_format=generic, print_debuginfo=locations)
        self.limit = limit

    def print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, DenseIntOrFPElementsAttr) and len(attribute) > self.limit:
            self.print_string("dense_resource<__elided__> : ")
            super().print_attribute(attribute.type)
        else:
            super().print_attribute(attribute)

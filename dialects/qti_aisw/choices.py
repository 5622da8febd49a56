"""Params with named values, and the attributes that carry them."""

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class Choice(StrEnum):
    """A param's named values, in the order of their numbers."""

    @property
    def code(self) -> int:
        """The value as the op's specification numbers it."""
        return list(type(self)).index(self)


class BufferMode(Choice):
    """The result of a Buffer while it is not full."""

    BLOCKING = "BLOCKING"
    NON_BLOCKING_LEFT = "NON_BLOCKING_LEFT"
    NON_BLOCKING_RIGHT = "NON_BLOCKING_RIGHT"


class MaskMode(Choice):
    """The contents of the mask of a MaskedSoftmax: addends, or the lengths of packed sequences."""

    UNCOMPRESSED = "UNCOMPRESSED"
    COMPRESSED = "COMPRESSED"


class Direction(Choice):
    """Which way a recurrent layer reads its sequence; BIDIRECTIONAL is forward, then reverse."""

    FORWARD = "forward"
    REVERSE = "reverse"
    BIDIRECTIONAL = "bidirectional"

    @property
    def directions(self) -> int:
        """The extent of the direction axis."""
        return len(self.reversals)

    @property
    def reversals(self) -> tuple[bool, ...]:
        """For each index of the direction axis, true where it reads from the end."""
        return {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}[self]


@irdl_attr_definition
class BufferModeAttr(EnumAttribute[BufferMode]):
    """`#qti_aisw.buffer_mode<NON_BLOCKING_LEFT>`."""

    name = "qti_aisw.buffer_mode"

    def print_parameter(self, printer: Printer) -> None:
        _print_choice(printer, self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> BufferMode:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(BufferMode)


@irdl_attr_definition
class MaskModeAttr(EnumAttribute[MaskMode]):
    """`#qti_aisw.mask_mode<COMPRESSED>`."""

    name = "qti_aisw.mask_mode"

    def print_parameter(self, printer: Printer) -> None:
        _print_choice(printer, self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MaskMode:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(MaskMode)


@irdl_attr_definition
class DirectionAttr(EnumAttribute[Direction]):
    """`#qti_aisw.direction<reverse>`."""

    name = "qti_aisw.direction"

    def print_parameter(self, printer: Printer) -> None:
        _print_choice(printer, self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Direction:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(Direction)


def _print_choice(printer: Printer, choice: Choice) -> None:
    with printer.in_angle_brackets():
        printer.print_string(choice.value)

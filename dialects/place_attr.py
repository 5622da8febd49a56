"""The attribute `#htp.place<crouton, tcm, 4096>`: a tensor's place as its encoding."""

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .diagnostics import listed
from .value import LayoutKind, Memory, Place

_LAYOUTS = {kind.value: kind for kind in LayoutKind}
_MEMORIES = {memory.value: memory for memory in Memory}


@irdl_attr_definition
class PlaceAttr(ParametrizedAttribute):
    """Layout, memory and, once allocated, the byte offset of a tensor.

    Example: `tensor<1x56x56x64xf32, #htp.place<crouton, tcm, 4096>>`
    """

    name = "htp.place"

    layout: StringAttr
    memory: StringAttr
    offset: IntAttr | NoneAttr

    def __init__(self, place: Place) -> None:
        offset = NoneAttr() if place.offset is None else IntAttr(place.offset)
        super().__init__(StringAttr(place.layout.value), StringAttr(place.memory.value), offset)

    @property
    def place(self) -> Place:
        """The value object."""
        offset = self.offset.data if isinstance(self.offset, IntAttr) else None
        return Place(_LAYOUTS[self.layout.data], _MEMORIES[self.memory.data], offset)

    def verify(self) -> None:
        if isinstance(self.offset, IntAttr):
            if self.offset.data < 0:
                raise VerifyException(f"#htp.place: offset {self.offset.data} must be >= 0")
            if self.memory.data != Memory.TCM.value:
                raise VerifyException("#htp.place: only a tensor in tcm carries an offset")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            layout = _keyword(parser, _LAYOUTS, "layout")
            parser.parse_characters(",")
            memory = _keyword(parser, _MEMORIES, "memory")
            offset: IntAttr | NoneAttr = NoneAttr()
            if parser.parse_optional_characters(","):
                offset = IntAttr(parser.parse_integer(allow_boolean=False))
        return StringAttr(layout), StringAttr(memory), offset

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.layout.data}, {self.memory.data}")
            if isinstance(self.offset, IntAttr):
                printer.print_string(f", {self.offset.data}")


def _keyword(
    parser: AttrParser, known: dict[str, LayoutKind] | dict[str, Memory], kind: str
) -> str:
    begin = parser.pos
    word = parser.parse_identifier(f" of a {kind}")
    if word not in known:
        end = begin + len(word)
        parser.raise_error(f"unknown {kind} '{word}'; {listed(word, known)}", begin, end)
    return word

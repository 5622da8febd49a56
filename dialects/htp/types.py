"""The type `!htp.shape<1x2x2x1>`: dims without data."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..value import RANK


@irdl_attr_definition
class ShapeType(ParametrizedAttribute, TypeAttribute):
    """Four dims that carry no data: a stride, a window, a slice's start or size. A dim may be 0.

    Example: `!htp.shape<1x2x2x1>`
    """

    name = "htp.shape"

    dims: ArrayAttr[IntAttr]

    def __init__(self, dims: Sequence[int]) -> None:
        super().__init__(ArrayAttr([IntAttr(dim) for dim in dims]))

    def get_shape(self) -> tuple[int, ...]:
        """The dims."""
        return tuple(dim.data for dim in self.dims)

    def verify(self) -> None:
        dims = self.get_shape()
        if len(dims) != RANK or any(dim < 0 for dim in dims):
            raise VerifyException(f"!htp.shape: dims {dims} must be {RANK} numbers, all >= 0")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            dims = parser.parse_dimension_list()
        return (ArrayAttr([IntAttr(dim) for dim in dims]),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("x".join(str(dim) for dim in self.get_shape()))

"""The parser of our tools, which bounds types before it makes anything of their size."""

import re
from dataclasses import dataclass
from math import prod
from struct import error as StructError

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FloatData,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    MemRefType,
    ModuleOp,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.parser import Parser
from xdsl.utils.mlir_lexer import StringLiteral

from ..locations import canonical
from ..value.limits import MAX_ALIASED, MAX_BITS, MAX_TENSOR_BYTES
from .printer import Type, pack, parse_dense, parse_dense_type, parse_number, source, value_of

_UNFIT = (ValueError, ArithmeticError, NotImplementedError, AssertionError, StructError)
"""Exceptions that xDSL's parser raises on numbers that their types do not take."""


class _Aliases(dict[str, Attribute]):
    """The aliases of a text; ParseError where their uses repeat too many characters.

    Those that the parser has before it begins count for nothing.
    """

    def __init__(self, parser: Parser) -> None:
        super().__init__(parser.attribute_aliases)
        self._parser, self._sizes = parser, dict[str, int]()
        self._begin = self._added = 0

    def __contains__(self, name: object) -> bool:
        """Tell whether an alias is defined; the parser asks before it reads a definition."""
        known = super().__contains__(name)
        if not known:
            self._begin = self._parser.pos + self._added
        return known

    def __setitem__(self, name: str, value: Attribute) -> None:
        super().__setitem__(name, value)
        self._sizes[name] = self._parser.pos + self._added - self._begin

    def __getitem__(self, name: str) -> Attribute:
        self._added += self._sizes.get(name, 0)
        if self._added > MAX_ALIASED:
            self._parser.raise_error(f"aliases repeat more than {MAX_ALIASED} characters")
        return super().__getitem__(name)


class BoundedParser(Parser):
    """Bounds the bits of integer types, the bytes of tensors and what aliases repeat.

    A number that its type does not take is an error with a place, as all others are.
    """

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the whole text; ParseError where it is wrong."""
        self.attribute_aliases = _Aliases(self)
        try:
            return super().parse_module(allow_implicit_module)
        except _UNFIT as error:
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            self.raise_error(f"a value that does not fit its type: {reason}")

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type if there is one; ParseError where it is too large."""
        begin = self.pos
        type_ = super().parse_optional_type()
        if problem := excess(type_):
            self.raise_error(problem, begin, self.pos)
        return type_


def excess(type_: Attribute | None) -> str:
    """Tell what of a type is too large to be taken, or nothing."""
    match type_:
        case IntegerType():
            return f"{type_} has more than {MAX_BITS} bits" if type_.size > MAX_BITS // 8 else ""
        case TensorType() | VectorType() | MemRefType():
            element = type_.get_element_type()
            size = element.size if isinstance(element, IntegerType | AnyFloat) else 1
            count = size * prod(dim for dim in type_.get_shape() if dim >= 0)
            fits = count <= MAX_TENSOR_BYTES
            return (
                "" if fits else f"{type_} takes {count} bytes, at most {MAX_TENSOR_BYTES} are taken"
            )
        case _:
            return ""


_FLOAT = r"(?:f16|bf16|f32|f64)\b"
_FLOATS = re.compile(rf"array\s*<\s*{_FLOAT}\s*:")
_BITS = re.compile(rf"0[xX][0-9a-fA-F]+\s*:\s*{_FLOAT}")
_HANDLE = re.compile(r"dense_resource\s*<")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@dataclass(frozen=True)
class Handle:
    """A handle: the name of data in a file, and the attribute without data that holds its place."""

    name: str
    stand_in: DenseIntOrFPElementsAttr


class ModuleParser(BoundedParser):
    """Takes a float in hex for its bits wherever one may stand, as upstream's parser does.

    `handles` are those that were parsed: their data is to be put in place of the stand-ins.
    """

    def __init__(self, ctx: Context, input: str | bytes, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self.handles: list[Handle] = []
        self._locations: dict[LocationAttr, LocationAttr] = {}

    def parse_optional_str_literal(self) -> str | None:
        """Parse a text; letters beyond ASCII may be the bytes that they are in UTF-8."""
        text = super().parse_optional_str_literal()
        match = _STRING.match(source(self), self.pos) if text is None else None
        if match is None:
            return text
        try:
            text = StringLiteral(*match.span(), self.lexer.input).bytes_contents.decode()
        except UnicodeDecodeError:
            return None
        self.parse_optional_bytes_literal()
        return text

    def parse_dense_int_or_fp_elements_attr(self, type: Type | None) -> DenseIntOrFPElementsAttr:
        return parse_dense(self, type)

    def parse_optional_attribute(self) -> Attribute | None:
        if _FLOATS.match(source(self), self.pos):
            return self._parse_floats()
        if _HANDLE.match(source(self), self.pos):
            return self._parse_handle()
        return super().parse_optional_attribute()

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        if _BITS.match(source(self), self.pos):
            return self._parse_bits()
        return super().parse_optional_builtin_int_or_float_attr()

    def parse_optional_location(self) -> LocationAttr | None:
        """Parse `loc(...)` to what upstream makes of it; equal locations are one object."""
        location = super().parse_optional_location()
        if location is None:
            return None
        if location not in self._locations:
            self._locations[location] = canonical(location)
        return self._locations[location]

    def _parse_floats(self) -> Attribute:
        """Parse `array<f32: 1.0, 0x7F800000>`."""
        self.parse_keyword("array")
        with self.in_angle_brackets():
            type_ = self._parse_float_type()
            self.parse_punctuation(":")
            numbers = self.parse_comma_separated_list(
                self.Delimiter.NONE, lambda: parse_number(self)
            )
        data = b"".join(pack(self, number, type_) for number in numbers)
        return DenseArrayBase(type_, BytesAttr(data))

    def _parse_handle(self) -> DenseIntOrFPElementsAttr:
        """Parse `dense_resource<name> : type`."""
        self.parse_keyword("dense_resource")
        with self.in_angle_brackets():
            name = self.parse_identifier_or_str_literal()
        self.parse_punctuation(":")
        stand_in = DenseIntOrFPElementsAttr(parse_dense_type(self), BytesAttr(b""))
        self.handles.append(Handle(name, stand_in))
        return stand_in

    def _parse_bits(self) -> FloatAttr:
        """Parse `0x7F800000 : f32`."""
        number = parse_number(self)
        self.parse_punctuation(":")
        type_ = self._parse_float_type()
        bits = int.from_bytes(pack(self, number, type_), "little")
        # The constructor would round the value, which changes NaNs.
        return FloatAttr.new((FloatData(value_of(bits, type_)), type_))

    def _parse_float_type(self) -> AnyFloat:
        type_ = self.parse_type()
        if not isinstance(type_, AnyFloat):
            self.raise_error("float type expected")
        return type_

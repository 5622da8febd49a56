"""The printers of our tools; numbers and dense data as text and from it, bit for bit."""

import re
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import isfinite, isnan, prod
from typing import cast

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyDenseElement,
    AnyFloat,
    BFloat16Type,
    BytesAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FusedLoc,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    RankedStructure,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.bitwise_casts import convert_f64_to_u64, convert_u64_to_f64

from ..value.limits import MAX_TEXT_ELEMENTS

_PAYLOADS: tuple[tuple[type[AnyFloat], int], ...] = (
    (Float16Type, 10),
    (BFloat16Type, 7),
    (Float32Type, 23),
    (Float64Type, 52),
)
"""The IEEE formats, with the bits of a NaN's payload."""

_DIGITS: tuple[tuple[type[AnyFloat], str], ...] = ((Float32Type, ".9g"), (Float64Type, ".17g"))


def value_of(bits: int, type_: AnyFloat) -> float:
    """Return the value of a bit pattern; that of a NaN has the payload in its highest bits."""
    value = type_.unpack(bits.to_bytes(type_.compile_time_size, "little"), 1)[0]
    width = _payload_bits(type_)
    if not isnan(value) or width is None:
        return value
    sign = bits >> (8 * type_.compile_time_size - 1)
    payload = bits & ((1 << width) - 1)
    return convert_u64_to_f64(sign << 63 | 0x7FF << 52 | payload << (52 - width))


def bits_of(value: float, type_: AnyFloat) -> int:
    """Return the bit pattern of a value that the type has; the inverse of `value_of`."""
    width = _payload_bits(type_)
    if not isnan(value) or width is None:
        return int.from_bytes(type_.pack((value,)), "little")
    wide = convert_f64_to_u64(value)
    size = 8 * type_.compile_time_size
    # A signalling NaN of another type may keep its payload in the bits that are cut off.
    payload = (wide & ((1 << 52) - 1)) >> (52 - width) or 1 << (width - 1)
    exponent = (1 << (size - 1)) - (1 << width)
    return wide >> 63 << (size - 1) | exponent | payload


def literal(value: float, type_: AnyFloat) -> str:
    """Write a value so that it reads back to the same bits: in decimals, or the bits in hex."""
    if isfinite(value):
        return _decimals(value, type_)
    return f"0x{bits_of(value, type_):0{2 * type_.compile_time_size}X}"


def _decimals(value: float, type_: AnyFloat) -> str:
    """Write a finite value with six digits where these are exact, else with all that it needs."""
    mantissa, exponent = f"{value:.5e}".split("e")
    short = f"{mantissa}0e{exponent}"
    if type_.unpack(type_.pack((float(short),)), 1)[0] == value:
        return short
    digits = next((digits for kind, digits in _DIGITS if isinstance(type_, kind)), "")
    text = format(value, digits) if digits else repr(value)
    if "." in text:
        return text
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}.0{e}{exponent}"


def _payload_bits(type_: AnyFloat) -> int | None:
    return next((bits for kind, bits in _PAYLOADS if isinstance(type_, kind)), None)


Scalar = IntegerType | IndexType | AnyFloat


@dataclass(frozen=True)
class WrittenNumber:
    """A number, whether it is written in hex, and where it begins and ends in the text."""

    value: int | float
    is_hex: bool
    begin: int
    end: int


def source(parser: AttrParser) -> str:
    """Return the whole text that a parser reads."""
    return parser.lexer.input.content


def parse_number(parser: AttrParser) -> WrittenNumber:
    """Parse a number, `true` or `false`."""
    begin = parser.pos
    boolean = parser.parse_optional_boolean()
    value = parser.parse_number() if boolean is None else boolean
    text = source(parser)[begin : parser.pos].strip()
    return WrittenNumber(value, "0x" in text[:3].lower(), begin, begin + len(text))


def pack(parser: AttrParser, number: WrittenNumber, type_: Scalar) -> bytes:
    """Return a number as bytes of a type: of a float, hex says the bits and decimals the value."""
    if isinstance(type_, AnyFloat):
        return _pack_float(parser, number, type_)
    message = _misfit(number, type_)
    if message:
        parser.raise_error(message, number.begin, number.end)
    value = int(number.value)
    if isinstance(type_, IntegerType):
        value = type_.get_normalized_value(value)
    return type_.pack((value,))


def _pack_float(parser: AttrParser, number: WrittenNumber, type_: AnyFloat) -> bytes:
    try:
        if number.is_hex:
            return int(number.value).to_bytes(type_.compile_time_size, "little")
        return type_.pack((float(number.value),))
    except (OverflowError, struct.error):
        parser.raise_error(f"the number does not fit {type_}", number.begin, number.end)


def _misfit(number: WrittenNumber, type_: IntegerType | IndexType) -> str | None:
    if isinstance(number.value, float):
        return "Expected integer value"
    if isinstance(number.value, bool) and type_ != i1:
        return "Boolean values are only allowed for i1 types"
    low, high = (-(2**63), 2**64) if isinstance(type_, IndexType) else type_.value_range()
    if number.value < 0 and low == 0:
        return "Expected non-negative integer values"
    return None if low <= number.value < high else f"{number.value} does not fit {type_}"


_COMPLEX = re.compile(r"<[\[\s]*\(")

Type = RankedStructure[AnyDenseElement]
_Numbers = tuple[list[WrittenNumber], list[int]]
"""The numbers of a list and its dims; no dims for a number without brackets."""


def parse_dense(parser: AttrParser, type_: Type | None = None) -> DenseIntOrFPElementsAttr:
    """Parse dense data from behind the word `dense`, and its type unless that is known."""
    if _COMPLEX.match(source(parser), parser.pos):
        return AttrParser.parse_dense_int_or_fp_elements_attr(parser, type_)
    begin = parser.pos
    with parser.in_angle_brackets():
        text = parser.parse_optional_str_literal()
        numbers = _parse_numbers(parser) if text is None else ([], [])
    end = parser.pos
    if type_ is None:
        parser.parse_punctuation(":", " in dense attribute")
        type_ = parse_dense_type(parser)
    try:
        data = _of_numbers(parser, *numbers, type_) if text is None else _of_hex(text, type_)
    except ValueError as error:
        parser.raise_error(str(error), begin, end)
    return DenseIntOrFPElementsAttr(type_, BytesAttr(data))


def _parse_numbers(parser: AttrParser) -> _Numbers:
    """Parse a number, lists of numbers, or nothing."""
    if source(parser).startswith(">", parser.pos):
        return [], [0]
    parts = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_numbers(parser)
    )
    if parts is None:
        return [parse_number(parser)], []
    dims = parts[0][1] if parts else []
    if any(part[1] != dims for part in parts):
        parser.raise_error("Tensor literal has inconsistent ranks between elements")
    return [number for part in parts for number in part[0]], [len(parts), *dims]


def parse_dense_type(parser: AttrParser) -> Type:
    """Parse the type of dense data."""
    begin = parser.pos
    type_ = parser.parse_type()
    # What xDSL's generic check of a type says, at a hundredth of the time.
    if (
        not isinstance(type_, TensorType | VectorType | MemRefType)
        or not isinstance(type_.get_element_type(), AnyDenseElement)
        or DYNAMIC_INDEX in type_.get_shape()
    ):
        message = "Expected memref, vector or tensor type of static shape and of integer, index, "
        parser.raise_error(f"{message}float, or complex type", begin, parser.pos)
    return cast(Type, type_)


def _of_numbers(
    parser: AttrParser, numbers: list[WrittenNumber], dims: list[int], type_: Type
) -> bytes:
    shape = list(type_.get_shape())
    count = prod(shape)
    if dims and dims != shape and (numbers or count):
        what = f"Expected {shape} shape from the type, but got {dims} shape."
        raise ValueError(f"Shape mismatch in dense literal. {what}")
    element_type = type_.get_element_type()
    if isinstance(element_type, ComplexType):
        raise ValueError("complex numbers are written (real, imaginary)")
    data = b"".join(pack(parser, number, element_type) for number in numbers)
    return data if dims else _for_all(data, count)


def _for_all(data: bytes, count: int) -> bytes:
    """Return the bytes of one element for all; ValueError where one number says too much."""
    if count > MAX_TEXT_ELEMENTS:
        what = f"one number stands for {count} elements"
        raise ValueError(f"{what}, at most {MAX_TEXT_ELEMENTS} are taken")
    return data * count


def _of_hex(text: str, type_: Type) -> bytes:
    try:
        data = bytes.fromhex(text.removeprefix("0x"))
    except ValueError as error:
        raise ValueError("Hex string in denseAttr is invalid") from error
    count, size = prod(type_.get_shape()), type_.get_element_type().compile_time_size
    if type_.get_element_type() == i1:
        elements = np.frombuffer(data, np.uint8)
        # One bit per element, or one byte, of which one alone may represent all.
        if data not in (b"\x00", b"\xff") and len(data) == -(-count // 8):
            elements = np.unpackbits(elements, count=count, bitorder="little")
        data = bytes(np.where(elements != 0, np.uint8(255), np.uint8(0)))
    if len(data) == size:
        data = _for_all(data, count)
    if len(data) != count * size:
        what = f"Expected {count} elements from the type, but got {len(data) / size:g} elements."
        raise ValueError(f"Shape mismatch in dense literal. {what}")
    return data


LONGEST_LIST = 100
"""The most elements that print one by one."""
_PART = 2**20
"""The most bytes that are made hex at once."""

_Scalar = IntegerType | IndexType | AnyFloat


def is_splat(dense: DenseIntOrFPElementsAttr) -> bool:
    """Tell whether all elements have the same bits; there must be one at least."""
    data = np.frombuffer(dense.data.data, np.uint8)
    size = dense.type.element_type.compile_time_size
    # Nearly all data differs in its first two elements or in its ends.
    if not np.array_equal(data[:size], data[-size:]) or len(data) == size:
        return len(data) == size
    near = np.array_equal(data[:size], data[size : 2 * size])
    return near and np.array_equal(data[:-size], data[size:])


def print_dense(printer: Printer, dense: DenseIntOrFPElementsAttr) -> None:
    """Print dense data with its type: a number for a splat, a short list, or its bytes in hex.

    Data with infinities or NaNs is bytes in hex, which every reader takes for the same bits.
    """
    element_type = dense.get_element_type()
    if isinstance(element_type, ComplexType):
        dense.print_builtin(printer)
        return
    with printer.delimited("dense<", ">"):
        for part in _content(dense, element_type) if len(dense) else ():
            printer.print_string(part)
    printer.print_string(" : ")
    printer.print_attribute(dense.type)


def _content(dense: DenseIntOrFPElementsAttr, element_type: _Scalar) -> Iterable[str]:
    size = element_type.compile_time_size
    splat = is_splat(dense)
    data = dense.data.data[:size] if splat else dense.data.data
    if len(data) > LONGEST_LIST * size:
        return _hex(data, element_type)
    values = element_type.unpack(data, len(data) // size)
    if not all(map(isfinite, values)):
        return _hex(data, element_type)
    texts = [_number(value, element_type) for value in values]
    return [texts[0] if splat else _nested(texts, dense.get_shape())]


def _hex(data: bytes, element_type: _Scalar) -> Iterator[str]:
    if element_type == i1:
        data = np.packbits(np.frombuffer(data, np.bool_), bitorder="little").tobytes()
    yield '"0x'
    for at in range(0, len(data), _PART):
        yield data[at : at + _PART].hex().upper()
    yield '"'


def _number(value: float, element_type: _Scalar) -> str:
    if element_type == i1:
        return "true" if value else "false"
    if isinstance(element_type, IntegerType | IndexType):
        return str(value)
    return literal(value, element_type)


def _nested(texts: list[str], shape: tuple[int, ...]) -> str:
    if len(shape) > 1:
        step = len(texts) // shape[0]
        texts = [_nested(texts[i : i + step], shape[1:]) for i in range(0, len(texts), step)]
    return f"[{', '.join(texts)}]"


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

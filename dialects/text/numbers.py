"""Numbers in text, as bytes of the type that follows them."""

import struct
from dataclasses import dataclass
from math import isfinite, isnan

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    i1,
)
from xdsl.parser import AttrParser
from xdsl.utils.bitwise_casts import convert_f64_to_u64, convert_u64_to_f64

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

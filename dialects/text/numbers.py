"""Numbers in text, as bytes of the type that follows them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, i1
from xdsl.parser import AttrParser

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

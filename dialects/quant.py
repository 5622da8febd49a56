"""The `quant` dialect's uniform types, spelled as upstream MLIR spells them."""

import struct
from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, Float32Type, FloatData, IntAttr, IntegerType, NoneAttr
from xdsl.dialects.builtin import Signedness as Sign
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .diagnostics import listed
from .value import DType, Quant, integer_bounds

_STORED: dict[tuple[int, bool], DType] = {
    (8, False): DType.QUInt8,
    (8, True): DType.QInt8,
    (16, False): DType.QUInt16,
    (16, True): DType.QInt16,
    (32, True): DType.QInt32,
}

_WORDS = {
    f"{'i' if signed else 'u'}{width}": IntegerType(
        width, Sign.SIGNLESS if signed else Sign.UNSIGNED
    )
    for width, signed in _STORED
}

_LEAST_SCALE = 2.0**-149
_LARGEST_SCALE = (2 - 2.0**-23) * 2.0**127
_LEAST_BITS = 1 << 60


@irdl_attr_definition
class UniformQuantizedType(ParametrizedAttribute, TypeAttribute):
    """Integers that represent reals on an even grid: real = (stored - zero_point) * scale.

    `!quant.uniform<u8:f32, 0.05:128>` per tensor, `!quant.uniform<i8:f32:3, {0.1, 0.2:5}>` per
    axis, `!quant.uniform<i8<-127:127>:f32, 0.1>` with a narrower storage range.
    """

    name = "quant.uniform"

    storage: IntegerType
    expressed: Float32Type
    axis: IntAttr | NoneAttr
    low: IntAttr | NoneAttr
    high: IntAttr | NoneAttr
    scales: ArrayAttr[FloatData]
    zero_points: ArrayAttr[IntAttr]

    def __init__(self, dtype: DType, quant: Quant) -> None:
        sign = Sign.SIGNLESS if _signed(dtype) else Sign.UNSIGNED
        storage = IntegerType(dtype.itemsize * 8, sign)
        low, high = _narrower(storage, quant.low, quant.high)
        super().__init__(
            storage,
            Float32Type(),
            _optional(quant.axis),
            _optional(low),
            _optional(high),
            ArrayAttr([FloatData(scale) for scale in quant.scales]),
            ArrayAttr([IntAttr(zero) for zero in quant.zero_points]),
        )

    @property
    def dtype(self) -> DType:
        """The Q dtype that goes with the storage type."""
        return _STORED[self.storage.width.data, self.storage.signedness.data is not Sign.UNSIGNED]

    @property
    def quant(self) -> Quant:
        """The encoding as a value object."""
        return Quant(
            tuple(scale.data for scale in self.scales),
            tuple(zero.data for zero in self.zero_points),
            _number(self.axis),
            _number(self.low),
            _number(self.high),
        )

    def verify(self) -> None:
        key = (self.storage.width.data, self.storage.signedness.data is not Sign.UNSIGNED)
        if key not in _STORED:
            raise VerifyException(f"!quant.uniform: storage type {self.storage} is not supported")
        for scale in self.scales:
            if not _LEAST_SCALE <= scale.data <= _LARGEST_SCALE:
                raise VerifyException(
                    f"!quant.uniform: scale {scale.data:g} must be > 0 and within f32's range"
                )
        self._verify_count()
        whole, quant = _whole(self.dtype), self.quant
        low = whole[0] if quant.low is None else quant.low
        high = whole[1] if quant.high is None else quant.high
        if not whole[0] <= low < high <= whole[1]:
            raise VerifyException(
                f"!quant.uniform: storage range {low}:{high} must rise within {whole[0]}:{whole[1]}"
            )
        for zero in self.zero_points:
            if not low <= zero.data <= high:
                raise VerifyException(
                    f"!quant.uniform: zero point {zero.data} is outside {low}:{high}"
                )

    def _verify_count(self) -> None:
        scales, zeros = len(self.scales), len(self.zero_points)
        if scales != zeros or scales < 1 or (scales > 1 and isinstance(self.axis, NoneAttr)):
            raise VerifyException(
                f"!quant.uniform: {scales} scales and {zeros} zero points; there must be one of "
                "each, or with an axis one of each for every index"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            storage = _parse_storage(parser)
            low, high = _parse_range(parser)
            parser.parse_characters(":")
            expressed = parser.parse_type()
            if not isinstance(expressed, Float32Type):
                parser.raise_error("the expressed type of !quant.uniform must be f32")
            axis: int | None = None
            if parser.parse_optional_characters(":"):
                axis = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_characters(",")
            if axis is None:
                pairs = [_parse_pair(parser)]
            else:
                pairs = list(
                    parser.parse_comma_separated_list(
                        parser.Delimiter.BRACES, lambda: _parse_pair(parser)
                    )
                )
        low, high = _narrower(storage, low, high)
        return (
            storage,
            expressed,
            _optional(axis),
            _optional(low),
            _optional(high),
            ArrayAttr([FloatData(scale) for scale, _ in pairs]),
            ArrayAttr([IntAttr(zero) for _, zero in pairs]),
        )

    def print_parameters(self, printer: Printer) -> None:
        quant = self.quant
        pairs = ", ".join(map(_pair, quant.scales, quant.zero_points))
        with printer.in_angle_brackets():
            printer.print_string(f"{'i' if _signed(self.dtype) else 'u'}{self.storage.width.data}")
            if quant.low is not None:
                printer.print_string(f"<{quant.low}:{quant.high}>")
            printer.print_string(":f32")
            if quant.axis is None:
                printer.print_string(f", {pairs}")
            else:
                printer.print_string(f":{quant.axis}, {{{pairs}}}")


def quant_of(type_: UniformQuantizedType) -> tuple[DType, Quant]:
    """The dtype and encoding of a quantised element type."""
    return type_.dtype, type_.quant


def quantized_type(dtype: DType, quant: Quant) -> UniformQuantizedType:
    """The quantised element type for a dtype and encoding."""
    return UniformQuantizedType(dtype, quant)


def _signed(dtype: DType) -> bool:
    return dtype.storage.kind == "i"


def _narrower(
    storage: IntegerType, low: int | None, high: int | None
) -> tuple[int | None, int | None]:
    """The storage range, None where it is the storage type's own: one form for one type."""
    unsigned = storage.signedness.data is Sign.UNSIGNED
    whole = (low, high) == _whole(_STORED[storage.width.data, not unsigned])
    return (None, None) if whole else (low, high)


def _whole(dtype: DType) -> tuple[int, int]:
    """The range of the storage type."""
    return integer_bounds(dtype.storage)


def _optional(value: int | None) -> IntAttr | NoneAttr:
    return NoneAttr() if value is None else IntAttr(value)


def _number(value: IntAttr | NoneAttr) -> int | None:
    return value.data if isinstance(value, IntAttr) else None


def _parse_storage(parser: AttrParser) -> IntegerType:
    begin = parser.pos
    word = parser.parse_identifier(" of a storage type")
    if word not in _WORDS:
        end = begin + len(word)
        parser.raise_error(f"unknown storage type '{word}'; {listed(word, _WORDS)}", begin, end)
    return _WORDS[word]


def _parse_range(parser: AttrParser) -> tuple[int | None, int | None]:
    if not parser.parse_optional_characters("<"):
        return None, None
    low = parser.parse_integer(allow_boolean=False)
    parser.parse_characters(":")
    high = parser.parse_integer(allow_boolean=False)
    parser.parse_characters(">")
    return low, high


def _parse_pair(parser: AttrParser) -> tuple[float, int]:
    scale = _scale_of(parser, parser.parse_number(allow_boolean=False))
    zero = 0
    if parser.parse_optional_characters(":"):
        zero = parser.parse_integer(allow_boolean=False)
    return scale, zero


def _scale_of(parser: AttrParser, number: int | float) -> float:
    """A decimal float; an integer token is the bits of an f64 in hexadecimal."""
    if isinstance(number, float):
        return number
    if not _LEAST_BITS <= number < 1 << 64:
        parser.raise_error("a scale is a float: write 2.0, not 2")
    (scale,) = struct.unpack("<d", number.to_bytes(8, "little"))
    return float(scale)


def _pair(scale: float, zero: int) -> str:
    text = f"{scale:.6e}"
    if float(text) != scale:
        text = f"{scale:.17g}"
        mantissa, mark, exponent = text.partition("e")
        text = mantissa + ("" if "." in mantissa else ".0") + mark + exponent
    return f"{text}:{zero}" if zero else text


QUANT = Dialect("quant", [], [UniformQuantizedType])
"""The part of upstream's `quant` dialect that is used here: its uniform types."""

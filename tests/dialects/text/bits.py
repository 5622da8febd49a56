"""Attributes made from bit patterns, and what text makes of them."""

from collections.abc import Sequence
from io import StringIO
from math import isfinite

from htp_mlir.dialects.text.parser import ModuleParser
from htp_mlir.dialects.text.printer import ModulePrinter, value_of
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BFloat16Type,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    FloatData,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute

from ...support.roundtrip import context

FLOATS: dict[str, AnyFloat] = {
    "f16": Float16Type(),
    "bf16": BFloat16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
}
INTEGERS: dict[str, IntegerType] = {
    f"{prefix}{width}": IntegerType(width, signedness)
    for prefix, signedness in (
        ("i", Signedness.SIGNLESS),
        ("si", Signedness.SIGNED),
        ("ui", Signedness.UNSIGNED),
    )
    for width in (8, 16, 32, 64)
}
_CONTEXT = context()
ELEMENTS: dict[str, AnyFloat | IntegerType] = {**FLOATS, **INTEGERS}


def size_of(name: str) -> int:
    return ELEMENTS[name].compile_time_size


def dense(
    name: str, patterns: Sequence[int], shape: Sequence[int] | None = None
) -> DenseIntOrFPElementsAttr:
    """A tensor of these bits; one pattern fills the shape."""
    shape = [len(patterns)] if shape is None else shape
    data = b"".join(bits.to_bytes(size_of(name), "little") for bits in patterns)
    type_ = TensorType(ELEMENTS[name], shape)
    count = 1
    for dim in shape:
        count *= dim
    return DenseIntOrFPElementsAttr(type_, BytesAttr(data * (count // len(patterns))))


def booleans(values: Sequence[bool]) -> DenseIntOrFPElementsAttr:
    """A tensor of truth values."""
    data = bytes(255 * value for value in values)
    return DenseIntOrFPElementsAttr(TensorType(IntegerType(1), [len(values)]), BytesAttr(data))


def array(name: str, patterns: Sequence[int]) -> DenseArrayBase[AnyFloat]:
    """`array<f32: ...>` of these bits."""
    data = b"".join(bits.to_bytes(size_of(name), "little") for bits in patterns)
    return DenseArrayBase(FLOATS[name], BytesAttr(data))


def number(name: str, bits: int) -> FloatAttr:
    """A float attribute of these bits."""
    return FloatAttr.new((FloatData(value_of(bits, FLOATS[name])), FLOATS[name]))


def to_text(attribute: Attribute) -> str:
    stream = StringIO()
    ModulePrinter(stream).print_attribute(attribute)
    return stream.getvalue()


def from_text(text: str) -> Attribute:
    return ModuleParser(_CONTEXT, text).parse_attribute()


def all_patterns(name: str) -> ArrayAttr[Attribute]:
    """Every pattern of a type of 16 bits, in tensors; infinities and NaNs on their own too."""
    every = range(1 << 16)
    tensors = (dense(name, every[begin : begin + 100]) for begin in range(0, 1 << 16, 100))
    alone = (bits for bits in every if not isfinite(value_of(bits, FLOATS[name])))
    return ArrayAttr([*tensors, *(number(name, bits) for bits in alone)])

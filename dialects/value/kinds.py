"""Families of dtypes, by the words that an error uses for them."""

from __future__ import annotations

from enum import Enum

from .dtypes import DType

_FLOATS = frozenset(dtype for dtype in DType if dtype.is_float)
_REALS = _FLOATS | {dtype for dtype in DType if dtype.is_quantized}
_INTEGERS = frozenset(dtype for dtype in DType if dtype.is_integer)


class Kind(Enum):
    """A family of dtypes: its name in errors and its members."""

    FLOAT = ("a float", _FLOATS)
    HTP_FLOAT = ("f32 or f16", frozenset({DType.Float32, DType.Float16}))
    REAL = ("a float or quantised", _REALS)
    FACTOR = (
        "a float, quantised, or an integer of 32 or 64 bits",
        _REALS | {DType.Int32, DType.Int64, DType.UInt32, DType.UInt64},
    )
    NUMBER = ("a number", _REALS | _INTEGERS)
    BOOL = ("i1", frozenset({DType.Bool8}))
    LOGIC = ("i1 or an integer", frozenset({DType.Bool8}) | _INTEGERS)
    LENGTH = ("i32", frozenset({DType.Int32}))
    INDEX = ("i32 or i64", frozenset({DType.Int32, DType.Int64}))
    PLAIN = (
        "not quantised: use Quantize or Dequantize",
        frozenset(DType) - {dtype for dtype in DType if dtype.is_quantized},
    )
    QUANTIZED = ("quantised", _REALS - _FLOATS)
    BYTE = ("u8", frozenset({DType.UInt8}))
    F32 = ("f32", frozenset({DType.Float32}))
    F32_OR_QUANTIZED = ("f32 or quantised", _REALS - _FLOATS | {DType.Float32})
    BLOCK_DATA = (
        "f32, f16 or quantised u8 or u16",
        frozenset({DType.Float32, DType.Float16, DType.QUInt8, DType.QUInt16}),
    )
    REAL_OR_I32 = ("a float, quantised or i32", _REALS | {DType.Int32})
    ANY = ("any", frozenset(DType))

    def fault(self, what: str, dtype: DType) -> str | None:
        """Say that `what`, of this dtype, is none of the family; None where it is."""
        if dtype in self.value[1]:
            return None
        return f"{what} has element type {dtype.name}, it must be {self.value[0]}"

    @property
    def only(self) -> DType | None:
        """The dtype of a family of one."""
        return next(iter(self.value[1])) if len(self.value[1]) == 1 else None

"""Element types as value objects: dtype, quantisation, how each is stored; families of them; codes.

Codes of weights lie in a byte the lowest bits first. Worked example: two codes in a byte, the
numbers 1 and 2, are 0x21.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


class DType(Enum):
    """An element type: its name in rule text, how it is stored, and what kind it is.

    Those in `INSTEAD` exist at the graph level alone.
    """

    Float32 = ("Float32", "float32")
    Float16 = ("Float16", "float16")
    Int8 = ("Int8", "int8")
    Int16 = ("Int16", "int16")
    Int32 = ("Int32", "int32")
    Int64 = ("Int64", "int64")
    UInt8 = ("UInt8", "uint8")
    UInt16 = ("UInt16", "uint16")
    UInt32 = ("UInt32", "uint32")
    Bool8 = ("Bool8", "bool")
    QUInt8 = ("QUInt8", "uint8")
    QInt8 = ("QInt8", "int8")
    QUInt16 = ("QUInt16", "uint16")
    QInt16 = ("QInt16", "int16")
    QInt32 = ("QInt32", "int32")
    Float64 = ("Float64", "float64")
    BFloat16 = ("BFloat16", "bfloat16")
    Float8E4M3FN = ("Float8E4M3FN", "float8_e4m3fn")
    Float8E4M3FNUZ = ("Float8E4M3FNUZ", "float8_e4m3fnuz")
    Float8E5M2 = ("Float8E5M2", "float8_e5m2")
    Float8E5M2FNUZ = ("Float8E5M2FNUZ", "float8_e5m2fnuz")
    Float8E8M0FNU = ("Float8E8M0FNU", "float8_e8m0fnu")
    Float6E2M3FN = ("Float6E2M3FN", "float6_e2m3fn")
    Float6E3M2FN = ("Float6E3M2FN", "float6_e3m2fn")
    Float4E2M1FN = ("Float4E2M1FN", "float4_e2m1fn")
    UInt64 = ("UInt64", "uint64")
    Int4 = ("Int4", "int4")
    UInt4 = ("UInt4", "uint4")
    Int2 = ("Int2", "int2")
    UInt2 = ("UInt2", "uint2")

    @cached_property
    def storage(self) -> np.dtype[np.generic]:
        """The numpy dtype that one element is stored as."""
        if not self.extends_numpy:
            return np.dtype(self.value[1])
        import ml_dtypes

        storage: np.dtype[np.generic] = np.dtype(getattr(ml_dtypes, self.value[1]))
        return storage

    @property
    def extends_numpy(self) -> bool:
        """A type that numpy has with the package ml_dtypes alone."""
        return not hasattr(np, self.value[1])

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.storage.itemsize

    @property
    def is_float(self) -> bool:
        """A plain (not quantised) float of any size."""
        return self.name.startswith(("Float", "BFloat"))

    @property
    def is_quantized(self) -> bool:
        """One of the Q types."""
        return self.name.startswith("Q")

    @property
    def is_integer(self) -> bool:
        """A plain (not quantised, not bool) integer."""
        return not (self.is_float or self.is_quantized or self is DType.Bool8)

    @property
    def on_htp(self) -> bool:
        """A type that tensors below the graph level may have."""
        return self not in INSTEAD


INSTEAD: dict[DType, DType] = {
    DType.Float64: DType.Float32,
    DType.BFloat16: DType.Float16,
    DType.Float8E4M3FN: DType.Float16,
    DType.Float8E4M3FNUZ: DType.Float16,
    DType.Float8E5M2: DType.Float16,
    DType.Float8E5M2FNUZ: DType.Float16,
    DType.Float8E8M0FNU: DType.Float32,
    DType.Float6E2M3FN: DType.Float16,
    DType.Float6E3M2FN: DType.Float16,
    DType.Float4E2M1FN: DType.Float16,
    DType.UInt64: DType.Int64,
    DType.Int4: DType.Int8,
    DType.UInt4: DType.UInt8,
    DType.Int2: DType.Int8,
    DType.UInt2: DType.UInt8,
}
"""The types that no tensor on HTP has, and the nearest one that does."""

HTP_DTYPES = tuple(dtype for dtype in DType if dtype.on_htp)
"""The element types of HTP's tensors."""


def integer_bounds(dtype: np.dtype[np.generic]) -> tuple[int, int]:
    """The smallest and the largest value of an integer dtype, one of less than a byte too."""
    bits = int(dtype.name.lstrip("uint"))
    if dtype.name.startswith("u"):
        return 0, 2**bits - 1
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


@dataclass(frozen=True)
class Quant:
    """The map from stored integers to reals: real = (stored - zero_point) * scale.

    One scale and zero point for the whole tensor (`axis` None), or one pair per index of `axis`.
    `low` and `high` bound the stored values; None means the whole range of the storage type.
    """

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None = None
    low: int | None = None
    high: int | None = None

    @property
    def scale(self) -> float:
        """The per-tensor scale (the first one of a per-axis encoding)."""
        return self.scales[0]

    @property
    def zero_point(self) -> int:
        """The per-tensor zero point (the first one of a per-axis encoding)."""
        return self.zero_points[0]


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


Bytes = NDArray[np.uint8]

CODES_IN_A_BYTE = {256: 1, 16: 2, 4: 4}
"""The codes in a byte, by the entries of the table that they point into."""


def packed(codes: Bytes, count: int) -> Bytes:
    """Codes [..., m] as bytes [..., m / count]."""
    parts = codes.reshape(*codes.shape[:-1], -1, count) << _shifts(count)
    joined: Bytes = np.bitwise_or.reduce(parts, axis=-1)
    return joined


def unpacked(stored: Bytes, count: int) -> Bytes:
    """Bytes [..., m] as codes [..., m * count]."""
    parts = (stored[..., None] >> _shifts(count)) & np.uint8((1 << 8 // count) - 1)
    return parts.reshape(*stored.shape[:-1], stored.shape[-1] * count)


def _shifts(count: int) -> Bytes:
    return np.arange(0, 8, 8 // count, dtype=np.uint8)

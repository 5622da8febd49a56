"""Element types as value objects: dtype, quantisation, and how each is stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np


class DType(Enum):
    """An element type: its name in rule text, how it is stored, and what kind it is."""

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

    @property
    def storage(self) -> np.dtype[np.generic]:
        """The numpy dtype that one element is stored as."""
        return np.dtype(self.value[1])

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.storage.itemsize

    @property
    def is_float(self) -> bool:
        """Float32 or Float16."""
        return self in (DType.Float32, DType.Float16)

    @property
    def is_quantized(self) -> bool:
        """One of the Q types."""
        return self.name.startswith("Q")

    @property
    def is_integer(self) -> bool:
        """A plain (not quantised, not bool) integer."""
        return not (self.is_float or self.is_quantized or self is DType.Bool8)


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

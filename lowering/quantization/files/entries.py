"""The numbers of one encoding in a file, checked, and the grid that they describe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ....dialects.value.dtypes import DType, Quant
from ..encodings import Encoding, levels

GRIDS = {
    (8, False): DType.QUInt8,
    (16, False): DType.QUInt16,
    (8, True): DType.QInt8,
    (16, True): DType.QInt16,
    (32, True): DType.QInt32,
}
"""The dtype by bits and symmetry."""
BITS = {dtype: bits for (bits, _), dtype in GRIDS.items()}
"""The bits of each dtype."""
UNSIGNED = frozenset({DType.QUInt8, DType.QUInt16})
"""The dtypes whose offset is minus the zero point."""
FLOATS = {16: DType.Float16, 32: DType.Float32}
"""The floats by bits."""
FLOAT_BITS = {dtype: bits for bits, dtype in FLOATS.items()}
"""The bits of each float."""

_LARGEST = float(np.finfo(np.float32).max)


class BadEntry(Exception):
    """An entry cannot be read: the problem, and what to do."""


def as_dict(entry: object) -> Mapping[str, object]:
    """Return an entry that is a dictionary."""
    if not isinstance(entry, dict):
        raise BadEntry("is no dictionary", "write its properties by name")
    return entry


def float_of(bits: int) -> Encoding:
    """Return the float encoding of this width."""
    if bits not in FLOATS:
        raise BadEntry(f"is a float of {bits} bits", "a float has 16 or 32")
    return Encoding(FLOATS[bits])


def integer(value: object, name: str) -> int:
    """Return a number that is whole."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1 != 0:
        raise BadEntry(f"its {name} is {str(value)[:40]}, no whole number", f"give the {name}")
    return int(value)


def real(value: object, name: str) -> float:
    """Return a number that is finite in f32."""
    problem = f"its {name} is {str(value)[:40]}, no finite number"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadEntry(problem, f"give the {name}")
    if not abs(value) <= _LARGEST:
        raise BadEntry(problem, f"give the {name}")
    return float(value)


def truth(value: object, name: str) -> bool:
    """Return a truth value, which some tools write as a word."""
    words = {"true": True, "false": False}
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in words:
        raise BadEntry(f"its {name} is {str(value)[:40]}", "give true or false")
    return words[value.lower()]


def on_grid(
    dtype: DType, scales: Sequence[float], offsets: Sequence[int], per_axis: bool
) -> Encoding:
    """Return the encoding of a grid; its axis is that of the channels of whatever it encodes."""
    if not scales or len(scales) != len(offsets):
        counts = f"{len(scales)} scales and {len(offsets)} offsets"
        raise BadEntry(f"has {counts}", "give one of each, or one of each for every channel")
    rounded = tuple(float(np.float32(scale)) for scale in scales)
    if bad := [scale for scale in rounded if scale <= 0]:
        raise BadEntry(f"its scale is {bad[0]:g}", "a scale is above 0")
    zeros = tuple(_zeros(dtype, offsets))
    return Encoding(dtype, Quant(rounded, zeros, 0 if per_axis else None))


def grid_dtype(bits: int, is_symmetric: bool) -> DType:
    """Return the dtype of this width."""
    if (bits, is_symmetric) not in GRIDS:
        raise BadEntry(f"has {bits} bits", "an integer has 8, 16 or, where symmetric, 32")
    return GRIDS[bits, is_symmetric]


def _zeros(dtype: DType, offsets: Sequence[int]) -> Iterator[int]:
    """Yield the zero point of each offset."""
    is_symmetric, last = Encoding(dtype).is_symmetric, -levels(dtype)
    middle = last // 2
    for offset in offsets:
        if is_symmetric and offset not in (0, middle):
            remedy = f"where symmetric it is 0 or {middle}"
            raise BadEntry(f"its offset is {offset}", remedy)
        if not is_symmetric and not last <= offset <= 0:
            remedy = f"it is from {last} to 0: minus the zero point"
            raise BadEntry(f"its offset is {offset}", remedy)
        yield 0 if is_symmetric else -offset


def offset_of(encoding: Encoding, zero_point: int) -> int:
    """Return the offset that represents a zero point in a file."""
    return -(1 << BITS[encoding.dtype] - 1) if encoding.is_symmetric else -zero_point

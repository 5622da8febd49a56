"""Entries of files of encodings: the grids that they may state, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....dialects.value import DType, Quant
from .encoding import Blocks, Encoding

_DTYPES = {
    **dict.fromkeys(((2, False), (4, False), (8, False)), DType.QUInt8),
    **dict.fromkeys(((2, True), (4, True), (8, True)), DType.QInt8),
    **{(16, False): DType.QUInt16, (16, True): DType.QInt16, (32, True): DType.QInt32},
}
FLOATS = {16: DType.Float16, 32: DType.Float32}
"""The floats by bits."""
FLOAT_BITS = {dtype: bits for bits, dtype in FLOATS.items()}
"""The bits of each float."""

_LARGEST = float(np.finfo(np.float32).max)


class BadEntry(Exception):
    """An entry cannot be read: the problem, and what to do."""


@dataclass(frozen=True)
class Grid:
    """The stored integers of an encoding: their bits, and whether they are signed.

    BadEntry where there is no dtype of this width.
    """

    bits: int
    signed: bool

    @classmethod
    def of(cls, encoding: Encoding) -> Grid:
        """Return the grid of an encoding; of fewer bits than its dtype where that is bounded."""
        bits, quant = 8 * encoding.dtype.itemsize, encoding.quant
        if quant is not None and quant.low is not None and quant.high is not None:
            bits = (quant.high - quant.low).bit_length()
        return cls(bits, encoding.is_symmetric)

    def __post_init__(self) -> None:
        if (self.bits, self.signed) not in _DTYPES:
            remedy = "an integer has 2, 4, 8, 16 or, where symmetric, 32"
            raise BadEntry(f"has {self.bits} bits", remedy)

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return _DTYPES[self.bits, self.signed]

    @property
    def steps(self) -> int:
        """The number of steps: one less than that of the integers."""
        return int(2**self.bits - 1)

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest integer."""
        low = -(1 << self.bits - 1) if self.signed else 0
        return low, low + self.steps

    def encoding(
        self,
        scales: Sequence[float],
        zeros: Sequence[int],
        axis: int | None,
        blocks: Blocks | None = None,
    ) -> Encoding:
        """Return the encoding of this grid; BadEntry for scales that are not above 0."""
        if not scales or len(scales) != len(zeros):
            counts = f"{len(scales)} scales and {len(zeros)} offsets"
            raise BadEntry(f"has {counts}", "give one of each, or one of each for every channel")
        with np.errstate(over="ignore"):
            rounded = tuple(float(np.float32(scale)) for scale in scales)
        if bad := [scale for scale in rounded if not 0 < scale <= _LARGEST]:
            raise BadEntry(f"its scale is {bad[0]:g}", "a scale is above 0")
        narrow = self.bits < 8 * self.dtype.itemsize
        low, high = self.bounds if narrow else (None, None)
        return Encoding(self.dtype, Quant(rounded, tuple(zeros), axis, low, high), blocks)

    def zeros(self, offsets: Sequence[int]) -> Iterator[int]:
        """Yield the zero point of each offset."""
        middle = -(1 << self.bits - 1)
        for offset in offsets:
            if self.signed and offset not in (0, middle):
                raise BadEntry(f"its offset is {offset}", f"where symmetric it is 0 or {middle}")
            if not self.signed and not -self.steps <= offset <= 0:
                remedy = f"it is from {-self.steps} to 0: minus the zero point"
                raise BadEntry(f"its offset is {offset}", remedy)
            yield 0 if self.signed else -offset

    def offset(self, zero_point: int) -> int:
        """Return the offset that represents a zero point in a file."""
        return -(1 << self.bits - 1) if self.signed else -zero_point

    def with_offsets(self, zero_points: Sequence[int]) -> tuple[Grid, list[int]]:
        """Return the grid of a file whose signed ones are symmetric, and its offsets.

        Example: signed bytes about -5 are unsigned ones about 123.
        """
        grid, shift = self, 0
        if self.signed and any(zero_points):
            grid, shift = Grid(self.bits, False), self.bounds[0]
        return grid, [grid.offset(zero - shift) for zero in zero_points]


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
    huge = isinstance(value, int) and abs(value) >= 2**63
    if isinstance(value, bool) or not isinstance(value, int | float) or huge or value % 1 != 0:
        raise BadEntry(f"its {name} is {str(value)[:40]}, no whole number", f"give the {name}")
    return int(value)


def size_of_block(value: object) -> int:
    """Return a number of neighbours that have one scale."""
    size = integer(value, "block_size")
    if size < 1:
        raise BadEntry(f"its block_size is {size}", "a block has 1 number or more")
    return size


def real(value: object, name: str) -> float:
    """Return a number that is finite in f32."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        raise BadEntry(f"its {name} is {str(value)[:40]}, no finite number", f"give the {name}")
    return float(value)


def truth(value: object, name: str) -> bool:
    """Return a truth value, which some tools write as a word."""
    words = {"true": True, "false": False}
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in words:
        raise BadEntry(f"its {name} is {str(value)[:40]}", "give true or false")
    return words[value.lower()]


def listed_names(section: object) -> Iterator[tuple[str, object]]:
    """Yield name and entry of each tensor of a list; a section that is absent has none."""
    if section is not None and not isinstance(section, list):
        raise BadEntry("is no list of encodings", "write it as version 1.0.0 does")
    for index, entry in enumerate(section or ()):
        name = entry.get("name") if isinstance(entry, dict) else None
        yield name if isinstance(name, str) else f"number {index}", entry


def named(entry: object) -> Mapping[str, object]:
    """Return an entry of a list, which has a name."""
    properties = as_dict(entry)
    if not isinstance(properties.get("name"), str):
        raise BadEntry("has no name", "give the tensor's")
    return properties

"""Entries of files of encodings: the grids that they may state, and what is refused.

Versions 2.0.0 and 2.1.0 are named after ONNX's QuantizeLinear: real = (q - y_zero_point) * y_scale.
A list of scales lies along `axis`; with `block_size` each is that of a block along it. A scale may
be an integer by block times a float by channel: 2.0.0 has both by name, 2.1.0 a y_scale
{x, x_scale, axis, block_size}. Source: AIMET's documentation, Encoding Format Specification.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


_INTEGER = re.compile(r"(u?)int(\d{1,2})")
_FLOAT = re.compile(r"float(16|32)")
_DOUBLE = ("per_block_int_scale", "per_channel_float_scale")


def read_qdq(entry: object) -> Encoding:
    """Return the encoding of a tensor."""
    properties = named(entry)
    dtype = properties.get("output_dtype")
    kind = _INTEGER.fullmatch(str(dtype))
    if not kind:
        if (floats := _FLOAT.fullmatch(str(dtype))) and "y_scale" not in properties:
            return float_of(int(floats[1]))
        known = "known are int2 to int32, uint2 to uint16, and float16, float32 without a scale"
        raise BadEntry(f"its output_dtype is {str(dtype)[:40]}", known)
    grid, axis = Grid(int(kind[2]), not kind[1]), properties.get("axis")
    at = None if axis is None else integer(axis, "axis")
    scales, ints, steps = _scales(properties, at)
    zeros = _zeros(properties.get("y_zero_point"), scales.shape, grid)
    size = properties.get("block_size")
    if scales.ndim > (0 if at is None else 1 if size is None else 8):
        raise BadEntry(f"its y_scale has {scales.ndim} dims", "give its axis, and a block_size")
    flat = [real(each, "y_scale") for each in scales.reshape(-1).tolist()]
    if size is None or at is None:
        return grid.encoding(flat, zeros, at if scales.ndim else None)
    if not -scales.ndim <= at < scales.ndim:
        raise BadEntry(f"its axis is {at}, y_scale has {scales.ndim} dims", "name one of them")
    blocks = Blocks(at % scales.ndim, size_of_block(size), scales.shape, ints, steps)
    return grid.encoding(flat, zeros, None, blocks)


_Scales = tuple[NDArray[np.float64], tuple[int, ...], tuple[float, ...]]


def _scales(properties: Mapping[str, object], axis: int | None) -> _Scales:
    """Return all scales and, where each is a product, its integers and the floats by channel."""
    scale = properties.get("y_scale")
    if _DOUBLE[0] in properties:
        ints, floats = (_array(properties.get(name), name) for name in _DOUBLE)
    elif isinstance(scale, dict):
        ints, floats = _array(scale.get("x"), "x"), _array(scale.get("x_scale"), "x_scale")
        ints = ints - _array(scale.get("x_zero_point", 0), "x_zero_point")
        if scale.get("block_size") is not None:
            floats = _of_blocks(floats, scale, ints.shape)
        elif floats.ndim == 1 and ints.ndim > 1:
            at = integer(scale.get("axis"), "axis of y_scale")
            dims = range(ints.ndim)
            shape = [floats.size if dim in (at, at + ints.ndim) else 1 for dim in dims]
            if floats.size != np.prod(shape):
                raise BadEntry(f"its y_scale has the axis {at}", "name a dim of x")
            floats = floats.reshape(shape)
    else:
        return _array(scale, "y_scale"), (), ()
    if (ints % 1).any() or (ints < 1).any():
        raise BadEntry("has a scale of a block that is no whole number above 0", "give integers")
    # One float for each channel: along the dim of the blocks there is one place.
    own = () if axis is None else (axis, axis + ints.ndim)
    along = axis is not None and axis in range(-ints.ndim, ints.ndim)
    if along and floats.size and floats.shape == ints.shape:
        if (floats != floats.take([0], axis)).any():
            return ints * floats, (), ()
        floats = floats.take([0], axis)
    try:
        channels = [1 if dim in own else extent for dim, extent in enumerate(ints.shape)]
        steps = np.broadcast_to(floats, channels)
    except ValueError as error:
        problem = "has scales of blocks and of channels that differ"
        raise BadEntry(problem, "give one each") from error
    whole = tuple(map(int, ints.reshape(-1).tolist()))
    return ints * steps, whole, tuple(steps.reshape(-1).tolist())


def _of_blocks(
    floats: NDArray[np.float64], scale: Mapping[str, object], shape: tuple[int, ...]
) -> NDArray[np.float64]:
    """Return the x_scale of each x, where each is that of a block along an axis."""
    size = size_of_block(scale.get("block_size"))
    axis = integer(scale.get("axis"), "axis of y_scale")
    if not -len(shape) <= axis < len(shape):
        raise BadEntry(f"its y_scale has the axis {axis}", "name a dim of x")
    wanted = [*shape]
    wanted[axis] = -(-shape[axis] // size)
    if floats.shape != tuple(wanted):
        problem = f"its x_scale is {'x'.join(map(str, floats.shape)) or 'one number'}"
        raise BadEntry(problem, f"x has {'x'.join(map(str, wanted))} blocks: give one for each")
    return floats.take(np.arange(shape[axis]) // size, axis)


def _zeros(value: object, shape: tuple[int, ...], grid: Grid) -> list[int]:
    """Return the zero points, as many as scales; they are 0 where absent."""
    zeros = _array(0 if value is None else value, "y_zero_point")
    if zeros.shape not in ((), shape):
        raise BadEntry("has other zero points than scales", "give one for each scale")
    low, high = grid.bounds
    for zero in zeros.reshape(-1).tolist():
        if zero % 1 or not low <= zero <= high:
            raise BadEntry(
                f"its y_zero_point is {zero:g}", f"it is a whole number from {low} to {high}"
            )
    return [int(zero) for zero in np.broadcast_to(zeros, shape).reshape(-1).tolist()]


def _array(value: object, name: str) -> NDArray[np.float64]:
    """Return a number or nested lists of them."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
            raise ValueError
    except (ValueError, TypeError, RecursionError) as error:
        raise BadEntry(f"its {name} holds what is not a number", f"give the {name}") from error
    return array.astype(np.float64)


def write_qdq(encoding: Encoding, *, nested: bool) -> Mapping[str, object]:
    """Return the entry of a tensor; scales that are products are `nested` from 2.1.0 on."""
    quant, blocks = encoding.quant, encoding.blocks
    if quant is None:
        return {"output_dtype": f"float{FLOAT_BITS[encoding.dtype]}"}
    grid = Grid.of(encoding)
    entry: dict[str, object] = {"output_dtype": f"{'' if grid.signed else 'u'}int{grid.bits}"}
    shape: tuple[int, ...] = () if blocks is None and quant.axis is None else (len(quant.scales),)
    if blocks is not None:
        shape = blocks.shape or shape
        if len(shape) < 2:
            raise BadEntry(
                "does not say how its blocks lie", "give the model, or write version 1.0.0"
            )
        entry |= {"axis": blocks.axis, "block_size": blocks.size}
    elif quant.axis is not None:
        entry |= {"axis": quant.axis}
    if any(quant.zero_points):
        entry["y_zero_point"] = _laid(quant.zero_points, shape)
    if blocks is None or not blocks.factors:
        return {**entry, "y_scale": _laid(quant.scales, shape)}
    ints = _laid(blocks.factors, shape)
    along = [1 if dim == blocks.axis else extent for dim, extent in enumerate(shape)]
    if not nested:
        return {**entry, _DOUBLE[0]: ints, _DOUBLE[1]: _laid(blocks.steps, along)}
    # The channels are the dim beside that of the blocks which has more than one place.
    others = [dim for dim, extent in enumerate(along) if extent > 1] or [0]
    return {**entry, "y_scale": {"x": ints, "x_scale": list(blocks.steps), "axis": others[0]}}


def _laid(values: Any, shape: Any) -> object:
    return np.asarray(values).reshape(shape).tolist()

"""Encodings of tensors as value objects: the grid that a tensor is rounded to, or its float."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from xdsl.ir import Attribute

from ....dialects.diagnostics import fail, listed
from ....dialects.faults.arguments import a
from ....dialects.spec_of import element_type
from ....dialects.value import DType, Quant

ACTIVATIONS = {"u8": DType.QUInt8, "u16": DType.QUInt16, "i8": DType.QInt8, "i16": DType.QInt16}
"""The dtypes that activations may be quantised to; signed ones are symmetric."""

_LEAST_STEP = float(np.finfo(np.float32).tiny)
"""The smallest scale: below it f32 loses precision."""
_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Blocks:
    """The blocks along one dim of a constant that have a scale each, in row-major order.

    `shape` is that of the scales, with as many places along `axis` as there are blocks of `size`;
    empty for channels by blocks. Where a scale is a product, `factors` are integers by block and
    `steps` floats by channel.
    """

    axis: int
    size: int
    shape: tuple[int, ...]
    factors: tuple[int, ...] = ()
    steps: tuple[float, ...] = ()

    def by_channel(self, values: Sequence[float]) -> list[float]:
        """Return the values of blocks with those of a channel behind one another."""
        laid: list[float] = np.asarray(values).tolist()
        if self.shape:
            laid = np.moveaxis(np.reshape(values, self.shape), self.axis, -1).ravel().tolist()
        return laid


@dataclass(frozen=True)
class Encoding:
    """The dtype of a tensor and, where that is quantised, its scales and zero points.

    With `blocks` the scales are those of blocks, which no tensor of the IR has.
    """

    dtype: DType
    quant: Quant | None = None
    blocks: Blocks | None = None

    @property
    def element(self) -> Attribute:
        """The IR's element type."""
        return element_type(self.dtype, self.quant)

    @property
    def is_symmetric(self) -> bool:
        """True where the stored integers are signed and 0 represents the real number 0."""
        return self.dtype.storage.kind == "i"

    def laid(self, count: int, rank: int, turned: bool) -> Encoding:
        """Return the encoding of weights in ONNX's order, with `count` blocks in each channel.

        The channels are the first dim, or where `turned` the second.
        """
        quant, blocks = self.quant, self.blocks
        if quant is None or blocks is None:
            return self

        def order(values: Sequence[Any]) -> tuple[Any, ...]:
            rows = np.reshape(values, (-1, count))
            return tuple((rows.T if turned else rows).ravel().tolist())

        channels = len(quant.scales) // count
        ends = (count, channels) if turned else (channels, count)
        shape = (*ends, *[1] * (rank - 2))
        scales, zeros, factors = map(order, (quant.scales, quant.zero_points, blocks.factors))
        blocks = replace(blocks, axis=int(not turned), shape=shape, factors=factors)
        return replace(self, quant=replace(quant, scales=scales, zero_points=zeros), blocks=blocks)


@dataclass(frozen=True)
class Encodings:
    """The encodings of a graph by tensor name: those of activations and those of constants."""

    activations: Mapping[str, Encoding] = field(default_factory=dict)
    params: Mapping[str, Encoding] = field(default_factory=dict)


ENCODINGS = a("encodings", Encodings, remedy="give those of calibrate or read_encodings")
"""The kind of an argument that is the encodings of a graph."""


def activation_dtype(name: str) -> DType:
    """Return the dtype of this name in ACTIVATIONS; HtpError for one that is not there."""
    if name not in ACTIVATIONS:
        raise fail(f"activations in '{name}'", "are not known", listed(name, ACTIVATIONS))
    return ACTIVATIONS[name]


def levels(dtype: DType) -> int:
    """Return the number of steps of a grid: one less than its values."""
    return int(2 ** (8 * dtype.itemsize) - 1)


def grid(low: float, high: float, dtype: DType) -> Encoding:
    """Return the encoding of a range in real numbers; 0 is always one of its values.

    A signed dtype gets the symmetric grid of the end that is farther from 0.
    """
    low, high = min(low, 0.0), max(high, 0.0)
    if dtype.storage.kind == "i":
        return symmetric([max(-low, high)], dtype)
    scale = _scale(high - low, levels(dtype), levels(dtype))
    zero = min(max(round(-low / scale), 0), levels(dtype))
    return Encoding(dtype, Quant((scale,), (zero,)))


def reach(encoding: Encoding) -> float:
    """Return the largest absolute real number of a grid; 0 of a float."""
    if encoding.quant is None:
        return 0.0
    bounds = np.iinfo(encoding.dtype.storage.str)
    ends = (bounds.min - encoding.quant.zero_point, bounds.max - encoding.quant.zero_point)
    return max(map(abs, ends)) * encoding.quant.scale


def symmetric(limits: Sequence[float], dtype: DType, axis: int | None = None) -> Encoding:
    """Return the encoding whose largest stored value represents each limit; zero points are 0.

    One limit alone lies along no axis.
    """
    largest = levels(dtype) // 2
    scales = tuple(_scale(limit, largest, largest + 1) for limit in limits)
    return Encoding(dtype, Quant(scales, (0,) * len(scales), axis if len(scales) > 1 else None))


def _scale(width: float, steps: int, most: int) -> float:
    """Return the step of a range in f32, or 1 of a single point; `most` of them are finite."""
    scale = np.float32(max(width / steps, _LEAST_STEP))
    if width <= _LARGEST < float(scale) * most:
        scale = np.nextafter(np.float32(_LARGEST / most), np.float32(0))
    return float(scale) if width > 0 else 1.0

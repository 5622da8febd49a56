"""Form 0.6.1 of a file of encodings: a map from tensor name to a list, an entry per channel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....dialects.value.dtypes import DType
from ..encodings import Encoding, levels
from .entries import (
    BITS,
    FLOAT_BITS,
    UNSIGNED,
    BadEntry,
    as_dict,
    float_of,
    grid_dtype,
    integer,
    offset_of,
    on_grid,
    real,
    truth,
)


def entries(section: object) -> Iterator[tuple[str, object]]:
    """Yield name and entry of each tensor; a section that is absent has none."""
    if section is not None and not isinstance(section, dict):
        raise BadEntry("is no map from names to encodings", "write it as version 0.6.1 does")
    yield from (section or {}).items()


def read(entry: object) -> Encoding:
    """Return the encoding of a tensor."""
    if not isinstance(entry, list) or not entry:
        raise BadEntry("is no list of encodings", "write one, or one for each channel")
    channels = [as_dict(channel) for channel in entry]
    kinds = {
        (channel.get("dtype", "int"), integer(channel.get("bitwidth"), "bitwidth"))
        for channel in channels
    }
    if len(kinds) > 1:
        raise BadEntry("has channels of several dtypes or bit widths", "give all the same")
    ((dtype, bits),) = kinds
    if dtype == "float":
        return float_of(bits)
    if dtype != "int":
        raise BadEntry(f"its dtype is {str(dtype)[:40]}", "it is int or float")
    symmetric = {truth(each.get("is_symmetric", False), "is_symmetric") for each in channels}
    if len(symmetric) > 1:
        raise BadEntry("has symmetric channels and others", "give all the same")
    grid = grid_dtype(bits, symmetric.pop())
    scales, offsets = zip(*(_grid(channel, grid) for channel in channels), strict=True)
    return on_grid(grid, scales, offsets, per_axis=len(channels) > 1)


def _grid(channel: Mapping[str, object], dtype: DType) -> tuple[float, int]:
    """Return scale and offset, from the range where they are absent; they agree within a step."""
    steps, ends = levels(dtype), None
    if "min" in channel or "max" in channel:
        ends = real(channel.get("min"), "min"), real(channel.get("max"), "max")
        if not ends[0] < ends[1]:
            raise BadEntry(f"its range is {ends[0]:g} to {ends[1]:g}", "max is above min")
    if "scale" not in channel and ends:
        scale = (ends[1] - ends[0]) / steps
        return scale, round(ends[0] / scale)
    scale, offset = real(channel.get("scale"), "scale"), integer(channel.get("offset"), "offset")
    if ends and scale > 0:
        # Of a symmetric grid an offset of 0 is the zero point, and says nothing of the ends.
        off = abs(ends[0] - scale * offset) if offset or dtype in UNSIGNED else 0.0
        if max(off, abs(ends[1] - ends[0] - steps * scale)) > scale:
            problem = f"its range {ends[0]:g} to {ends[1]:g} is not that of its scale and offset"
            raise BadEntry(problem, "leave the range out, or scale and offset")
    return scale, offset


def write(encodings: Mapping[str, Encoding]) -> object:
    """Return a section."""
    return {name: list(_channels(encoding)) for name, encoding in encodings.items()}


def _channels(encoding: Encoding) -> Iterator[dict[str, object]]:
    if encoding.quant is None:
        yield {"bitwidth": FLOAT_BITS[encoding.dtype], "dtype": "float"}
        return
    for scale, zero in zip(encoding.quant.scales, encoding.quant.zero_points, strict=True):
        offset = offset_of(encoding, zero)
        yield {
            "bitwidth": BITS[encoding.dtype],
            "dtype": "int",
            "is_symmetric": str(encoding.is_symmetric),
            "min": scale * offset,
            "max": scale * (offset + levels(encoding.dtype)),
            "scale": scale,
            "offset": offset,
        }

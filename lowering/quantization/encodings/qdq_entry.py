"""Entries of encodings of versions 2.0.0 and 2.1.0, which are named after ONNX's QuantizeLinear.

real = (q - y_zero_point) * y_scale. A list of scales lies along `axis`; with `block_size` each is
that of a block along it. A scale may be an integer by block times a float by channel: 2.0.0 has
both by name, 2.1.0 a y_scale {x, x_scale, axis}.
Source: AIMET's documentation, Encoding Format Specification.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .encoding import Blocks, Encoding
from .entry import FLOAT_BITS, BadEntry, Grid, float_of, integer, named, real, size_of_block

_INTEGER = re.compile(r"(u?)int(\d{1,2})")
_FLOAT = re.compile(r"float(16|32)")
_DOUBLE = ("per_block_int_scale", "per_channel_float_scale")


def read(entry: object) -> Encoding:
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
            raise BadEntry("its y_scale has blocks itself", "give one x_scale for each channel")
        if floats.ndim == 1 and ints.ndim > 1:
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
    try:
        # One float for each channel: along the dim of the blocks there is one place.
        own = () if axis is None else (axis, axis + ints.ndim)
        channels = [1 if dim in own else extent for dim, extent in enumerate(ints.shape)]
        steps = np.broadcast_to(floats, channels)
    except ValueError as error:
        problem = "has scales of blocks and of channels that differ"
        raise BadEntry(problem, "give one each") from error
    whole = tuple(map(int, ints.reshape(-1).tolist()))
    return ints * steps, whole, tuple(steps.reshape(-1).tolist())


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


def write(encoding: Encoding, *, nested: bool) -> Mapping[str, object]:
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
            raise BadEntry("does not say how its blocks lie", "write version 1.0.0")
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

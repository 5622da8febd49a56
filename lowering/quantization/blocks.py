"""Constants on the grids of blocks, which no tensor of the IR has.

Such a constant is rounded once. Where its scales are whole multiples of one by channel, it is then
exactly on a grid by channel of 8 or 16 bits, and gets that encoding; else it stays in floats.
Example: 4 bits times 3 steps of 0.5 is 8 bits in steps of 0.5.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.dense import Array, dense_of
from ...dialects.diagnostics import Fault
from ...dialects.qti_aisw.ops.const import ConstOp
from ...dialects.spec_of import spec_of
from ...dialects.value import DType, Quant
from .encodings import Encoding, Encodings

_ALONG = {(4, 3): 2, (2, 0): 1, (2, 1): 0}
"""The dim of blocks in weights, by rank and the dim of channels: filters, rows, and columns."""


def round_to_blocks(encodings: Encodings, names: Mapping[SSAValue, str]) -> Encodings:
    """Round the constants of a graph that have scales of blocks; return encodings without any."""
    params = dict(encodings.params)
    for value, name in names.items():
        encoding, op = params.get(name), value.owner
        if encoding is not None and encoding.blocks is not None and isinstance(op, ConstOp):
            array, params[name] = _rounded(op.array, encoding)
            op.properties["value"] = dense_of(array, spec_of(value))
    return replace(encodings, params=params)


def blocks_fault(name: str, encoding: Encoding, value: SSAValue) -> Fault | None:
    """Return what keeps scales of blocks from going with a tensor."""
    where = f"encoding '{name}'"
    if not isinstance(value.owner, ConstOp):
        return Fault(where, "has scales of blocks, its tensor is no constant", "give one scale")
    try:
        _scales(value.owner.array, encoding)
    except ValueError:
        shape = list(spec_of(value).shape)
        problem = f"its {len(encoding.quant.scales if encoding.quant else ())} blocks"
        return Fault(where, f"{problem} do not divide the weights {shape}", "give one a block")
    return None


def _scales(array: Array, encoding: Encoding) -> tuple[Array, Array, int, int]:
    """Return scales and zero points as large as the array, and its dims of channels and blocks.

    ValueError where the blocks do not divide it.
    """
    quant, blocks = encoding.quant, encoding.blocks
    if quant is None or blocks is None or array.ndim < 2:
        raise ValueError
    rank = len(blocks.shape)
    others = [dim for dim in range(rank) if dim != blocks.axis and blocks.shape[dim] > 1]
    channels, along = (others or [1 - blocks.axis])[0], blocks.axis
    if quant.axis is not None:
        if (array.ndim, quant.axis) not in _ALONG:
            raise ValueError
        channels, along = quant.axis, _ALONG[array.ndim, quant.axis]
    count = -(-array.shape[along] // max(blocks.size, 1))
    spread = []
    for numbers in (quant.scales, quant.zero_points):
        laid = np.asarray(numbers, np.float64)
        if blocks.shape:
            laid = np.moveaxis(laid.reshape(blocks.shape), blocks.axis, -1)
        laid = laid.reshape(array.shape[channels], count)
        wide = np.repeat(laid, blocks.size, 1)[:, : array.shape[along]]
        wide = wide if channels < along else wide.T
        dims = [n if dim in (channels, along) else 1 for dim, n in enumerate(array.shape)]
        spread.append(wide.reshape(dims))
    return spread[0], spread[1], channels, along


def _rounded(array: Array, encoding: Encoding) -> tuple[Array, Encoding]:
    """Return the reals of a constant on its grid, and the encoding that they fit exactly."""
    scales, zeros, channels, _ = _scales(array, encoding)
    quant, blocks = encoding.quant, encoding.blocks
    if quant is None or blocks is None:
        raise ValueError("there are no blocks")
    bounds = np.iinfo(encoding.dtype.storage.str)
    low = bounds.min if quant.low is None else quant.low
    high = bounds.max if quant.high is None else quant.high
    stored = np.clip(np.rint(array / scales) + zeros, low, high) - zeros
    reals = (stored * scales).astype(np.float32)
    most = max(blocks.factors, default=0) * int(np.abs(stored).max(initial=0))
    for dtype in (DType.QInt8, DType.QInt16):
        if blocks.factors and most <= np.iinfo(dtype.storage.str).max:
            steps = tuple(float(np.float32(step)) for step in blocks.steps)
            return reals, Encoding(dtype, Quant(steps, (0,) * len(steps), channels))
    return reals, Encoding(DType.Float32)

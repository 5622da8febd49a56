"""Weights in blocks of few bits, each with its scale, as ONNX Runtime keeps language models."""

from __future__ import annotations

import numpy as np

from ......dialects.dense import Array
from ......dialects.value.codes import unpacked
from .....importers.support.faults import require
from .....importers.support.registry import BLOCK_OPS
from ..builder import Inner
from .call import NodeCall, OpSignature


def _matmul(call: NodeCall) -> Inner:
    """A times the weights: codes where A is f32 and blocks fill the rows, else constants."""
    columns, size = call.get("K", int), call.get("block_size", int)
    stored, table, scales, zeros = _codes(call)
    coded = [stored, table, scales, zeros.astype(np.uint8) & np.uint8(len(table) - 1)]
    whole = bool((coded[3] == zeros).all()) and columns % size == 0
    if whole and call.data("scales").dtype == np.float32:
        operands = [*map(call.const, coded)]
        (weights,) = call.emit("DecodeWeights", operands, 1, {}, domain=BLOCK_OPS)
        turned = weights.transpose(1, 0)
    else:
        # A zero point that is not a code is taken off behind: codes have none.
        real = table[unpacked(stored, 8 // call.get("bits", int))]
        parts = (real.reshape(*scales.shape, size) - zeros[..., None]) * scales[..., None]
        constant = call.const(parts.reshape(len(real), -1)[:, :columns].T)
        turned = constant.op("CastLike", call["A"])
    return call["A"].op("MatMul", turned).plus(call.optional("bias"))


def _codes(call: NodeCall) -> tuple[Array, Array, Array, Array]:
    """Return the operands of DecodeWeights, of N rows of whole blocks; zero points as floats."""
    rows, columns = call.get("N", int), call.get("K", int)
    bits, size = call.get("bits", int), call.get("block_size", int)
    require(bits in (2, 4, 8), f"attribute 'bits' is {bits}", "it may be 2, 4 or 8")
    fits = rows > 0 and columns > 0 and size >= 16 and size & (size - 1) == 0
    require(fits, f"{rows} rows of {columns} in blocks of {size} cannot be")
    blocks = -(-columns // size)
    stored, scales = call.data("B"), call.data("scales").astype(np.float32)
    fits = stored.size * 8 == rows * blocks * size * bits and scales.size == rows * blocks
    require(fits, "its weights or scales do not fit 'N', 'K' and 'block_size'")
    table = np.arange(1 << bits, dtype=np.float32)
    zeros = _zeros(call, rows, blocks, bits)
    return stored.reshape(rows, -1), table, scales.reshape(rows, blocks), zeros


def _zeros(call: NodeCall, rows: int, blocks: int, bits: int) -> Array:
    """Return the zero point of each block, by default the middle number of all."""
    if call.optional("zeros") is None:
        return np.full((1, 1), 1 << (bits - 1), np.float32)
    zeros = call.data("zeros")
    if zeros.dtype == np.uint8:
        zeros = unpacked(zeros.reshape(rows, -1), 8 // bits)
    require(zeros.size >= rows * blocks, "its zero points do not fit 'N' and 'K'")
    return zeros.reshape(rows, -1)[:, :blocks].astype(np.float32)


BLOCKWISE: dict[str, OpSignature] = {
    "MatMulNBits": OpSignature(
        "A B scales zeros? g_idx? bias?",
        _matmul,
        {"K": 0, "N": 0, "bits": 4, "block_size": 0, "accuracy_level": 0},
        {"weight_prepacked": 0},
    ),
}
"""Products with blockwise weights, by name."""

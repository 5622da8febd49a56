"""Weights in blocks of few bits, each with its scale, as ONNX Runtime keeps language models."""

from __future__ import annotations

import numpy as np

from ......dialects.dense import Array
from .call import Call, Signature


def _matmul(call: Call) -> list[str]:
    """A times the weights, which are constants of the element type of A."""
    weights = call.constant(_weights(call).T)
    product = call.emit("MatMul", call["A"], call.emit("CastLike", weights, call["A"]))
    return [call.plus(product, call["bias"])]


def _weights(call: Call) -> Array:
    """Return (stored - zero point) * scale, of N rows of K numbers."""
    rows, columns = call.get("N", int), call.get("K", int)
    bits, size = call.get("bits", int), call.get("block_size", int)
    call.require(bits in (2, 4, 8), f"attribute 'bits' is {bits}", "it may be 2, 4 or 8")
    fits = rows > 0 and columns > 0 and size >= 16 and size & (size - 1) == 0
    call.require(fits, f"{rows} rows of {columns} in blocks of {size} cannot be")
    blocks = -(-columns // size)
    stored, scales = call.data("B"), call.data("scales").astype(np.float32)
    fits = stored.size * 8 == rows * blocks * size * bits and scales.size == rows * blocks
    call.require(fits, "its weights or scales do not fit 'N', 'K' and 'block_size'")
    numbers = _unpacked(stored.reshape(rows * blocks, -1), bits).reshape(rows, blocks, size)
    real = (numbers - _zeros(call, rows, blocks, bits)) * scales.reshape(rows, blocks, 1)
    return real.reshape(rows, -1)[:, :columns].astype(np.float32)


def _zeros(call: Call, rows: int, blocks: int, bits: int) -> Array:
    """Return the zero point of each block, by default the middle number."""
    if not call["zeros"]:
        return np.full((1, 1, 1), 1 << (bits - 1), np.float32)
    zeros = call.data("zeros")
    if zeros.dtype == np.uint8:
        zeros = _unpacked(zeros.reshape(rows, -1), bits)
    call.require(zeros.size >= rows * blocks, "its zero points do not fit 'N' and 'K'")
    return zeros.reshape(rows, -1)[:, :blocks, None].astype(np.float32)


def _unpacked(rows: Array, bits: int) -> Array:
    """Return the numbers of packed bytes, the lowest bits first."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    parts = (rows[..., None] >> shifts) & np.uint8((1 << bits) - 1)
    return parts.reshape(len(rows), -1)


BLOCKWISE: dict[str, Signature] = {
    "MatMulNBits": Signature(
        "A B scales zeros? g_idx? bias?",
        _matmul,
        {"K": 0, "N": 0, "bits": 4, "block_size": 0, "accuracy_level": 0},
        {"weight_prepacked": 0},
    ),
}
"""Products with blockwise weights, by name."""

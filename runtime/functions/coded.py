"""Weights of codes: places in a table, some in a byte, with a scale and zero point for each block.

Worked example: with the table 0, 1 .. 15 the byte 0x21 is the numbers 1 and 2; zero point 1 and
scale 0.5 make 0.0 and 0.5 of them.
"""

import numpy as np

from ...dialects.value.codes import CODES_IN_A_BYTE, Bytes, unpacked
from .linear import fully_connected
from .support.arrays import Array, narrow


@np.errstate(all="ignore")
def decode_weights(codes: Bytes, table: Array, scales: Array, zeros: Bytes) -> Array:
    """(table[codes] - table[zeros]) * scales, with the last dims [n, m]; computed in f32."""
    numbers = table.reshape(-1).astype(np.float32)
    real = numbers[unpacked(codes, CODES_IN_A_BYTE[table.size])]
    shape = real.shape[-2:]
    # A part of the matrix for each block: n and m are each split into blocks and their elements.
    for name, blocks in (("zeros", numbers[zeros & np.uint8(table.size - 1)]), ("scales", scales)):
        rows, columns = blocks.shape[-2:]
        parts = real.reshape(rows, shape[0] // rows, columns, shape[1] // columns)
        each = blocks.reshape(rows, 1, columns, 1)
        (np.subtract if name == "zeros" else np.multiply)(parts, each, out=parts)
    return narrow(real, table.dtype)


def coded_fully_connected(
    x: Array, codes: Bytes, table: Array, scales: Array, zeros: Bytes, bias: Array | None
) -> Array:
    """x[..., m] with the decoded weights [n, m] and bias[n] -> [..., n]."""
    return fully_connected(x, decode_weights(codes, table, scales, zeros), bias)

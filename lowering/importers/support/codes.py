"""Weights of a few bits, or with scales of blocks, as codes with a table of their numbers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....dialects.spec_of import Array
from ....dialects.value.dtypes import CODES_IN_A_BYTE, packed

_BITS = re.compile(r"u?int([248])|float([48])_.*")
"""Types whose numbers fit a table, with their bits."""


@dataclass(frozen=True)
class Codes:
    """The operands of DecodeWeights: packed codes, a table, scales and zero points of blocks."""

    codes: Array
    table: Array
    scales: Array
    zeros: Array


def decoded_dims(codes: Sequence[int], entries: int) -> tuple[int, int]:
    """Return the dims of the matrix that DecodeWeights makes of codes and a table's entries."""
    rows, columns = codes
    return rows, columns * CODES_IN_A_BYTE.get(entries, 1)


def bits_of(stored: Array) -> int:
    """Return the bits of an array's numbers; 0 where a table would be too large."""
    match = _BITS.fullmatch(stored.dtype.name)
    return int(match[1] or match[2]) if match else 0


def codes_of(stored: Array, scale: Array, zero: Array | None, axis: int) -> Codes | None:
    """Return a matrix as codes; None where these do not fill whole bytes, or blocks not the matrix.

    `scale` and `zero` are one number, one for each index of the axis, or one for each block.
    """
    bits = bits_of(stored)
    if not bits or stored.ndim != len(("rows", "columns")) or scale.dtype != np.float32:
        return None
    count, scales = 8 // bits, _by_block(scale, axis)
    blocks = zip(stored.shape, scales.shape, strict=True)
    if stored.shape[1] % count or any(not part or dim % part for dim, part in blocks):
        return None
    table = np.arange(1 << bits, dtype=np.uint8).view(stored.dtype).astype(np.float32)
    zeros = np.zeros((1, 1), np.uint8) if zero is None else _by_block(_codes(zero), axis)
    if (zeros == zeros[:1, :1]).all():
        zeros = zeros[:1, :1]
    return Codes(packed(_codes(stored), count), table, scales, zeros)


def _codes(stored: Array) -> Array:
    """Return the place of each number in the table."""
    mask = np.uint8((1 << bits_of(stored)) - 1)
    return np.ascontiguousarray(stored).view(np.uint8) & mask


def _by_block(numbers: Array, axis: int) -> Array:
    """Return numbers with the two dims of the matrix."""
    if numbers.ndim == len(("rows", "columns")):
        return numbers
    return numbers.reshape((-1, 1) if axis == 0 and numbers.size > 1 else (1, -1))


def in_bytes(stored: Array) -> Array:
    """Return integers of 2 and 4 bits as integers of 8; other numbers unchanged."""
    match = re.fullmatch(r"(u?int)[24]", stored.dtype.name)
    return stored.astype(f"{match[1]}8") if match else stored


def is_encoding(stored: Array, scale: Array) -> bool:
    """Tell whether these are integers of 8 or 16 bits, with one scale or one for each index."""
    return stored.dtype.name in ("int8", "uint8", "int16", "uint16") and scale.ndim <= 1
